//! A folder of output files, one or more for each record, in the same tree as the records.
//!
//! Names come from outside, some of them from archives: `..`, drive letters and roots are
//! dropped, so that no file is ever written outside the folder. When several inputs were named
//! their paths are kept as they were given; of a single input only what lies inside it is kept,
//! so that `games/2015/a.sgf` of `games/` becomes `2015/a.svg`.
//!
//! Files are written under another name first, by any thread, and get their own when their
//! record's turn comes. So whoever finds a file finds all of it, and when two records ask for the
//! same name, the same one of them gets it in every run, and the other a number behind it.
//!
//! Where the output may bear the names of the input, [`OutputFolder::keep_off`] sees to it that no
//! input is written over.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::input::{Extensions, Inputs, is_archive};

/// The longest name of a file or folder that file systems take, less room for an ending.
const LONGEST_NAME: usize = 200;

/// A folder that files are written into.
pub(crate) struct OutputFolder {
    root: PathBuf,
    /// What the names of all records start with and the tree leaves out.
    prefix: Option<String>,
    unfinished: AtomicU64,
    /// Whether a file that was there before the run may be replaced.
    replaces: bool,
}

/// A file that is written but has not got its name yet. It is removed if it never gets one.
pub(crate) struct Unnamed {
    written: PathBuf,
    wanted: PathBuf,
    replaces: bool,
}

impl OutputFolder {
    /// Makes the folder if it is not there.
    pub(crate) fn create(root: &Path, inputs: &Inputs) -> io::Result<OutputFolder> {
        fs::create_dir_all(root)?;
        let prefix = match (inputs.named.as_slice(), &inputs.files_from) {
            ([only], None) => {
                let path = Path::new(only);
                // Of a file that was named outright, its own name is kept. Standard input may be
                // an archive, and has no name of its own.
                let is_stdin = path == Path::new("-");
                let inside = if is_stdin || path.is_dir() || is_archive(path) {
                    Some(path)
                } else {
                    path.parent()
                };
                inside.map(|path| path.to_string_lossy().into_owned())
            }
            _ => None,
        };
        Ok(OutputFolder {
            root: root.to_path_buf(),
            prefix,
            unfinished: AtomicU64::new(0),
            replaces: true,
        })
    }

    /// Makes sure that no file of this folder is one of the inputs; the error names one that is.
    /// When the folder lies inside one that is searched for records, it is ignored there.
    pub(crate) fn keep_off(&mut self, inputs: &mut Inputs) -> io::Result<Result<(), PathBuf>> {
        inputs.excluded_dir = Some(self.root.clone());
        // What a list on standard input will name nobody knows yet: any file may be in it.
        self.replaces = inputs.files_from.as_deref() != Some(Path::new("-"));
        Ok(inputs.any_inside(&self.root)?.map_or(Ok(()), Err))
    }

    /// Where the output for a record goes: its name without `.sgf`, the number of the game if the
    /// file has several, and the extension.
    pub(crate) fn path(&self, record: &str, game: Option<u32>, extension: &str) -> PathBuf {
        let inside = self
            .prefix
            .as_deref()
            .and_then(|prefix| record.strip_prefix(prefix))
            .filter(|rest| !rest.is_empty())
            .unwrap_or(record);
        let mut parts: Vec<String> = inside
            .split(['/', '\\'])
            .filter(|part| !matches!(*part, "" | "." | ".."))
            .filter(|part| !is_drive(part))
            .map(safe_name)
            .collect();
        let name = parts.pop().unwrap_or_else(|| "stdin".to_string());
        let name = match name.as_str() {
            "-" => "stdin",
            name => without_ending(name),
        };
        let game = game.map_or(String::new(), |number| format!("-{number}"));
        let mut path = self.root.clone();
        path.extend(parts);
        path.push(format!("{name}{game}.{extension}"));
        path
    }

