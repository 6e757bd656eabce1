//! Where records come from.
//!
//! A user names folders, files, patterns, archives, a list of names, or standard input, in any
//! mixture. [`Inputs`] is what was asked for; [`Inputs::open`] turns it into a [`Stream`], an
//! iterator over everything that was [`Entry`], in an order that depends on the names alone:
//! inputs in the order given, folders depth first with names sorted by their bytes, archive
//! members as they are stored. [`Entry::read`] then fetches the bytes. The two are apart so that
//! many threads can read files while one of them at a time asks what comes next.
//!
//! Nothing here stops the run. A folder without permission, a damaged archive, a file that is
//! too large: each comes out of the stream under its name, without bytes and with a finding.
//!
//! Memory stays flat for any number of files: a folder is listed in sorted pages of bounded
//! size, archives are unpacked member by member, and what one member may claim is bounded by
//! [`Limits`]. Archives inside archives are not opened.

mod archive;
mod decoder;
mod device;
mod limits;
mod list;
mod name;
mod pattern;
pub(crate) mod signature;
mod stream;
mod tar;
mod walk;
#[cfg(feature = "archives")]
mod zip;
#[cfg(not(feature = "archives"))]
#[path = "no_zip.rs"]
mod zip;

use std::any::Any;
use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

pub use limits::Limits;
pub use stream::Stream;

use crate::finding::{Code, Finding};
use archive::{Compression, Meter, Metered, Packing};
use zip::ZipMember;

/// What a user asked to read.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Inputs {
    /// Files, folders, archives, patterns, or `-` for standard input, as they were typed.
    pub named: Vec<OsString>,
    /// A file that lists further names, one per line or separated by NUL; `-` is standard input.
    pub files_from: Option<PathBuf>,
    /// Which files are records when a folder or an archive is searched.
    pub extensions: Extensions,
    /// How much of them is read.
    pub limits: Limits,
    /// A folder that is ignored when the one around it is searched: where output goes.
    pub excluded_dir: Option<PathBuf>,
}

impl Inputs {
    /// Files, folders, archives, patterns, or `-` for standard input; all else by default.
    pub fn new(named: impl IntoIterator<Item = impl Into<OsString>>) -> Inputs {
        Inputs {
            named: named.into_iter().map(Into::into).collect(),
            ..Inputs::default()
        }
    }

    /// Starts to look for records.
    pub fn open(&self) -> Stream {
        Stream::new(self.clone())
    }

    /// Whether standard input is one of the inputs, or says what they are.
    pub(crate) fn reads_stdin(&self) -> bool {
        let stdin = Path::new("-");
        self.files_from.as_deref() == Some(stdin) || self.named.iter().any(|name| name == stdin)
    }

    /// Whether reading may wait for somebody: for standard input, or a pipe.
    #[cfg(feature = "cli")]
    pub(crate) fn may_wait(&self) -> bool {
        let is_pipe = |path: &Path| {
            path.metadata()
                .is_ok_and(|data| !data.is_file() && !data.is_dir())
        };
        let named = self.named.iter().map(Path::new);
        self.reads_stdin() || named.chain(self.files_from.as_deref()).any(is_pipe)
    }

    /// The size in bytes of everything that the stream will read from disk, or `None` where
    /// nobody can know beforehand: standard input, and a list that can be read only once.
    pub(crate) fn size_on_disk(&self) -> Option<u64> {
        let is_pipe = |list: &Path| !list.is_file();
        if self.reads_stdin() || self.files_from.as_deref().is_some_and(is_pipe) {
            return None;
        }
        Some(
            Stream::surveying(self.clone())
                .map(|found| found.size_on_disk())
                .sum(),
        )
    }
}

/// What the program asks to keep its output away from its input.
#[cfg(feature = "cli")]
impl Inputs {
    /// Whether a file of this name is taken for an archive or a compressed record.
    pub(crate) fn is_archive_name(&self, name: &str) -> bool {
        Packing::of_name(name.as_bytes(), &self.extensions).is_some()
    }

    /// Whether a file of this name is a record where a folder is searched.
    pub(crate) fn is_record_name(&self, name: &str) -> bool {
        self.extensions.match_name(name.as_bytes())
    }

    /// The files of the disk that will be read, archives among them. A list of names on standard
    /// input can't be looked at beforehand, and is not.
    pub(crate) fn on_disk(&self) -> impl Iterator<Item = PathBuf> + use<> {
        let stdin = Path::new("-");
        let mut known = self.clone();
        known.named.retain(|name| name != stdin);
        // A pipe can be read only once.
        known.files_from = known.files_from.filter(|list| list.is_file());
        Stream::surveying(known).filter_map(|found| match found.content {
            Content::OnDisk(path, _) => Some(path),
            _ => None,
        })
    }
}

