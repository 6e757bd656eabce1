//! Everything that the inputs lead to, one after the other.
//!
//! A stack holds the folders and archives that the stream is inside of; no folder is deep enough
//! to overflow anything. Links are followed. A link to a folder around the one that it
//! stands in, or to one that another link led to before, is ignored with a note: that ends
//! loops, and keeps a handful of links that point at each other from standing for a billion paths.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::vec;

use super::archive::{self, Members, Meter, Metered, Packing, Refusal};
use super::list::NameList;
use super::walk::{EntryKind, Listing};
use super::{
    Content, Entry, Extensions, Inputs, Limits, device, name, packing_of, pattern, read_start,
    signature, unreadable,
};
use crate::finding::{Code, Finding};

/// An iterator over everything that was found, in a fixed order. See [`Inputs::open`].
pub struct Stream {
    inputs: Inputs,
    named: vec::IntoIter<OsString>,
    list: ListState,
    inside: Vec<Level>,
    /// Folders that a link has led to, by their real paths.
    linked: HashSet<PathBuf>,
    /// Whether archives are to be named only, not opened: enough to add up sizes.
    surveying: bool,
}

enum ListState {
    Unopened(PathBuf),
    Open(NameList),
    None,
}

/// Something that the stream is inside of.
enum Level {
    Folder(Listing),
    Archive(Box<Members>),
    Pattern(pattern::Paths),
    /// The bottom of one input: says so if it held nothing.
    Input {
        name: String,
        /// What it is: a folder, an archive, a pattern.
        kind: &'static str,
        found_any: bool,
    },
}

impl Stream {
    pub(super) fn new(inputs: Inputs) -> Stream {
        let list = inputs
            .files_from
            .clone()
            .map_or(ListState::None, ListState::Unopened);
        Stream {
            named: inputs.named.clone().into_iter(),
            inputs,
            list,
            inside: Vec::new(),
            linked: HashSet::new(),
            surveying: false,
        }
    }

    /// A stream that looks at no more than it must to know what is there.
    pub(super) fn surveying(inputs: Inputs) -> Stream {
        Stream {
            surveying: true,
            ..Stream::new(inputs)
        }
    }

    /// The limits that the files of this stream are to be read under.
    pub(crate) fn limits(&self) -> &Limits {
        &self.inputs.limits
    }

    /// The next name that the user gave, on the command line or in the list.
    fn next_input(&mut self) -> Option<Result<OsString, Entry>> {
        if let Some(input) = self.named.next() {
            return Some(Ok(input));
        }
        let list_problem = |path: &Path, error: io::Error| {
            let (name, _) = name::of_path(path);
            Entry::missing(name, unreadable(path, &error))
        };
        if let ListState::Unopened(path) = &self.list {
            match NameList::open(path) {
                Ok(list) => self.list = ListState::Open(list),
                Err(error) => {
                    let found = list_problem(path, error);
                    self.list = ListState::None;
                    return Some(Err(found));
                }
            }
        }
        let ListState::Open(list) = &mut self.list else {
            return None;
        };
        match list.next() {
            Ok(name) => name.map(Ok),
            Err(error) => {
                self.list = ListState::None;
                let path = self.inputs.files_from.as_deref().unwrap_or(Path::new("-"));
                Some(Err(list_problem(path, error)))
            }
        }
    }

    /// Starts on something that the user named: it is read whatever it is called.
    fn enter_input(&mut self, input: OsString) -> Option<Entry> {
        if input == "-" {
            return self.read_stdin();
        }
        let path = PathBuf::from(input);
        match path.metadata() {
            Ok(data) if data.is_dir() => {
                let (name, _) = name::of_path(&path);
                self.inside.push(Level::Input {
                    name,
                    kind: "folder",
                    found_any: false,
                });
                self.enter_folder(path)
            }
            Ok(_) if device::is_device(&path) => {
                let (name, _) = name::of_path(&path);
                let error = io::Error::other("it is a device");
                Some(Entry::missing(name, unreadable(&path, &error)))
            }
            Ok(_) => {
                let (name, _) = name::of_path(&path);
                let packing = packing_of(&path, &self.inputs.extensions);
                if packing.is_some_and(Packing::is_archive) {
                    self.inside.push(Level::Input {
                        name,
                        kind: "archive",
                        found_any: false,
                    });
                }
                self.enter_packed(path, packing)
            }
            // Shells that know no patterns hand them on as they were typed.
            Err(error) => match path.to_str().filter(|text| text.contains(['*', '?', '['])) {
                Some(pattern) => self.enter_pattern(pattern),
                None => {
                    let (name, _) = name::of_path(&path);
                    Some(Entry::missing(name, unreadable(&path, &error)))
                }
            },
        }
    }

    /// Standard input: a record, a compressed one, or a tar.
    fn read_stdin(&mut self) -> Option<Entry> {
        let name = "-".to_string();
        let entry = self.enter_stdin(&name);
        entry.unwrap_or_else(|error| {
            let finding = match error.raw_os_error() {
                Some(_) => unreadable(Path::new("-"), &error),
                None => archive::failure(&error),
            };
            Some(Entry::missing(name, finding))
        })
    }

