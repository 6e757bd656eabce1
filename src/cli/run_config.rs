//! What all commands that go through records share: inputs, limits, threads, output.

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::limits::LimitArgs;
use super::progress::Progress;
use super::{Failure, tell};
use crate::finding::{Severity, remember_panics};
use crate::input::{Extensions, Inputs, reason};
use crate::output::folder::remove_unnamed;
use crate::output::{
    CsvStyle, Destination, Document, SharedDestination, printable, refuse_to_replace,
};
use crate::pipeline::Part;
pub(super) use crate::pipeline::batch::Report;
use crate::pipeline::batch::{self, Ended, RunError};
use crate::pipeline::row::{Column, pick};
use crate::pipeline::tally::Tally;
use crate::sgf;

/// The options of commands that write one table of results, as they were typed.
#[derive(Debug, Args)]
pub(super) struct TableArgs {
    #[command(flatten)]
    records: RecordArgs,

    /// Write to FILE, which appears when it is complete, instead of to standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Output format [default: by the extension of -o FILE, else the command's own].
    #[arg(long, value_enum)]
    format: Option<Format>,

    /// Write only these columns, in this order; `kifu schema` lists them.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = TABLE)]
    columns: Vec<String>,

    /// What stands between the cells of a CSV: a character such as `;`, or `tab`
    /// [default: a comma; a tab for -o FILE.tsv].
    #[arg(long, value_name = "CHAR", value_parser = delimiter, help_heading = TABLE)]
    delimiter: Option<u8>,

    /// Write 3,5 for 3.5 in a CSV; the delimiter is then `;` unless another is named.
    #[arg(long, help_heading = TABLE)]
    decimal_comma: bool,

    /// Start the CSV with a byte order mark, by which Excel knows UTF-8.
    #[arg(long, help_heading = TABLE)]
    bom: bool,

    /// Write text in a CSV as it is, for programs: without the apostrophe that keeps a
    /// spreadsheet from running it as a formula.
    #[arg(long, help_heading = TABLE)]
    raw: bool,

    /// When the exit status is 1.
    #[arg(long, value_enum, value_name = "WHEN", default_value = "error")]
    fail_on: FailOn,

    /// Exit with 0 whatever was found; the same as `--fail-on never`.
    #[arg(long, conflicts_with = "fail_on")]
    exit_zero: bool,
}

const TABLE: &str = "Table";

/// What makes the exit status 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FailOn {
    /// A finding of severity error.
    Error,
    /// A finding of severity warning or error.
    Warning,
    /// A game whose counted result is not the recorded one (`kifu score`), or an error.
    Disagreement,
    /// Nothing.
    Never,
}

/// More threads than this are a slip of the finger.
const MOST_THREADS: usize = 4096;

fn threads(text: &str) -> Result<NonZeroUsize, String> {
    text.parse()
        .ok()
        .filter(|count: &NonZeroUsize| count.get() <= MOST_THREADS)
        .ok_or_else(|| format!("a number of threads is from 1 to {MOST_THREADS}"))
}

/// The byte between the cells of a CSV.
fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        &[byte]
            if byte.is_ascii()
                && !byte.is_ascii_alphanumeric()
                && !b"\"'.-\n\r".contains(&byte) =>
        {
            Ok(byte)
        }
        _ => Err("a delimiter is one character such as `;`, or `tab`".to_string()),
    }
}

/// Which records to go through, and how, as it was typed.
#[derive(Debug, Args)]
pub(super) struct RecordArgs {
    /// Records, folders, archives or patterns to read; `-` is standard input.
    ///
    /// Folders are searched recursively for records and archives; hidden files are ignored.
    /// Archives are .zip, .tar, .tar.gz, .tar.bz2, .tar.xz and .tar.zst; .sgf.gz is read too.
    #[arg(value_name = "INPUT", required_unless_present = "files_from")]
    inputs: Vec<OsString>,

    /// Read names of further inputs from FILE, one per line or separated by NUL; `-` is standard
    /// input.
    #[arg(long, value_name = "FILE")]
    files_from: Option<PathBuf>,

