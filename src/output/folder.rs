//! A folder of output files, one or more for each record, in the same tree as the records.
//!
//! Names come from outside, some of them from archives: `..`, drive letters and roots are
//! dropped, so that no file is ever written outside the folder. When several inputs were named
//! their paths are kept as they were given; of a single input only what lies inside it is kept,
//! so that `games/2015/a.sgf` of `games/` becomes `2015/a.svg`.
//!
//! Files are written as `NAME.partial` first, by any thread, and get their own name when their
//! record's turn comes. So whoever finds a file finds all of it, and when two records ask for the
//! same name, the same one of them gets it in every run, and the other a number behind it. Two
//! names are the same if the disk says so, which may not tell `A.sgf` from `a.sgf`; and a name
//! can't be that of a file and of a folder.
//!
//! Where the output may bear the names of the input, [`OutputFolder::keep_off`] sees to it that no
//! input is written over, by whatever path the folder is reached.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::destination::create_partial;
use crate::input::{Extensions, Inputs, is_archive};

/// The longest name of a file or folder that file systems take, less room for an ending.
const LONGEST_NAME: usize = 200;

/// A folder that files are written into.
pub(crate) struct OutputFolder {
    root: PathBuf,
    /// What the names of all records start with and the tree leaves out.
    prefix: Option<String>,
    unfinished: AtomicU64,
    rules: Arc<Rules>,
}

/// What holds for every file of a folder.
struct Rules {
    root: PathBuf,
    /// Whether a file that was there before the run may be replaced.
    replaces: bool,
    /// The folders that inputs lie in.
    inputs: HashSet<FolderId>,
}

/// A file that is written but has not got its name yet. It is removed if it never gets one.
pub(crate) struct Unnamed {
    written: PathBuf,
    wanted: PathBuf,
    rules: Arc<Rules>,
}

/// Which folder it is, by whatever path one comes to it: a disk may be mounted twice.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg(unix)]
struct FolderId(u64, u64);

#[cfg(unix)]
impl FolderId {
    fn of(folder: &Path) -> io::Result<FolderId> {
        use std::os::unix::fs::MetadataExt;
        let data = folder.metadata()?;
        Ok(FolderId(data.dev(), data.ino()))
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg(not(unix))]
struct FolderId(PathBuf);

#[cfg(not(unix))]
impl FolderId {
    fn of(folder: &Path) -> io::Result<FolderId> {
        folder.canonicalize().map(FolderId)
    }
}

/// The files of this process that have no name yet; `None` once the process is about to end.
static UNNAMED: Mutex<Option<BTreeSet<PathBuf>>> = Mutex::new(Some(BTreeSet::new()));

fn unnamed() -> MutexGuard<'static, Option<BTreeSet<PathBuf>>> {
    UNNAMED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes every file that has no name yet, for when the process ends before its threads do. No
/// more are begun from then on.
pub(crate) fn remove_unnamed() {
    for path in unnamed().take().into_iter().flatten() {
        // If it can't be removed, its name says what it is.
        let _ = fs::remove_file(path);
    }
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
            rules: Arc::new(Rules {
                root: root.to_path_buf(),
                replaces: true,
                inputs: HashSet::new(),
            }),
        })
    }

    /// Makes sure that no file of this folder is one of the inputs; the error names one that is.
    /// When the folder lies inside one that is searched for records, it is ignored there.
    pub(crate) fn keep_off(&mut self, inputs: &mut Inputs) -> io::Result<Result<(), PathBuf>> {
        inputs.excluded_dir = Some(self.root.clone());
        let root = FolderId::of(&self.root)?;
        let mut folders = HashSet::new();
        let mut last: Option<PathBuf> = None;
        for input in inputs.on_disk() {
            let Ok(path) = input.canonicalize() else {
                continue;
            };
            let folder = path.parent().map(Path::to_path_buf);
            if folder == last {
                continue;
            }
            let around = path.ancestors().skip(1).map(FolderId::of);
            let mut around = around.filter_map(Result::ok);
            let own = around.next();
            if own.iter().cloned().chain(around).any(|id| id == root) {
                return Ok(Err(input));
            }
            folders.extend(own);
            last = folder;
        }
        self.rules = Arc::new(Rules {
            root: self.root.clone(),
            // What a list in a pipe will name nobody knows yet: any file may be in it.
            replaces: inputs.files_from.as_deref().is_none_or(Path::is_file),
            inputs: folders,
        });
        Ok(Ok(()))
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
        let number = self.unfinished.fetch_add(1, Ordering::Relaxed);
        // In the root, because what folders there will be is not known yet.
        let in_root = self.root.join(wanted.file_name().unwrap_or_default());
        let (mut file, written) = {
            let mut unnamed = unnamed();
            let unnamed = unnamed
                .as_mut()
                .ok_or_else(|| io::Error::from(io::ErrorKind::Interrupted))?;
            let (file, written) = create_partial(&in_root, number.saturating_add(2))?;
            unnamed.insert(written.clone());
            (file, written)
        };
        // From here on it is removed if anything fails.
        let unnamed = Unnamed {
            written,
            wanted,
            rules: Arc::clone(&self.rules),
        };
        file.write_all(bytes)?;
        Ok(unnamed)
    }
}