/// The endings that make a file a record when a folder or an archive is searched. A file that
/// is named outright is read whatever it is called.
#[derive(Clone, Debug)]
pub struct Extensions(Vec<String>);

impl Extensions {
    /// What records are called: `sgf`, and `sgfs` for a file of many.
    pub const DEFAULT: [&str; 2] = ["sgf", "sgfs"];

    /// Extensions as a user types them: with or without the dot, in any case.
    pub fn new(extensions: impl IntoIterator<Item = String>) -> Extensions {
        let bare = |text: String| text.trim_start_matches('.').to_ascii_lowercase();
        Extensions(extensions.into_iter().map(bare).collect())
    }

    /// Whether a file of this name, given as bytes, is a record.
    fn match_name(&self, name: &[u8]) -> bool {
        self.0
            .iter()
            .any(|extension| archive::ends_with_extension(name, extension))
    }
}

/// As in a sentence: `.sgf or .sgfs`.
impl fmt::Display for Extensions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, extension) in self.0.iter().enumerate() {
            let joint = match at {
                0 => "",
                _ if at + 1 == self.0.len() => " or ",
                _ => ", ",
            };
            write!(f, "{joint}.{extension}")?;
        }
        Ok(())
    }
}

impl Default for Extensions {
    fn default() -> Extensions {
        Extensions(Extensions::DEFAULT.map(str::to_string).to_vec())
    }
}

/// Something that may be a record, named but not read yet.
#[derive(Debug)]
pub struct Entry {
    name: String,
    findings: Vec<Finding>,
    content: Content,
    /// How many bytes of the disk were read to find it; files not opened yet count when read.
    consumed: u64,
}

#[derive(Debug)]
enum Content {
    /// A file that is still to be opened, perhaps compressed by itself (`.sgf.gz`).
    OnDisk(PathBuf, Option<Compression>),
    /// A member of a zip, still packed.
    Zipped(ZipMember),
    /// Taken from a tar or from standard input.
    Held(Vec<u8>),
    /// The same, but large: open, and to be read before anything else is read from there.
    Open(LargeFile),
    /// There is nothing to read; the findings say why.
    Missing,
}

/// A record's bytes under the name that the user knows it by.
#[derive(Debug)]
#[non_exhaustive]
pub struct InputFile {
    /// The path as given; `archive.zip/inner/path.sgf` for a member of an archive.
    pub name: String,
    /// `None` when the file could not be read: the findings say why.
    pub bytes: Option<Vec<u8>>,
    /// What was found while the file was read.
    pub findings: Vec<Finding>,
    /// How many bytes of the disk were read for it, for the progress bar.
    pub consumed: u64,
}

impl InputFile {
    /// The file as it was before it was read; its bytes stay in memory.
    pub(crate) fn unread(self) -> Entry {
        Entry {
            name: self.name,
            findings: self.findings,
            content: self.bytes.map_or(Content::Missing, Content::Held),
            consumed: self.consumed,
        }
    }
}

/// Files beyond this size are read bit by bit.
pub(crate) const LARGE: u64 = 1 << 20;

impl Entry {
    fn missing(name: String, finding: Finding) -> Entry {
        Entry {
            name,
            findings: vec![finding],
            content: Content::Missing,
            consumed: 0,
        }
    }

    /// What a file comes to when reading it has failed in a way that nobody thought of.
    pub(crate) fn failed(name: String, panic: &(dyn Any + Send)) -> InputFile {
        Entry::missing(name, Finding::internal_error(panic)).with_bytes(None)
    }

    /// The name that the user knows it by.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What there is to say about it so far.
    pub(crate) fn take_findings(&mut self) -> Vec<Finding> {
        std::mem::take(&mut self.findings)
    }