    fn enter_stdin(&mut self, name: &str) -> io::Result<Option<Entry>> {
        let limits = self.inputs.limits.clone();
        let meter = Meter::default();
        let (start, stdin) = signature::peek(Metered(io::stdin(), meter.clone()))?;
        let content = match signature::packing_of_bytes(&start) {
            Some(Packing::Record(compression)) => {
                let (unpacked, meter) = archive::unpack(stdin, compression, &limits);
                let (start, unpacked) = signature::peek(unpacked)?;
                match signature::packing_inside(&start, compression) {
                    Some(Packing::Tar(_)) => return Ok(self.enter_tar(unpacked, meter, name)),
                    _ => read_start(unpacked, meter, &limits)?,
                }
            }
            Some(Packing::Tar(_)) => return Ok(self.enter_tar(stdin, meter, name)),
            Some(Packing::Zip) => {
                let message = "A zip can't be read from standard input, since the list of its \
                               files is at its end; save it to a file first.";
                return Err(Refusal(Code::UnsupportedArchive, message.to_string()).into());
            }
            None => read_start(stdin, meter.clone(), &limits)?,
        };
        Ok(Some(Entry {
            name: name.to_string(),
            findings: Vec::new(),
            content,
            consumed: meter.newly_consumed(),
        }))
    }

    /// Starts on a tar that is open already.
    fn enter_tar(
        &mut self,
        tar: impl io::Read + Send + 'static,
        meter: Meter,
        name: &str,
    ) -> Option<Entry> {
        let Inputs {
            extensions, limits, ..
        } = &self.inputs;
        let members = Members::in_tar(tar, meter, name.to_string(), extensions, limits);
        self.inside.push(Level::Input {
            name: name.to_string(),
            kind: "archive",
            found_any: false,
        });
        self.inside.push(Level::Archive(Box::new(members)));
        None
    }

    fn enter_pattern(&mut self, pattern: &str) -> Option<Entry> {
        match pattern::expand(pattern) {
            Ok(paths) => {
                self.inside.push(Level::Input {
                    name: pattern.to_string(),
                    kind: "pattern",
                    found_any: false,
                });
                self.inside.push(Level::Pattern(paths));
                None
            }
            Err(reason) => {
                let message = format!("The pattern can't be read: {reason}.");
                Some(Entry::missing(
                    pattern.to_string(),
                    Finding::new(Code::Unreadable, message),
                ))
            }
        }
    }

    fn enter_folder(&mut self, path: PathBuf) -> Option<Entry> {
        match Listing::open(path.clone(), wanted(&self.inputs.extensions)) {
            Ok(listing) => {
                self.inside.push(Level::Folder(listing));
                None
            }
            Err(error) => {
                let (name, _) = name::of_path(&path);
                Some(Entry::missing(name, unreadable(&path, &error)))
            }
        }
    }

    /// A file whose name makes it a record or an archive of records.
    fn enter_file(&mut self, path: PathBuf) -> Option<Entry> {
        // What is called a record is opened by the thread that reads it, and not before.
        let is_record = self.inputs.extensions.match_name(&file_name(&path));
        let packing = (!is_record).then(|| packing_of(&path, &self.inputs.extensions));
        self.enter_packed(path, packing.flatten())
    }

    /// A file that is a record, or packed.
    fn enter_packed(&mut self, path: PathBuf, packing: Option<Packing>) -> Option<Entry> {
        let (name, odd_name) = name::of_path(&path);
        let compression = match packing {
            None => None,
            Some(Packing::Record(compression)) => Some(compression),
            Some(_) if self.surveying => None,
            Some(archive) => {
                let Inputs {
                    extensions, limits, ..
                } = &self.inputs;
                return match Members::open(&path, name.clone(), archive, extensions, limits) {
                    Ok(members) => {
                        self.inside.push(Level::Archive(Box::new(members)));
                        // The members' names start with it, so it is reported once, for itself.
                        odd_name.map(|finding| Entry::missing(name, finding))
                    }
                    Err(finding) => Some(Entry::missing(name, finding)),
                };
            }
        };
        Some(Entry {
            name,
            findings: Vec::from_iter(odd_name),
            content: Content::OnDisk(path, compression),
            consumed: 0,
        })
    }

    /// A name in a folder, or one that a pattern matched.
    fn enter(&mut self, path: PathBuf, kind: EntryKind) -> Option<Entry> {
        match kind {
            EntryKind::File => self.enter_file(path),
            EntryKind::Folder if self.is_excluded(&path) => None,
            EntryKind::Folder => self.enter_folder(path),
            EntryKind::Link => match path.metadata() {
                Ok(data) if data.is_dir() && self.is_excluded(&path) => None,
                Ok(data) if data.is_dir() => self.enter_linked_folder(path),
                Ok(data) if data.is_file() => {
                    let is_wanted =
                        wanted(&self.inputs.extensions)(path.file_name()?, EntryKind::File);
                    if is_wanted {
                        self.enter_file(path)
                    } else {
                        None
                    }
                }
                Ok(_) => None,
                Err(error) => {
                    let (name, _) = name::of_path(&path);
                    Some(Entry::missing(name, unreadable(&path, &error)))
                }
            },
        }
    }

