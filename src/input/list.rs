//! Names from a list: `--files-from`.
//!
//! `find` ends each name with a newline, `find -print0` with a NUL, which is the only byte that
//! can't be part of a name. So a list with a NUL near its start is one of the second kind. The
//! list is read as it is needed, and can be as long as it likes. Only a device is no list:
//! `/dev/zero` has neither an end nor a name in it.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use super::{Limits, device};

/// Longer than any path, so that the end of the first name lies within it.
const LOOK_AHEAD: u64 = 1 << 13;

pub(super) struct NameList {
    lines: BufReader<Box<dyn Read + Send>>,
    separator: u8,
}

impl NameList {
    /// Opens a list; `-` is standard input.
    pub(super) fn open(path: &Path) -> io::Result<NameList> {
        let mut source: Box<dyn Read + Send> = if path == Path::new("-") {
            Box::new(io::stdin())
        } else {
            Box::new(File::open(path)?)
        };
        let mut start = Vec::new();
        source.by_ref().take(LOOK_AHEAD).read_to_end(&mut start)?;
        // There is nothing wrong with /dev/null.
        if !start.is_empty() && device::is_device(path) {
            return Err(io::Error::other("it is a device, which has no end"));
        }
        let separator = if start.contains(&0) { 0 } else { b'\n' };
        let lines = BufReader::new(Box::new(io::Cursor::new(start).chain(source)) as Box<_>);
        Ok(NameList { lines, separator })
    }

    /// The next name; empty lines are ignored.
    pub(super) fn next(&mut self) -> io::Result<Option<OsString>> {
        loop {
            let mut name = Vec::new();
            let mut line = self.lines.by_ref().take(Limits::LONGEST_LISTED);
            if line.read_until(self.separator, &mut name)? == 0 {
                return Ok(None);
            }
            if name.len() as u64 == Limits::LONGEST_LISTED && name.last() != Some(&self.separator) {
                return Err(io::Error::other("a name in it is longer than any path"));
            }
            if name.last() == Some(&self.separator) {
                name.pop();
            }
            // Lists written on Windows end their lines with two characters.
            if self.separator == b'\n' && name.last() == Some(&b'\r') {
                name.pop();
            }
            if !name.is_empty() {
                return Ok(Some(os_string(name)));
            }
        }
    }
}

#[cfg(unix)]
fn os_string(bytes: Vec<u8>) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes)
}

#[cfg(not(unix))]
fn os_string(bytes: Vec<u8>) -> OsString {
    String::from_utf8_lossy(&bytes).into_owned().into()
}