    /// Whether it has to be read before the stream goes on.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.content, Content::Open(_))
    }

    /// How many bytes of the disk were read for it and not reported yet.
    pub(crate) fn take_consumed(&mut self) -> u64 {
        std::mem::take(&mut self.consumed)
    }

    /// How many bytes it holds in memory before it is read.
    pub(crate) fn held(&self) -> usize {
        let content = match &self.content {
            Content::Held(bytes) => bytes.capacity(),
            Content::OnDisk(path, _) => path.as_os_str().len(),
            Content::Open(_) => LARGE as usize,
            Content::Zipped(_) | Content::Missing => 0,
        };
        self.name.len() + content
    }

    fn size_on_disk(&self) -> u64 {
        match &self.content {
            Content::OnDisk(path, _) => path.metadata().map_or(0, |data| data.len()),
            _ => self.consumed,
        }
    }

    /// Fetches the bytes, at most as many as a game may have.
    pub fn read(self, limits: &Limits) -> InputFile {
        self.fetch(limits, limits.max_game_size)
            .unwrap_or_else(|mut found| {
                found.findings.push(limits.too_large("file"));
                found.with_bytes(None)
            })
    }

    /// Fetches the bytes of a file that is not large; others are to be opened.
    pub(crate) fn read_small(self, limits: &Limits) -> Result<InputFile, Entry> {
        match self.content {
            Content::Open(_) => Err(self),
            _ => self.fetch(limits, limits.most_held()),
        }
    }

    /// Opens the file, to be read bit by bit.
    pub(crate) fn open(&mut self, limits: &Limits) -> Result<LargeFile, Finding> {
        let meter = Meter::default();
        let whole = |reader, path| LargeFile {
            reader,
            meter: meter.clone(),
            path,
        };
        Ok(
            match std::mem::replace(&mut self.content, Content::Missing) {
                Content::OnDisk(path, by_name) => {
                    let file = File::open(&path).map_err(|error| unreadable(&path, &error))?;
                    let compression = by_name
                        .map_or_else(|| compression_of_record(&path), |known| Ok(Some(known)))?;
                    match compression {
                        None => whole(Box::new(Metered(file, meter.clone())), Some(path)),
                        Some(compression) => {
                            let (unpacked, meter) = archive::unpack(file, compression, limits);
                            LargeFile {
                                reader: Box::new(unpacked),
                                meter,
                                path: None,
                            }
                        }
                    }
                }
                Content::Zipped(member) => {
                    self.consumed += member.packed_size();
                    let reader = member.open().map_err(|error| archive::failure(&error))?;
                    whole(Box::new(reader), None)
                }
                Content::Open(file) => file,
                Content::Held(bytes) => whole(Box::new(io::Cursor::new(bytes)), None),
                Content::Missing => whole(Box::new(io::empty()), None),
            },
        )
    }

    /// Fetches the bytes unless there are more than `most`.
    fn fetch(mut self, limits: &Limits, most: u64) -> Result<InputFile, Entry> {
        let fetched = match &mut self.content {
            Content::Missing => Ok(None),
            Content::Held(bytes) if bytes.len() as u64 > most => return Err(self),
            Content::Held(bytes) => Ok(Some((std::mem::take(bytes), 0))),
            Content::OnDisk(path, compression) => {
                match read_file(path, *compression, limits, most) {
                    Ok(None) => return Err(self),
                    fetched => fetched,
                }
            }
            Content::Zipped(member) if member.size() > most => return Err(self),
            Content::Zipped(member) => read_zipped(member),
            Content::Open(file) => match read_bounded(&mut file.reader, LARGE, most) {
                Ok(None) => return Err(self),
                Ok(Some(bytes)) => Ok(Some((bytes, file.newly_consumed()))),
                Err(error) => Err(archive::failure(&error)),
            },
        };
        let bytes = fetched.unwrap_or_else(|finding| {
            self.findings.push(finding);
            None
        });
        let bytes = bytes.map(|(bytes, consumed)| {
            self.consumed += consumed;
            bytes
        });
        if bytes.as_ref().is_some_and(Vec::is_empty) {
            let finding = Finding::new(Code::EmptyFile, "The file is empty.");
            self.findings.push(finding);
        }
        Ok(self.with_bytes(bytes.filter(|bytes| !bytes.is_empty())))
    }

    fn with_bytes(self, bytes: Option<Vec<u8>>) -> InputFile {
        InputFile {
            name: self.name,
            bytes,
            findings: self.findings,
            consumed: self.consumed,
        }
    }
}

/// A file that is read bit by bit.
pub(crate) struct LargeFile {
    reader: Box<dyn Read + Send>,
    meter: Meter,
    /// For a plain file on the disk, where it is.
    path: Option<PathBuf>,
}

impl std::fmt::Debug for LargeFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LargeFile").finish_non_exhaustive()
    }
}

impl LargeFile {
    /// Reads so many bytes more, fewer only at the end of the file.
    pub(crate) fn read(&mut self, count: usize, bytes: &mut Vec<u8>) -> Result<(), Finding> {
        let mut part = (&mut self.reader).take(count as u64);
        match (part.read_to_end(bytes), &self.path) {
            (Ok(_), _) => Ok(()),
            (Err(error), Some(path)) => Err(unreadable(path, &error)),
            (Err(error), None) => Err(archive::failure(&error)),
        }
    }