    /// Writes a file that is to get the name `wanted`, as [`OutputFolder::path`] gave it.
    pub(crate) fn write(&self, wanted: PathBuf, bytes: &[u8]) -> io::Result<Unnamed> {
        if let Some(folder) = wanted.parent() {
            fs::create_dir_all(folder)?;
            // A link that somebody put into the folder may lead anywhere.
            if !folder
                .canonicalize()?
                .starts_with(self.root.canonicalize()?)
            {
                return Err(io::Error::other("a link leads out of the output folder"));
            }
        }
        let number = self.unfinished.fetch_add(1, Ordering::Relaxed);
        let unnamed = Unnamed {
            written: self
                .root
                .join(format!(".{}-{number}.partial", std::process::id())),
            wanted,
            replaces: self.replaces,
        };
        fs::write(&unnamed.written, bytes)?;
        Ok(unnamed)
    }
}

/// The names that have been given in this run, and how often each was asked for.
#[derive(Default)]
pub(crate) struct GivenNames(HashMap<PathBuf, u32>);

impl GivenNames {
    /// Gives a file the name that it wants; with a number if another file of this run has it.
    pub(crate) fn give(&mut self, mut file: Unnamed) -> io::Result<()> {
        let wanted = &file.wanted;
        let mut path = wanted.clone();
        while self.0.contains_key(&path) {
            let times = self.0.entry(wanted.clone()).or_insert(1);
            *times += 1;
            let stem = wanted.file_stem().unwrap_or_default().to_string_lossy();
            let extension = wanted.extension().unwrap_or_default().to_string_lossy();
            path = wanted.with_file_name(format!("{stem} ({times}).{extension}"));
        }
        if !file.replaces && path.exists() {
            let message = "it is there already, and may be one of the inputs";
            return Err(io::Error::other(message));
        }
        fs::rename(&file.written, &path)?;
        file.written = PathBuf::new();
        self.0.insert(path, 1);
        Ok(())
    }
}

impl Unnamed {
    /// Writes more to its end.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut file = fs::OpenOptions::new().append(true).open(&self.written)?;
        file.write_all(bytes)
    }

    /// The name that the file is to get.
    pub(crate) fn wanted(&self) -> &Path {
        &self.wanted
    }
}

impl Drop for Unnamed {
    fn drop(&mut self) {
        if !self.written.as_os_str().is_empty() {
            // If it can't be removed, its name says what it is.
            let _ = fs::remove_file(&self.written);
        }
    }
}

/// The name of a record without its ending, in whichever case it is written.
fn without_ending(name: &str) -> &str {
    Extensions::DEFAULT
        .iter()
        .find_map(|ending| {
            let at = name.len().checked_sub(ending.len() + 1)?;
            let (stem, found) = name.split_at_checked(at)?;
            let found = found.strip_prefix('.')?;
            found.eq_ignore_ascii_case(ending).then_some(stem)
        })
        .unwrap_or(name)
}

fn is_drive(part: &str) -> bool {
    part.len() == 2 && part.ends_with(':')
}

