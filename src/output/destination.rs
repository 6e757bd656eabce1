//! Where output goes: standard output, or a file.
//!
//! Only whole rows are ever written. A file is written under another name, `FILE.partial`, and
//! renamed when it is complete, so that whoever finds `FILE` finds all of it. After Ctrl-C or a
//! crash the rows that were finished are in `FILE.partial`.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// How much is gathered before it is written.
const BUFFER: usize = 1 << 16;

/// An open output.
pub struct Destination {
    writer: Box<dyn Write + Send>,
    buffer: Vec<u8>,
    /// A person is watching: show everything at once.
    live: bool,
    /// The partial file and the name that it gets in the end.
    rename: Option<(PathBuf, PathBuf)>,
}

impl Destination {
    /// Standard output.
    pub fn stdout() -> Destination {
        let live = io::stdout().is_terminal();
        let writer = Box::new(io::stdout());
        Destination {
            writer,
            buffer: Vec::with_capacity(BUFFER),
            live,
            rename: None,
        }
    }

    /// A file that appears under its name when [`Destination::finish`] is called. What is there
    /// and is not a plain file, like `/dev/null` or a pipe, is written to as it is.
    pub fn file(path: &Path) -> io::Result<Destination> {
        // Behind a link, the file that it leads to is the one to replace.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let old = fs::metadata(&path).ok();
        if old.as_ref().is_some_and(|old| old.is_dir()) {
            return Err(io::Error::from(io::ErrorKind::IsADirectory));
        }
        let in_place = old.as_ref().is_some_and(|old| !old.is_file());
        let partial = if in_place {
            path.clone()
        } else {
            partial_name(&path)
        };
        let file = File::create(&partial)?;
        if let Some(old) = old.filter(|_| !in_place) {
            file.set_permissions(old.permissions())?;
        }
        Ok(Destination {
            writer: Box::new(file),
            buffer: Vec::with_capacity(BUFFER),
            live: false,
            rename: (!in_place).then_some((partial, path)),
        })
    }

    /// Takes whole rows.
    pub fn write(&mut self, rows: &[u8]) -> io::Result<()> {
        self.buffer.extend_from_slice(rows);
        if self.live || self.buffer.len() >= BUFFER {
            self.flush()
        } else {
            Ok(())
        }
    }

    /// Hands everything on that was taken so far.
    pub fn flush(&mut self) -> io::Result<()> {
        self.writer.write_all(&self.buffer)?;
        self.buffer.clear();
        self.writer.flush()
    }

    /// Writes what is left and gives a file its name.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        drop(self.writer);
        match self.rename {
            Some((partial, path)) => fs::rename(partial, path),
            None => Ok(()),
        }
    }

    /// Writes what is left, but leaves a file under its partial name, which is returned.
    pub fn abandon(mut self) -> io::Result<Option<PathBuf>> {
        self.flush()?;
        Ok(self.rename.map(|(partial, _)| partial))
    }
}

fn partial_name(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".partial");
    PathBuf::from(name)
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
}
