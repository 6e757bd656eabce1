//! Patterns such as `games/*.sgf`, for shells that hand them on as they were typed.

use std::io;
use std::path::PathBuf;

/// The files and folders that a pattern names, each with the error that it met.
pub(super) type Paths = Box<dyn Iterator<Item = Result<PathBuf, (PathBuf, io::Error)>> + Send>;

/// What a pattern names; the error says what is wrong with the pattern.
#[cfg(feature = "cli")]
pub(super) fn expand(pattern: &str) -> Result<Paths, String> {
    let paths = glob::glob(pattern).map_err(|error| error.msg.to_string())?;
    Ok(Box::new(paths.map(|path| {
        path.map_err(|error| (error.path().to_path_buf(), error.into()))
    })))
}

/// Patterns are typed: without the feature `cli` there are none.
#[cfg(not(feature = "cli"))]
pub(super) fn expand(_pattern: &str) -> Result<Paths, String> {
    Err("this build of kifu lacks the feature `cli`".to_string())
}
