//! Where output goes: standard output, or a file.
//!
//! Only whole rows are ever written. A file is written under another name, `FILE.partial`, and
//! renamed when it is complete, so that whoever finds `FILE` finds all of it. After Ctrl-C, a crash
//! or on a full disk the rows that were finished are in `FILE.partial`. That name is never taken
//! from anybody: if it is in use, by another run or as the remains of one, the next free of
//! `FILE.partial2`, `FILE.partial3`, … is taken, and no link is followed.
//!
//! A workbook or a Parquet file is of no use in part. Of such a [whole](Destination::whole) file
//! nothing is left behind unless it was closed.
//!
//! A record or an archive is never written over, whatever a user, or the shell, made of the
//! arguments: see [`refuse_to_replace`].

use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::input::Inputs;
use crate::input::signature::packing_of_bytes;

/// How much is gathered before it is written.
const BUFFER: usize = 1 << 16;

/// An open output.
pub(crate) struct Destination {
    writer: Writer,
    buffer: Vec<u8>,
    /// A person is watching: show everything at once.
    live: bool,
}

enum Writer {
    Stdout(io::Stdout),
    /// Something that is there and is no plain file, like `/dev/null` or a pipe.
    InPlace(File),
    Partial(Partial),
}

/// A file that is not complete yet.
struct Partial {
    file: File,
    name: PathBuf,
    /// The name that it gets in the end.
    target: PathBuf,
    /// How many bytes of whole rows are in it.
    whole: u64,
    /// Whether anybody can use what is in it.
    remains: Remains,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Remains {
    /// Rows, each of use without those that follow.
    Rows,
    /// Nothing that any program could open.
    Unusable,
    /// A file that is complete in itself.
    Closed,
}

impl Destination {
    /// Standard output.
    pub(crate) fn stdout() -> Destination {
        Destination {
            live: io::stdout().is_terminal(),
            ..Destination::new(Writer::Stdout(io::stdout()))
        }
    }

    /// A file that appears under its name when [`Destination::finish`] is called. What is there
    /// and is not a plain file, like `/dev/null` or a pipe, is written to as it is.
    pub(crate) fn file(path: &Path) -> io::Result<Destination> {
        Destination::create(path, Remains::Rows)
    }

    /// The same for a file that nobody can use before it is [closed](Destination::close).
    pub(crate) fn whole(path: &Path) -> io::Result<Destination> {
        Destination::create(path, Remains::Unusable)
    }

    fn create(path: &Path, remains: Remains) -> io::Result<Destination> {
        // Behind a link, the file that it leads to is the one to replace.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let old = fs::metadata(&target).ok();
        if old.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(io::Error::from(io::ErrorKind::IsADirectory));
        }
        if old.as_ref().is_some_and(|old| !old.is_file()) {
            let file = File::options().write(true).open(&target)?;
            return Ok(Destination::new(Writer::InPlace(file)));
        }
        let (file, name) = create_partial(&target, 2)?;
        if let Some(old) = old {
            file.set_permissions(old.permissions())?;
        }
        Ok(Destination::new(Writer::Partial(Partial {
            file,
            name,
            target,
            whole: 0,
            remains,
        })))
    }

    fn new(writer: Writer) -> Destination {
        Destination {
            writer,
            buffer: Vec::with_capacity(BUFFER),
            live: false,
        }
    }

    /// Takes whole rows.
    pub(crate) fn write(&mut self, rows: &[u8]) -> io::Result<()> {
        self.buffer.extend_from_slice(rows);
        if self.live || self.buffer.len() >= BUFFER {
            self.flush()
        } else {
            Ok(())
        }
    }