/// The names that have been given in this run.
#[derive(Default)]
pub(crate) struct GivenNames {
    /// How often each was asked for.
    times: HashMap<PathBuf, u32>,
    /// All of them that are the same but for their case.
    spellings: HashMap<String, Vec<PathBuf>>,
    /// Where the files of a folder go that could not be made under its own name.
    folders: HashMap<PathBuf, PathBuf>,
}

impl GivenNames {
    /// Gives a file the name that it wants; with a number if another file of this run has it.
    pub(crate) fn give(&mut self, mut file: Unnamed) -> io::Result<()> {
        let name = file.wanted.file_name().unwrap_or_default();
        let wanted = match file.wanted.parent() {
            Some(folder) => self.make_folder(folder, &file.rules)?.join(name),
            None => file.wanted.clone(),
        };
        let stem = wanted.file_stem().unwrap_or_default().to_string_lossy();
        let extension = wanted.extension().unwrap_or_default().to_string_lossy();
        let mut path = wanted.clone();
        while self.is_given(&path) || path.is_dir() {
            let times = self.times.entry(wanted.clone()).or_insert(1);
            *times += 1;
            path = wanted.with_file_name(format!("{stem} ({times}).{extension}"));
        }
        if !file.rules.replaces && path.exists() {
            let message = "it is there already, and may be one of the inputs";
            return Err(io::Error::other(message));
        }
        fs::rename(&file.written, &path)?;
        file.is_named();
        self.times.insert(path.clone(), 1);
        self.spellings.entry(folded(&path)).or_default().push(path);
        Ok(())
    }

    /// Whether a file of this run has the name, as the disk sees it.
    fn is_given(&self, path: &Path) -> bool {
        let spellings = self.spellings.get(&folded(path));
        spellings
            .into_iter()
            .flatten()
            .any(|given| given == path || same_file::is_same_file(given, path).unwrap_or(false))
    }

    /// Makes a folder inside the root; under another name where a file has its own.
    fn make_folder(&mut self, wanted: &Path, rules: &Rules) -> io::Result<PathBuf> {
        if let Some(made) = self.folders.get(wanted) {
            return Ok(made.clone());
        }
        let mut folder = rules.root.clone();
        let inside = wanted.strip_prefix(&rules.root).unwrap_or(Path::new(""));
        for part in inside.components() {
            let Component::Normal(part) = part else {
                continue;
            };
            let own = folder.join(part);
            let mut number = 1;
            folder = own.clone();
            while folder.exists() && !folder.is_dir() {
                number += 1;
                let name = format!("{} ({number})", part.to_string_lossy());
                folder = own.with_file_name(name);
            }
            if let Err(error) = fs::create_dir(&folder)
                && !folder.is_dir()
            {
                return Err(error);
            }
        }
        // A link that somebody put into the folder may lead anywhere.
        if !folder
            .canonicalize()?
            .starts_with(rules.root.canonicalize()?)
        {
            return Err(io::Error::other("a link leads out of the output folder"));
        }
        if rules.inputs.contains(&FolderId::of(&folder)?) {
            return Err(io::Error::other("the folder holds inputs"));
        }
        self.folders.insert(wanted.to_path_buf(), folder.clone());
        Ok(folder)
    }
}