    /// File name extension of records in folders and archives; may be given several times.
    #[arg(long = "ext", value_name = "EXT", default_values = Extensions::DEFAULT)]
    extensions: Vec<String>,

    /// Number of threads [default: one for each core].
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<NonZeroUsize>,

    /// No summary and no progress bar.
    #[arg(short, long)]
    quiet: bool,

    /// When to use colours; `auto` means on a terminal, unless NO_COLOR is set.
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    color: When,

    #[command(flatten)]
    limits: LimitArgs,
}

/// How results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people.
    Text,
    /// For spreadsheets.
    Csv,
    /// One JSON object per line.
    Jsonl,
    /// A workbook for Excel and LibreOffice.
    #[cfg(feature = "xlsx")]
    Xlsx,
    /// For data sets.
    #[cfg(feature = "parquet")]
    Parquet,
    /// The log of a job of GitHub Actions (`kifu check`).
    Github,
    /// SARIF 2.1.0, for code hosts and editors (`kifu check`).
    Sarif,
}

impl Format {
    /// The failure of a command that does not write it.
    pub(super) fn refused(self) -> Failure {
        let name = self.to_possible_value();
        let name = name.as_ref().map_or("this", |name| name.get_name());
        Failure::Message(format!("This command does not write the format {name}."))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum When {
    Auto,
    Always,
    Never,
}

/// The options checked, and everything decided that they leave open.
pub(super) struct RunConfig {
    pub inputs: Inputs,
    pub record_limits: sgf::Limits,
    pub format: Format,
    pub quiet: bool,
    /// Whether text on standard output is to be coloured.
    pub colored: bool,
    /// How CSV is written.
    pub csv: CsvStyle,
    /// The names of the columns that were asked for; all, if none were.
    columns: Vec<String>,
    pub fail_on: FailOn,
    threads: NonZeroUsize,
    output: Option<PathBuf>,
}

impl TableArgs {
    pub(super) fn resolve(self, default_format: Format) -> Result<RunConfig, Failure> {
        let output = self.output.filter(|path| path != Path::new("-"));
        let named = match (&output, self.format) {
            (None, _) => None,
            (Some(path), None) => format_of_file(path)?,
            // Whoever names the format may call the file whatever they like.
            (Some(path), Some(_)) => format_of_file(path).unwrap_or(None),
        };
        let (named_format, named_delimiter) = named.unzip();
        let format = self.format.or(named_format).unwrap_or(default_format);
        let csv = CsvStyle {
            delimiter: self.delimiter.unwrap_or(match self.decimal_comma {
                true => b';',
                false => named_delimiter.unwrap_or(b','),
            }),
            decimal_comma: self.decimal_comma,
            bom: self.bom,
            raw: self.raw,
            ..CsvStyle::default()
        };
        if csv.decimal_comma && csv.delimiter == b',' {
            let message = "A decimal comma needs another delimiter: name one with --delimiter.";
            return Err(Failure::Message(message.to_string()));
        }
        let mut config = self.records.resolve(output, format)?;
        config.csv = csv;
        config.columns = self.columns;
        config.fail_on = match self.exit_zero {
            true => FailOn::Never,
            false => self.fail_on,
        };
        Ok(config)
    }
}

impl RecordArgs {
    /// Decides for a run that writes to `output`, or to standard output if there is none.
    pub(super) fn resolve(
        self,
        output: Option<PathBuf>,
        format: Format,
    ) -> Result<RunConfig, Failure> {
        let stdin = Path::new("-");
        let stdin_count = self.inputs.iter().filter(|&input| input == stdin).count()
            + usize::from(self.files_from.as_deref() == Some(stdin));
        if stdin_count > 1 {
            let message = "Standard input (`-`) can be read only once.";
            return Err(Failure::Message(message.to_string()));
        }
        let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let colored = match self.color {
            When::Always => true,
            When::Never => false,
            When::Auto => output.is_none() && io::stdout().is_terminal() && !is_set("NO_COLOR"),
        };
        let threads = self
            .threads
            .unwrap_or_else(|| std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN));
        let inputs = Inputs {
            named: self.inputs,
            files_from: self.files_from,
            extensions: Extensions::new(self.extensions),
            limits: self.limits.of_input(),
            excluded_dir: None,
        };
        let record_limits = self.limits.of_records();
        Ok(RunConfig {
            inputs,
            record_limits,
            format,
            quiet: self.quiet,
            colored,
            csv: CsvStyle::default(),
            columns: Vec::new(),
            fail_on: FailOn::Error,
            threads,
            output,
        })
    }
}

/// The format, and the delimiter of a CSV, that a file name asks for. A name without an extension
/// asks for none.
fn format_of_file(path: &Path) -> Result<Option<(Format, u8)>, Failure> {
    let Some(extension) = path.extension().filter(|_| !is_device(path)) else {
        return Ok(None);
    };
    let extension = extension.to_string_lossy().to_ascii_lowercase();
    match extension.as_str() {
        "txt" => Ok(Some((Format::Text, b','))),
        "csv" => Ok(Some((Format::Csv, b','))),
        "tsv" | "tab" => Ok(Some((Format::Csv, b'\t'))),
        "jsonl" | "ndjson" => Ok(Some((Format::Jsonl, b','))),
        #[cfg(feature = "xlsx")]
        "xlsx" => Ok(Some((Format::Xlsx, b','))),
        #[cfg(feature = "parquet")]
        "parquet" => Ok(Some((Format::Parquet, b','))),
        "sarif" => Ok(Some((Format::Sarif, b','))),
        _ => {
            let known = [
                Some(".csv, .tsv"),
                cfg!(feature = "xlsx").then_some(".xlsx"),
                cfg!(feature = "parquet").then_some(".parquet"),
                Some(".jsonl, .ndjson"),
            ];
            let known: Vec<&str> = known.into_iter().flatten().collect();
            Err(Failure::Message(format!(
                "kifu writes no .{} files here: name the output {} or .txt.",
                printable(&extension),
                known.join(", ")
            )))
        }
    }
}

/// The command as it was typed, with quotes where a shell needs them.
pub(super) fn command_line() -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./,:=+@%".contains(c);
    let words = std::env::args_os().enumerate().map(|(number, word)| {
        let word = word.to_string_lossy().into_owned();
        match number {
            0 => "kifu".to_string(),
            _ if !word.is_empty() && word.chars().all(is_plain) => word,
            _ => format!("'{}'", word.replace('\'', r"'\''")),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Whether the path is there and no plain file, like a pipe: its name says nothing.
fn is_device(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| !data.is_file())
}

impl RunConfig {
    /// The columns to write: those that were asked for, or all.
    pub(super) fn columns<F: Copy>(&self, all: &[Column<F>]) -> Result<Vec<Column<F>>, Failure> {
        if self.columns.is_empty() {
            return Ok(all.to_vec());
        }
        pick(all, &self.columns).map_err(|error| Failure::Message(error.to_string()))
    }

    /// The same for a format that has more to say if nothing was asked for.
    pub(super) fn picked<F: Copy>(
        &self,
        all: &[Column<F>],
    ) -> Result<Option<Vec<Column<F>>>, Failure> {
        let picked = !self.columns.is_empty();
        picked.then(|| self.columns(all)).transpose()
    }

    /// Makes sure that a file may be written over, if it is there.
    pub(super) fn check_target(&self, path: &Path) -> Result<(), Failure> {
        let Some(why) = refuse_to_replace(path, &self.inputs) else {
            return Ok(());
        };
        let name = path.to_string_lossy();
        Err(Failure::Message(format!(
            "{} {why}, and is not written over; name another file with -o.",
            printable(&name)
        )))
    }

    /// Looks at every input once before the run; false if nothing could be looked at twice, because
    /// it comes from standard input.
    pub(super) fn survey(&self, look_at: impl Fn(&Part) + Sync) -> Result<bool, Failure> {
        if self.inputs.reads_stdin() {
            return Ok(false);
        }
        remember_panics();
        let progress = Progress::new(&self.inputs, self.quiet);
        let ended = batch::run(
            self.inputs.open(),
            &self.record_limits,
            self.threads,
            // Nothing is written yet that Ctrl-C would have to finish.
            &AtomicBool::new(false),
            |part| {
                look_at(&part);
                Report::new(Vec::new(), ())
            },
            |_, step| {
                progress.advance(step);
                Ok(())
            },
        );
        progress.finish();
        ended.map_err(|error| self.not_run(error))?;
        Ok(true)
    }

    /// Why a run could not be started, or not be finished for want of an output.
    fn not_run(&self, error: RunError) -> Failure {
        match error {
            RunError::Threads(_) => {
                let threads = self.threads;
                Failure::Message(format!(
                    "The {threads} threads can't be started; name fewer with --threads N."
                ))
            }
            RunError::Sink(error) => Failure::Output(error),
        }
    }

    /// Opens the output, which must not be something precious.
    fn open_output(
        &self,
        create: fn(&Path) -> io::Result<Destination>,
    ) -> Result<SharedDestination, Failure> {
        let destination = match &self.output {
            None => Destination::stdout(),
            Some(path) => {
                let name = path.to_string_lossy();
                self.check_target(path)?;
                create(path).map_err(|error| Failure::Message(unwritten(&name, &error)))?
            }
        };
        Ok(SharedDestination::new(destination))
    }

    /// Opens the output for a document of text.
    pub(super) fn open_text(&self) -> Result<SharedDestination, Failure> {
        self.open_output(Destination::whole)
    }

    /// Opens the output for a document that is no text; a terminal takes none.
    pub(super) fn open_document(&self) -> Result<SharedDestination, Failure> {
        if self.output.is_none() && io::stdout().is_terminal() {
            let message = "This is nothing for a terminal: name a file with -o.";
            return Err(Failure::Message(message.to_string()));
        }
        self.open_output(Destination::whole)
    }

    /// Works on every input and writes the rows in order. `add` takes each file's tally, in
    /// order too. Returns whether the run came to its end; an interrupted one has said so.
    pub(super) fn run<T: Send>(
        &self,
        header: &[u8],
        work: impl Fn(Part) -> Report<T> + Sync,
        mut add: impl FnMut(T) + Send,
    ) -> Result<Ended, Failure> {
        let destination = self.open_output(Destination::file)?;
        destination.lock().write(header)?;
        let add = |report: Report<T>, progress: &Progress| {
            add(report.tally);
            match report.rows.is_empty() {
                true => Ok(()),
                false => progress.pausing(|| destination.lock().write(&report.rows)),
            }
        };
        self.run_to(&destination, work, add, |_, _| Ok(()))
    }

    /// Works on every input and puts what comes of it together in a document, which writes to
    /// `output`.
    pub(super) fn run_document<T: Send>(
        &self,
        output: &SharedDestination,
        document: &mut impl Document<T>,
        work: impl Fn(Part) -> Report<T> + Sync,
    ) -> Result<Ended, Failure> {
        // The run is over when the document is closed, and does not need it any more.
        let document = Mutex::new(document);
        let locked = || document.lock().unwrap_or_else(PoisonError::into_inner);
        let add = |report: Report<T>, _: &Progress| locked().add(report.tally);
        self.run_to(output, work, add, |ended, progress| {
            progress.writing(self.output.as_deref());
            locked().close(ended)?;
            output.lock().close();
            Ok(())
        })
    }

    fn run_to<T: Send>(
        &self,
        destination: &SharedDestination,
        work: impl Fn(Part) -> Report<T> + Sync,
        mut add: impl FnMut(Report<T>, &Progress) -> io::Result<()> + Send,
        close: impl FnOnce(Ended, &Progress) -> io::Result<()>,
    ) -> Result<Ended, Failure> {
        remember_panics();
        let stop = stop_on_signal(self.inputs.may_wait(), destination.clone())?;
        let progress = Progress::new(&self.inputs, self.quiet);
        let ended = batch::run(
            self.inputs.open(),
            &self.record_limits,
            self.threads,
            stop,
            work,
            |report, step| {
                progress.advance(step);
                add(report, &progress)
            },
        );
        let ended = ended.and_then(|ended| {
            close(ended, &progress).map_err(RunError::Sink)?;
            Ok(ended)
        });
        progress.finish();
        let mut destination = destination.lock();
        let ended = ended.map_err(|error| match error {
            error @ RunError::Threads(_) => {
                destination.discard();
                self.not_run(error)
            }
            RunError::Sink(error) => unfinished(&mut destination, error),
        })?;
        match ended {
            Ended::Completed => destination
                .finish()
                .map_err(|error| unfinished(&mut destination, error))?,
            Ended::Interrupted => interrupted(&mut destination),
        }
        Ok(ended)
    }
}

/// The sentence about a file that could not be written.
pub(super) fn unwritten(name: &str, error: &io::Error) -> String {
    format!("{} can't be written: {}.", printable(name), reason(error))
}

/// The status for a run over many files.
pub(super) fn exit_status(
    ended: Ended,
    fail_on: FailOn,
    tally: &Tally,
    disagreements: u64,
) -> ExitCode {
    let failed = match fail_on {
        FailOn::Never => false,
        FailOn::Error => tally.has(Severity::Error),
        FailOn::Warning => tally.has(Severity::Warning),
        FailOn::Disagreement => disagreements > 0 || tally.has(Severity::Error),
    };
    match (ended, failed) {
        (Ended::Interrupted, _) => ExitCode::from(2),
        (Ended::Completed, true) => ExitCode::from(1),
        (Ended::Completed, false) => ExitCode::SUCCESS,
    }
}

/// Why the output could not be written to its end, and where the rows are that were finished.
fn unfinished(destination: &mut Destination, error: io::Error) -> Failure {
    match destination.partial() {
        None => {
            destination.discard();
            Failure::Output(error)
        }
        Some(partial) => Failure::Message(format!(
            "The output can't be written: {}. What was finished is in {}.",
            reason(&error),
            printable(&partial.to_string_lossy())
        )),
    }
}

/// Keeps the rows that are finished and says where they are.
fn interrupted(destination: &mut Destination) {
    let kept = match destination.abandon() {
        Ok(Some(path)) => {
            let name = path.to_string_lossy().into_owned();
            format!(" What was finished is in {}.", printable(&name))
        }
        Ok(None) => String::new(),
        Err(error) => format!(" The output can't be written: {}.", reason(&error)),
    };
    tell(format_args!("kifu: Interrupted.{kept}\n"));
}

/// See [`stop_on_signal`]. Files are left between their games when it is set.
pub(super) static STOP: AtomicBool = AtomicBool::new(false);

/// The flag that Ctrl-C, or a signal to end, sets. The run then finishes the games in hand and
/// their rows. Where the run waits for a pipe it may never come to that: then the rows that are
/// finished are written from here. A second signal ends the program at once.
fn stop_on_signal(
    may_wait: bool,
    destination: SharedDestination,
) -> Result<&'static AtomicBool, Failure> {
    const INTERRUPTED: i32 = 130;
    let handler = move || {
        let is_second = STOP.swap(true, Ordering::Relaxed);
        if !is_second && !may_wait {
            return;
        }
        if !is_second {
            std::thread::sleep(Duration::from_secs(1));
        }
        // Whoever holds it writes finished rows at this moment, to a reader who may have gone.
        for _ in 0..100 {
            if let Some(mut destination) = destination.try_lock() {
                interrupted(&mut destination);
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        remove_unnamed();
        std::process::exit(if is_second { INTERRUPTED } else { 2 });
    };
    match ctrlc::set_handler(handler) {
        // A signal would now be waited for by nobody.
        Err(ctrlc::Error::System(error)) => {
            let reason = reason(&error);
            let message = format!("The run can't begin, for lack of threads or files: {reason}.");
            Err(Failure::Message(message))
        }
        // Where no handler can be set, Ctrl-C just ends the program.
        _ => Ok(&STOP),
    }
}