    /// Hands everything on that was taken so far.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        let rows = std::mem::take(&mut self.buffer);
        match &mut self.writer {
            Writer::Stdout(out) => {
                out.write_all(&rows)?;
                out.flush()
            }
            Writer::InPlace(file) => file.write_all(&rows),
            Writer::Partial(partial) => partial.write(&rows),
        }
    }

    /// Writes what is left and gives a file its name.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.flush()?;
        match &self.writer {
            Writer::Partial(Partial { name, target, .. }) => fs::rename(name, target),
            Writer::Stdout(_) | Writer::InPlace(_) => Ok(()),
        }
    }

    /// Writes what is left, but leaves a file under its partial name, which is returned, if
    /// anybody can use what is in it.
    pub(crate) fn abandon(&mut self) -> io::Result<Option<PathBuf>> {
        self.flush()?;
        if self.partial().is_none() {
            self.discard();
        }
        Ok(self.partial().map(Path::to_path_buf))
    }

    /// Says that a whole file has everything that it takes to be opened.
    pub(crate) fn close(&mut self) {
        if let Writer::Partial(partial) = &mut self.writer {
            partial.remains = Remains::Closed;
        }
    }

    /// Removes a file that is of no use: nothing was written to it, or not enough.
    pub(crate) fn discard(&mut self) {
        if let Writer::Partial(partial) = &self.writer
            && (partial.remains == Remains::Unusable || partial.whole == 0)
        {
            // If it can't be removed, its name says what it is.
            let _ = fs::remove_file(&partial.name);
        }
    }

    /// The name under which a file is kept until it is complete; none if nobody could use it.
    pub(crate) fn partial(&self) -> Option<&Path> {
        match &self.writer {
            Writer::Partial(partial) if partial.remains != Remains::Unusable => Some(&partial.name),
            Writer::Partial(_) | Writer::Stdout(_) | Writer::InPlace(_) => None,
        }
    }
}

/// A destination that the run writes to, and that whoever hears a signal may have to leave.
#[derive(Clone)]
pub(crate) struct SharedDestination(Arc<Mutex<Destination>>);

impl SharedDestination {
    pub(crate) fn new(destination: Destination) -> SharedDestination {
        SharedDestination(Arc::new(Mutex::new(destination)))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Destination> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The destination, unless somebody is writing to it.
    pub(crate) fn try_lock(&self) -> Option<MutexGuard<'_, Destination>> {
        self.0.try_lock().ok()
    }
}

/// For whole files, which are written piece by piece by those who know the format.
impl Write for SharedDestination {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.lock().write(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.lock().flush()
    }
}

impl Partial {
    /// Writes whole rows. If that fails, as on a full disk, the file ends at a whole row.
    fn write(&mut self, rows: &[u8]) -> io::Result<()> {
        match self.file.write_all(rows) {
            Ok(()) => {
                self.whole += rows.len() as u64;
                Ok(())
            }
            Err(error) if self.remains != Remains::Rows => {
                self.remains = Remains::Unusable;
                Err(error)
            }
            Err(error) => {
                let kept = last_row_end(&self.name, self.whole).unwrap_or(self.whole);
                // What can't be cut off either stays: there is nothing else to be done.
                let _ = self.file.set_len(kept);
                self.whole = kept;
                Err(error)
            }
        }
    }
}

/// Where the last whole row of a file ends; `known` bytes are known to be whole rows.
fn last_row_end(path: &Path, known: u64) -> io::Result<u64> {
    use std::io::{Seek, SeekFrom};
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(known))?;
    let mut rest = Vec::new();
    file.read_to_end(&mut rest)?;
    let end = memchr::memrchr(b'\n', &rest).map_or(0, |at| at + 1);
    Ok(known + end as u64)
}

