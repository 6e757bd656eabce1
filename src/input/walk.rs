//! A folder's names in order, a page at a time.
//!
//! Operating systems list a folder in no order at all, so a listing has to be sorted, and a
//! folder of ten million files would fill the memory with names. Therefore a [`Listing`] keeps
//! only the first few hundred thousand names that come after the last one it gave out, and reads
//! the folder again when they are used up.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::vec;

/// What the names of one page may take in memory, more or less.
const PAGE: usize = 12 << 20;

/// The cost of a name beyond its bytes: the string itself and the allocation behind it.
const NAME_OVERHEAD: usize = 48;

/// What a name in a folder stands for, as far as the listing knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum EntryKind {
    File,
    Folder,
    Link,
}

/// The names in a folder that a caller is interested in, sorted by their bytes.
pub(super) struct Listing {
    folder: PathBuf,
    page: vec::IntoIter<(OsString, EntryKind)>,
    last: Option<OsString>,
    /// Whether names were left out of this page.
    more: bool,
    page_size: usize,
}

impl Listing {
    /// Lists a folder. Names for which `wanted` says no are left out, as are hidden ones.
    pub(super) fn open(
        folder: PathBuf,
        wanted: impl Fn(&OsStr, EntryKind) -> bool,
    ) -> io::Result<Listing> {
        Listing::open_in_pages(folder, PAGE, wanted)
    }

    fn open_in_pages(
        folder: PathBuf,
        page_size: usize,
        wanted: impl Fn(&OsStr, EntryKind) -> bool,
    ) -> io::Result<Listing> {
        let page = Vec::new().into_iter();
        let mut listing = Listing {
            folder,
            page,
            last: None,
            more: true,
            page_size,
        };
        listing.turn_page(wanted)?;
        Ok(listing)
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The next name and the path that it stands for.
    pub(super) fn next(
        &mut self,
        wanted: impl Fn(&OsStr, EntryKind) -> bool,
    ) -> io::Result<Option<(PathBuf, EntryKind)>> {
        if self.page.as_slice().is_empty() && self.more {
            self.turn_page(wanted)?;
        }
        Ok(self.page.next().map(|(name, kind)| {
            let path = self.folder.join(&name);
            self.last = Some(name);
            (path, kind)
        }))
    }

    fn turn_page(&mut self, wanted: impl Fn(&OsStr, EntryKind) -> bool) -> io::Result<()> {
        let mut names: Vec<(OsString, EntryKind)> = Vec::new();
        let mut size = 0;
        // Nothing from here on fits on this page.
        let mut cut: Option<OsString> = None;
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            let name = entry.file_name();
            let is_past = self.last.as_ref().is_some_and(|last| name <= *last);
            let is_cut = cut.as_ref().is_some_and(|cut| name >= *cut);
            if is_past || is_cut || name.as_encoded_bytes().starts_with(b".") {
                continue;
            }
            let kind = match entry.file_type()? {
                kind if kind.is_dir() => EntryKind::Folder,
                kind if kind.is_symlink() => EntryKind::Link,
                kind if kind.is_file() => EntryKind::File,
                // Pipes, sockets and devices hold no records.
                _ => continue,
            };
            if !wanted(&name, kind) {
                continue;
            }
            size += name.len() + NAME_OVERHEAD;
            names.push((name, kind));
            if size > 2 * self.page_size {
                names.sort_unstable();
                while size > self.page_size && names.len() > 1 {
                    let (name, _) = names.pop().expect("there is more than one");
                    size -= name.len() + NAME_OVERHEAD;
                    cut = Some(name);
                }
            }
        }
        names.sort_unstable();
        self.more = cut.is_some();
        self.page = names.into_iter();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(listing: &mut Listing) -> Vec<String> {
        std::iter::from_fn(|| listing.next(|_, _| true).unwrap())
            .map(|(path, _)| path.file_name().unwrap().to_str().unwrap().to_string())
            .collect()
    }

    #[test]
    fn a_small_page_gives_the_same_names_as_a_large_one() {
        let folder = tempfile::tempdir().unwrap();
        for number in (0..100).rev() {
            fs::write(folder.path().join(format!("game{number:02}.sgf")), "").unwrap();
        }
        fs::write(folder.path().join(".hidden.sgf"), "").unwrap();
        let expected: Vec<String> = (0..100)
            .map(|number| format!("game{number:02}.sgf"))
            .collect();
        for page_size in [1, 60, 500, 1 << 20] {
            let path = folder.path().to_path_buf();
            let mut listing = Listing::open_in_pages(path, page_size, |_, _| true).unwrap();
            assert_eq!(
                names(&mut listing),
                expected,
                "with pages of {page_size} bytes"
            );
        }
    }
}