/// A path as a disk may see it that does not tell capitals from small letters.
fn folded(path: &Path) -> String {
    path.to_string_lossy().to_lowercase()
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

impl Unnamed {
    /// Nothing is left to be removed.
    fn is_named(&mut self) {
        let written = std::mem::take(&mut self.written);
        if let Some(unnamed) = unnamed().as_mut() {
            unnamed.remove(&written);
        }
    }
}

impl Drop for Unnamed {
    fn drop(&mut self) {
        if !self.written.as_os_str().is_empty() {
            // If it can't be removed, its name says what it is.
            let _ = fs::remove_file(&self.written);
            self.is_named();
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
    fn a_name_is_that_of_a_file_or_of_a_folder_in_the_same_way_in_every_run() {
        let trees = |records: &[&str]| {
            let (directory, folder) = folder(&["b.zip"]);
            let mut names = GivenNames::default();
            let mut trees = Vec::new();
            // The second run finds what the first one left.
            for _ in 0..2 {
                // Written in another order than named, as threads may.
                let mut files: Vec<Unnamed> = records
                    .iter()
                    .rev()
                    .map(|record| {
                        let wanted = folder.path(record, None, "sgf");
                        folder.write(wanted, record.as_bytes()).unwrap()
                    })
                    .collect();
                while let Some(file) = files.pop() {
                    names.give(file).unwrap();
                }
                names = GivenNames::default();
                trees.push(tree(directory.path()));
            }
            assert_eq!(trees[0], trees[1]);
            trees.remove(0)
        };
        assert_eq!(
            trees(&["b.zip/x.sgf", "b.zip/x.sgf/b.sgf", "b.zip/x.sgf/c.sgf"]),
            ["x.sgf", "x.sgf (2)/b.sgf", "x.sgf (2)/c.sgf"]
        );
        assert_eq!(
            trees(&["b.zip/x.sgf/b.sgf", "b.zip/x.sgf", "b.zip/x.sgf/c.sgf"]),
            ["x (2).sgf", "x.sgf/b.sgf", "x.sgf/c.sgf"]
        );
    }

    /// The files below a folder.
    fn tree(folder: &Path) -> Vec<String> {
        let mut found = Vec::new();
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_string();
            match path.is_dir() {
                true => found.extend(tree(&path).into_iter().map(|file| format!("{name}/{file}"))),
                false => found.push(name),
            }
        }
        found.sort();
        found
    }

    #[test]
    fn names_that_the_disk_takes_for_one_are_numbered() {
        let (directory, folder) = folder(&["b.zip"]);
        let mut names = GivenNames::default();
        let mut give = |record: &str| {
            let wanted = folder.path(record, None, "svg");
            let file = folder.write(wanted, record.as_bytes()).unwrap();
            names.give(file).unwrap();
        };
        give("b.zip/Game.sgf");
        // What such a disk would say: both names lead to one file.
        let path = |name: &str| directory.path().join(name);
        if !path("GAME.svg").exists() {
            fs::hard_link(path("Game.svg"), path("GAME.svg")).unwrap();
        }
        give("b.zip/GAME.sgf");
        assert_eq!(fs::read(path("Game.svg")).unwrap(), b"b.zip/Game.sgf");
        assert_eq!(fs::read(path("GAME (2).svg")).unwrap(), b"b.zip/GAME.sgf");
        // Where the disk tells them apart, both keep their names.
        if !path("game.svg").exists() {
            give("b.zip/game.sgf");
            assert_eq!(fs::read(path("game.svg")).unwrap(), b"b.zip/game.sgf");
        }
    }

    #[test]
    fn no_folder_that_holds_an_input_is_written_to() {
        let directory = tempfile::tempdir().unwrap();
        let (games, output) = (directory.path().join("games"), directory.path().join("out"));
        fs::create_dir_all(&games).unwrap();
        fs::write(games.join("a.sgf"), "(;)").unwrap();
        let mut inputs = Inputs {
            named: vec![games.clone().into()],
            ..Inputs::default()
        };
        let mut folder = OutputFolder::create(&output, &inputs).unwrap();
        folder.keep_off(&mut inputs).unwrap().unwrap();
        // As if the games were mounted there a second time.
        fs::rename(&games, output.join("sub")).unwrap();
        let wanted = output.join("sub").join("a.sgf");
        let file = folder.write(wanted, b"annotated").unwrap();
        #[cfg(unix)]
        {
            assert!(GivenNames::default().give(file).is_err());
            assert_eq!(fs::read(output.join("sub/a.sgf")).unwrap(), b"(;)");
        }
    }

    #[test]
    fn a_file_that_gets_no_name_is_removed() {
        let (directory, folder) = folder(&["b.zip"]);
        let wanted = folder.path("b.zip/a.sgf", None, "svg");
        drop(folder.write(wanted, b"unfinished").unwrap());
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
    }
}