    /// How many bytes of the disk were read since this was asked last.
    pub(crate) fn newly_consumed(&self) -> u64 {
        self.meter.newly_consumed()
    }
}

/// Bytes, and how many bytes of the disk were read for them.
type Fetched = Option<(Vec<u8>, u64)>;

/// Reads a file of the disk; `None` if there are more bytes than `most`.
fn read_file(
    path: &Path,
    compression: Option<Compression>,
    limits: &Limits,
    most: u64,
) -> Result<Fetched, Finding> {
    let unreadable = |error: io::Error| unreadable(path, &error);
    let mut file = File::open(path).map_err(unreadable)?;
    match compression {
        None => {
            let size = file.metadata().map_or(0, |data| data.len());
            if size > most {
                return Ok(None);
            }
            let bytes = read_bounded(&mut file, size, most).map_err(unreadable)?;
            let start = bytes.as_deref().unwrap_or_default();
            if signature::packing_of_bytes(start).is_some()
                && let Some(compression) = compression_of_record(path)?
            {
                return read_file(path, Some(compression), limits, most);
            }
            Ok(bytes.map(|bytes| {
                let size = bytes.len() as u64;
                (bytes, size)
            }))
        }
        Some(compression) => {
            let (mut unpacked, meter) = archive::unpack(file, compression, limits);
            let bytes = read_bounded(&mut unpacked, 0, most);
            let bytes = bytes.map_err(|error| archive::failure(&error))?;
            Ok(bytes.map(|bytes| (bytes, meter.consumed())))
        }
    }
}

fn read_zipped(member: &ZipMember) -> Result<Fetched, Finding> {
    let read = || {
        let mut bytes = Vec::with_capacity(member.size() as usize + 1);
        member.open()?.read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read().map_err(|error: io::Error| archive::failure(&error))?;
    Ok(Some((bytes, member.packed_size())))
}

/// Reads to the end; `None` if there are more bytes than `most`.
fn read_bounded(reader: &mut impl Read, expected: u64, most: u64) -> io::Result<Option<Vec<u8>>> {
    // One byte more than expected lets the last read find the end without growing the buffer.
    let mut bytes = Vec::with_capacity(expected.min(LARGE) as usize + 1);
    let mut bounded = reader.take(most.saturating_add(1));
    bounded.read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

/// What there is to read where nobody can go back: all of it, unless it is large.
fn read_start(
    mut reader: impl Read + Send + 'static,
    meter: Meter,
    limits: &Limits,
) -> io::Result<Content> {
    let most = limits.most_held();
    let mut start = Vec::new();
    (&mut reader).take(most + 1).read_to_end(&mut start)?;
    if start.len() as u64 <= most {
        return Ok(Content::Held(start));
    }
    Ok(Content::Open(LargeFile {
        reader: Box::new(io::Cursor::new(start).chain(reader)),
        meter,
        path: None,
    }))
}

/// The finding for something that the operating system would not let us read.
fn unreadable(path: &Path, error: &io::Error) -> Finding {
    let what = if path.is_dir() { "folder" } else { "file" };
    let reason = reason(error);
    Finding::new(
        Code::Unreadable,
        format!("The {what} can't be read: {reason}."),
    )
}

/// What the operating system says, without the number that tells a reader nothing:
/// "Permission denied (os error 13)".
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error")
        .next()
        .unwrap_or_default()
        .to_string()
}

/// Whether a file is an archive, which records are read from.
#[cfg(feature = "cli")]
pub(crate) fn is_archive(path: &Path) -> bool {
    packing_of(path, &Extensions(Vec::new())).is_some_and(Packing::is_archive)
}

/// How a file on the disk is packed: its first bytes say it, or else its name.
fn packing_of(path: &Path, extensions: &Extensions) -> Option<Packing> {
    let by_name = || {
        let name = path.file_name()?.as_encoded_bytes();
        Packing::of_name(name, extensions)
    };
    signature::packing_of_file(path).or_else(by_name)
}

/// How a file that is called a record is packed all the same; an archive is not opened.
fn compression_of_record(path: &Path) -> Result<Option<Compression>, Finding> {
    match signature::packing_of_file(path) {
        None => Ok(None),
        Some(Packing::Record(compression)) => Ok(Some(compression)),
        Some(Packing::Zip | Packing::Tar(_)) => Err(Finding::new(
            Code::NestedArchive,
            "The file is called a record and is an archive; to have it opened, name it outright \
             or give it the ending of an archive.",
        )),
    }
}
