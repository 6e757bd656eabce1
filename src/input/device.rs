//! What has a name like a file and is none.
//!
//! `/dev/zero` has neither an end nor a record in it. Pipes may well hold records, as the shell's
//! `<(…)` does, and so may a terminal that somebody types at.

use std::path::Path;

/// Whether a path, or `-` for standard input, leads to a device other than a terminal.
#[cfg(unix)]
pub(super) fn is_device(path: &Path) -> bool {
    use std::fs::File;
    use std::io::{self, IsTerminal};
    use std::os::fd::AsFd;
    use std::os::unix::fs::FileTypeExt;

    let is_device = |data: std::fs::Metadata| {
        let kind = data.file_type();
        kind.is_char_device() || kind.is_block_device()
    };
    if path == Path::new("-") {
        let stdin = io::stdin();
        let data = stdin.as_fd().try_clone_to_owned();
        let data = data.and_then(|stdin| File::from(stdin).metadata());
        return data.is_ok_and(is_device) && !stdin.is_terminal();
    }
    path.metadata().is_ok_and(is_device) && !File::open(path).is_ok_and(|file| file.is_terminal())
}

/// Elsewhere devices have names that no file has.
#[cfg(not(unix))]
pub(super) fn is_device(_path: &Path) -> bool {
    false
}