/// Creates the file that is to become `target`, under a name that nobody has: if the first choice
/// is in use, with a number, `next` or one of those after it.
pub(super) fn create_partial(target: &Path, next: u64) -> io::Result<(File, PathBuf)> {
    let first = std::iter::once(String::new());
    let numbers = (next..next.saturating_add(MOST_PARTIALS)).map(|number| number.to_string());
    let mut taken = io::Error::from(io::ErrorKind::AlreadyExists);
    for number in first.chain(numbers) {
        let mut name = OsString::from(target);
        name.push(format!(".partial{number}"));
        let name = PathBuf::from(name);
        match File::create_new(&name) {
            Ok(file) => return Ok((file, name)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => taken = error,
            Err(error) => return Err(error),
        }
    }
    Err(taken)
}

/// How many partial files of one name may lie about.
const MOST_PARTIALS: u64 = 1000;

/// Why a file must not be written over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub(crate) enum Protected {
    /// It is one of the inputs.
    Input,
    /// It lists the inputs.
    List,
    /// It holds game records.
    Record,
    /// It is an archive, or compressed.
    Archive,
}

impl fmt::Display for Protected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Protected::Input => "is one of the inputs",
            Protected::List => "is the list of the inputs",
            Protected::Record => "is a game record",
            Protected::Archive => "is an archive",
        })
    }
}

/// Whether a file is something that output must never replace: an input, by whatever path it was
/// named; the list of inputs; and any record or archive, by its name or by what is in it, whatever
/// the inputs are: in `kifu score -o *.sgf` the shell hands the first game to `-o`.
pub(crate) fn refuse_to_replace(target: &Path, inputs: &Inputs) -> Option<Protected> {
    let data = fs::metadata(target).ok()?;
    if !data.is_file() {
        return None;
    }
    // To look at a pipe would be to read from it.
    let is_target =
        |path: &Path| path.is_file() && same_file::is_same_file(path, target).unwrap_or(false);
    if inputs.files_from.as_deref().is_some_and(is_target) {
        return Some(Protected::List);
    }
    if inputs.named.iter().any(|name| is_target(Path::new(name))) {
        return Some(Protected::Input);
    }
    let name = target.file_name()?.to_string_lossy().to_ascii_lowercase();
    // What a folder holds is an input only by its name; of patterns and lists nobody knows.
    let mut others = inputs.clone();
    if !inputs.is_record_name(&name) && !inputs.is_archive_name(&name) {
        others.named.retain(|input| !Path::new(input).is_dir());
    }
    if others.on_disk().any(|path| is_target(&path)) {
        return Some(Protected::Input);
    }
    if [".sgf", ".sgfs", ".gib", ".ngf", ".ugf", ".ugi"]
        .iter()
        .any(|ending| name.ends_with(ending))
    {
        return Some(Protected::Record);
    }
    if inputs.is_archive_name(&name) {
        return Some(Protected::Archive);
    }
    let mut start = [0; 512];
    let length = File::open(target)
        .and_then(|mut file| file.read(&mut start))
        .ok()?;
    kind_of_content(&start[..length])
}

/// Whether this is the start of a workbook, which is a zip but holds no records: the first of its
/// files is one that only such a zip has.
fn is_workbook(start: &[u8]) -> bool {
    const NAME: usize = 30;
    let parts: [&[u8]; 4] = [b"[Content_Types].xml", b"_rels/", b"docProps/", b"xl/"];
    start.starts_with(b"PK\x03\x04")
        && start
            .get(NAME..)
            .is_some_and(|name| parts.iter().any(|part| name.starts_with(part)))
}