    fn is_excluded(&self, folder: &Path) -> bool {
        let Some(excluded_dir) = &self.inputs.excluded_dir else {
            return false;
        };
        match (folder.canonicalize(), excluded_dir.canonicalize()) {
            (Ok(folder), Ok(excluded_dir)) => folder == excluded_dir,
            _ => false,
        }
    }

    fn enter_linked_folder(&mut self, path: PathBuf) -> Option<Entry> {
        let (name, _) = name::of_path(&path);
        let real_path = match path.canonicalize() {
            Ok(real_path) => real_path,
            Err(error) => return Some(Entry::missing(name, unreadable(&path, &error))),
        };
        let is_around_us = self.inside.iter().any(|level| match level {
            Level::Folder(listing) => listing
                .folder()
                .canonicalize()
                .is_ok_and(|folder| folder.starts_with(&real_path)),
            _ => false,
        });
        if is_around_us || !self.linked.insert(real_path) {
            let message = "The link leads to a folder that is read already; it was not followed.";
            return Some(Entry::missing(
                name,
                Finding::new(Code::FolderLoop, message),
            ));
        }
        self.enter_folder(path)
    }

    /// One step: something found, or a level entered or left.
    fn step(&mut self) -> Advance {
        let Some(level) = self.inside.last_mut() else {
            return match self.next_input() {
                None => Advance::End,
                Some(Err(found)) => Advance::Entry(found),
                Some(Ok(input)) => self.enter_input(input).into(),
            };
        };
        match level {
            Level::Folder(listing) => match listing.next(wanted(&self.inputs.extensions)) {
                Ok(Some((path, kind))) => self.enter(path, kind).into(),
                Ok(None) => self.leave(),
                Err(error) => {
                    let folder = listing.folder();
                    let (name, _) = name::of_path(folder);
                    let found = Entry::missing(name, unreadable(folder, &error));
                    self.inside.pop();
                    Advance::Entry(found)
                }
            },
            // A decoder that meets bytes its author never thought of must not end the run.
            Level::Archive(members) => match catch_unwind(AssertUnwindSafe(|| members.next())) {
                Ok(Some(found)) => Advance::Entry(found),
                Ok(None) => self.leave(),
                Err(panic) => {
                    let finding = Finding::internal_error(&*panic);
                    let found = Entry::missing(members.archive().to_string(), finding);
                    self.inside.pop();
                    Advance::Entry(found)
                }
            },
            Level::Pattern(paths) => match paths.next() {
                Some(Ok(path)) => match path.metadata() {
                    Ok(data) if data.is_dir() => self.enter_folder(path).into(),
                    // As in a folder: pipes, sockets and devices hold no records.
                    Ok(data) if !data.is_file() => Advance::Moved,
                    _ => self.enter_file(path).into(),
                },
                Some(Err((path, error))) => {
                    let (name, _) = name::of_path(&path);
                    Advance::Entry(Entry::missing(name, unreadable(&path, &error)))
                }
                None => self.leave(),
            },
            Level::Input {
                name,
                kind,
                found_any,
            } => {
                let nothing = (!*found_any).then(|| {
                    let endings = &self.inputs.extensions;
                    let message = match *kind {
                        "pattern" => format!("No record matches the pattern `{name}`."),
                        kind => format!(
                            "There is no record in the {kind} `{name}`: no file in it ends in \
                             {endings} (--ext names other endings)."
                        ),
                    };
                    let finding = Finding::new(Code::NoRecords, message);
                    Entry::missing(std::mem::take(name), finding)
                });
                self.inside.pop();
                nothing.into()
            }
        }
    }

    fn leave(&mut self) -> Advance {
        self.inside.pop();
        Advance::Moved
    }
}

enum Advance {
    Entry(Entry),
    Moved,
    End,
}

impl From<Option<Entry>> for Advance {
    fn from(found: Option<Entry>) -> Advance {
        found.map_or(Advance::Moved, Advance::Entry)
    }
}

impl Iterator for Stream {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        loop {
            match self.step() {
                Advance::End => return None,
                Advance::Moved => {}
                Advance::Entry(found) => {
                    if let Some(Level::Input { found_any, .. }) = self.inside.first_mut() {
                        *found_any = true;
                    }
                    return Some(found);
                }
            }
        }
    }
}

/// Whether a name in a folder is worth a look.
fn wanted(extensions: &Extensions) -> impl Fn(&OsStr, EntryKind) -> bool {
    |name, kind| {
        let name = name.as_encoded_bytes();
        kind != EntryKind::File
            || extensions.match_name(name)
            || Packing::of_name(name, extensions).is_some()
    }
}

fn file_name(path: &Path) -> Vec<u8> {
    path.file_name()
        .map(|name| name.as_encoded_bytes().to_vec())
        .unwrap_or_default()
}