/// A name that file systems take: no control characters, not too long.
fn safe_name(part: &str) -> String {
    let mut name: String = part
        .chars()
        .map(|letter| if letter.is_control() { '_' } else { letter })
        .collect();
    if name.len() > LONGEST_NAME {
        let end = (0..=LONGEST_NAME)
            .rev()
            .find(|&end| name.is_char_boundary(end))
            .unwrap_or(0);
        name.truncate(end);
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(inputs: &[&str]) -> (tempfile::TempDir, OutputFolder) {
        let directory = tempfile::tempdir().unwrap();
        let inputs = Inputs {
            named: inputs.iter().map(Into::into).collect(),
            ..Inputs::default()
        };
        let folder = OutputFolder::create(directory.path(), &inputs).unwrap();
        (directory, folder)
    }

    fn path_in(inputs: &[&str], record: &str) -> String {
        let (directory, folder) = folder(inputs);
        let path = folder.path(record, None, "svg");
        let inside = path.strip_prefix(directory.path()).unwrap();
        inside.to_string_lossy().replace('\\', "/")
    }

    #[test]
    fn the_tree_of_the_records_is_kept() {
        assert_eq!(path_in(&["src"], "src/2015/a.sgf"), "2015/a.svg");
        assert_eq!(path_in(&["src/"], "src/2015/a.sgf"), "2015/a.svg");
        assert_eq!(path_in(&["x/y/a.sgf"], "x/y/a.sgf"), "a.svg");
        for archive in [
            "b.zip",
            "B.ZIP",
            "b.tar",
            "b.tgz",
            "b.tar.bz2",
            "b.tbz",
            "b.tzst",
        ] {
            let record = format!("{archive}/in/a.sgf");
            assert_eq!(path_in(&[archive], &record), "in/a.svg");
        }
        assert_eq!(path_in(&["src", "b.zip"], "src/a.sgf"), "src/a.svg");
        assert_eq!(path_in(&["a.sgf.gz"], "a.sgf.gz"), "a.sgf.gz.svg");
        assert_eq!(path_in(&["OLD.SGF"], "OLD.SGF"), "OLD.svg");
        assert_eq!(path_in(&["all.sgfs"], "all.sgfs"), "all.svg");
        assert_eq!(path_in(&["-"], "-"), "stdin.svg");
    }

    #[test]
    fn no_input_lies_in_a_folder_that_keeps_off() {
        let directory = tempfile::tempdir().unwrap();
        let games = directory.path().join("games");
        fs::create_dir_all(games.join("scored")).unwrap();
        fs::write(games.join("a.sgf"), "(;)").unwrap();
        fs::write(games.join("scored/old.sgf"), "(;)").unwrap();
        let keeps_off = |input: &Path, output: &Path| {
            let mut inputs = Inputs {
                named: vec![input.into()],
                ..Inputs::default()
            };
            let mut folder = OutputFolder::create(output, &inputs).unwrap();
            folder.keep_off(&mut inputs).unwrap()
        };
        assert_eq!(keeps_off(&games, &directory.path().join("scored")), Ok(()));
        // The folder for the output is no input, although it lies in one.
        assert_eq!(keeps_off(&games, &games.join("scored")), Ok(()));
        assert_eq!(keeps_off(&games, &games), Err(games.join("a.sgf")));
        assert!(keeps_off(&games.join("a.sgf"), &games).is_err());
        assert!(keeps_off(&games, directory.path()).is_err());
        assert!(keeps_off(&games.join("*.sgf"), &games).is_err());
    }

    #[test]
    fn no_name_leads_out_of_the_folder() {
        for evil in [
            "b.zip/../../etc/passwd",
            "/../../etc/passwd",
            "C:\\..\\etc\\passwd",
            "b.zip/./..//etc/./passwd",
        ] {
            assert!(path_in(&["x", "y"], evil).ends_with("etc/passwd.svg"));
            assert!(!path_in(&["x", "y"], evil).contains(".."));
        }
        assert_eq!(path_in(&["b.zip"], "b.zip/.."), "stdin.svg");
        assert_eq!(path_in(&["b.zip"], "b.zip/a\nb\0.sgf"), "a_b_.svg");
        assert!(path_in(&["b.zip"], &"ü".repeat(5000)).len() < 255);
    }

    #[test]
    fn files_of_the_same_name_are_numbered_in_order() {
        let (directory, folder) = folder(&["b.zip"]);
        let mut names = GivenNames::default();
        for text in ["first", "second", "third"] {
            let wanted = folder.path("b.zip/in/a.sgf", Some(2), "svg");
            let file = folder.write(wanted, text.as_bytes()).unwrap();
            names.give(file).unwrap();
        }
        let read = |name: &str| fs::read_to_string(directory.path().join("in").join(name));
        assert_eq!(read("a-2.svg").unwrap(), "first");
        assert_eq!(read("a-2 (2).svg").unwrap(), "second");
        assert_eq!(read("a-2 (3).svg").unwrap(), "third");
    }

    #[test]
    fn a_file_that_gets_no_name_is_removed() {
        let (directory, folder) = folder(&["b.zip"]);
        let wanted = folder.path("b.zip/a.sgf", None, "svg");
        drop(folder.write(wanted, b"unfinished").unwrap());
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
    }
}