/// What the first bytes of a file say that it is.
fn kind_of_content(start: &[u8]) -> Option<Protected> {
    if is_workbook(start) {
        return None;
    }
    if packing_of_bytes(start).is_some() {
        return Some(Protected::Archive);
    }
    let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    let mut text = text.iter().filter(|byte| !byte.is_ascii_whitespace());
    let is_record = text.next() == Some(&b'(') && text.next() == Some(&b';');
    is_record.then_some(Protected::Record)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_its_name_when_it_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.csv");
        fs::write(&path, "old").unwrap();
        let mut destination = Destination::file(&path).unwrap();
        destination.write(b"new\n").unwrap();
        destination.flush().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        destination.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn an_abandoned_file_keeps_its_rows_under_the_partial_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.csv");
        let mut destination = Destination::file(&path).unwrap();
        destination.write(b"row\n").unwrap();
        let partial = destination.abandon().unwrap().unwrap();
        assert_eq!(fs::read(partial).unwrap(), b"row\n");
        assert!(!path.exists());
    }

    #[test]
    fn of_a_whole_file_nothing_is_left_unless_it_was_closed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.xlsx");
        let mut destination = Destination::whole(&path).unwrap();
        destination.write(b"PK").unwrap();
        assert_eq!(destination.abandon().unwrap(), None);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        let mut destination = Destination::whole(&path).unwrap();
        destination.write(b"PK").unwrap();
        destination.close();
        let partial = destination.abandon().unwrap().unwrap();
        assert_eq!(fs::read(partial).unwrap(), b"PK");
    }

    #[test]
    fn a_partial_name_is_never_taken_from_anybody() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.csv");
        let stale = folder.path().join("out.csv.partial");
        fs::write(&stale, "rows of an earlier run\n").unwrap();
        let mut first = Destination::file(&path).unwrap();
        let mut second = Destination::file(&path).unwrap();
        first.write(b"first\n").unwrap();
        second.write(b"second\n").unwrap();
        first.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"first\n");
        second.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second\n");
        assert_eq!(fs::read(&stale).unwrap(), b"rows of an earlier run\n");
    }

    #[cfg(unix)]
    #[test]
    fn a_planted_link_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let precious = folder.path().join("precious");
        fs::write(&precious, "mine").unwrap();
        let path = folder.path().join("out.csv");
        std::os::unix::fs::symlink(&precious, folder.path().join("out.csv.partial")).unwrap();
        let mut destination = Destination::file(&path).unwrap();
        destination.write(b"row\n").unwrap();
        destination.finish().unwrap();
        assert_eq!(fs::read(&precious).unwrap(), b"mine");
        assert_eq!(fs::read(&path).unwrap(), b"row\n");
    }

    #[test]
    fn records_archives_inputs_and_lists_are_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, content: &[u8]| {
            let path = folder.path().join(name);
            fs::write(&path, content).unwrap();
            path
        };
        let input = file("a.txt", b"(;B[aa])");
        let list = file("list", b"a.txt");
        let inputs = Inputs {
            named: vec![input.clone().into()],
            files_from: Some(list.clone()),
            ..Inputs::default()
        };
        let refused = |path: &Path| refuse_to_replace(path, &inputs);
        assert_eq!(refused(&input), Some(Protected::Input));
        assert_eq!(refused(&list), Some(Protected::List));
        assert_eq!(refused(&file("b.sgf", b"")), Some(Protected::Record));
        assert_eq!(
            refused(&file("c.csv", b"\xef\xbb\xbf \n( ;GM[1])")),
            Some(Protected::Record)
        );
        assert_eq!(refused(&file("d.tar.zst", b"")), Some(Protected::Archive));
        assert_eq!(
            refused(&file("e.csv", b"PK\x03\x04")),
            Some(Protected::Archive)
        );
        let zip = |name: &str| [&b"PK\x03\x04"[..], &[0; 26], name.as_bytes()].concat();
        assert_eq!(refused(&file("g.xlsx", &zip("[Content_Types].xml"))), None);
        assert_eq!(
            refused(&file("h.xlsx", &zip("games/a.sgf"))),
            Some(Protected::Archive)
        );
        assert_eq!(refused(&file("f.csv", b"file,game\n")), None);
        assert_eq!(refused(&folder.path().join("new.csv")), None);
        #[cfg(unix)]
        {
            let link = folder.path().join("link.csv");
            std::os::unix::fs::symlink(&input, &link).unwrap();
            assert_eq!(refused(&link), Some(Protected::Input));
        }
    }
}
