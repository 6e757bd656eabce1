//! Archives and compressed files, unpacked as a stream.
//!
//! What a file is follows from its first bytes ([`super::signature`]) or, where those say nothing,
//! from its name: `.zip`, `.tar`, a tar under any of four compressions (`.tar.gz` or `.tgz`,
//! `.tar.bz2`, `.tar.xz`, `.tar.zst`), or one compressed record (`.sgf.gz`). Members come out one at a time and are never written anywhere, so that a path
//! like `../../etc/passwd` in an archive is just a name.
//!
//! Three things keep a hostile archive from doing harm: an [`Allowance`] counts every unpacked
//! byte and refuses to go on beyond the limits, decoders get a bound on the window they may
//! ask memory for, and a member of more than a megabyte is read bit by bit.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::decoder::decoder;
use super::limits::human_size;
use super::tar::{Stored, TarMember, TarReader};
use super::zip::{ZipMember, ZipReader};
use super::{Content, Entry, Extensions, Limits, name, read_start};
use crate::finding::{Code, Finding, shortened};

/// How a stream of bytes is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    Gzip,
    Bzip2,
    Xz,
    Zstd,
}

/// How records are packed in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    Zip,
    Tar(Option<Compression>),
    /// A single record, compressed.
    Record(Compression),
}

impl Packing {
    /// Whether there may be several records in it.
    pub(super) fn is_archive(self) -> bool {
        matches!(self, Packing::Zip | Packing::Tar(_))
    }

    /// `None` if the name is not one of an archive or of a compressed record.
    pub(super) fn of_name(file_name: &[u8], extensions: &Extensions) -> Option<Packing> {
        use Compression::*;
        const COMPRESSIONS: [(&str, &str, Compression); 7] = [
            ("gz", "tgz", Gzip),
            ("bz2", "tbz2", Bzip2),
            ("bz2", "tbz", Bzip2),
            ("xz", "txz", Xz),
            ("zst", "tzst", Zstd),
            ("zst", "tzs", Zstd),
            ("zstd", "tzstd", Zstd),
        ];
        if ends_with_extension(file_name, "zip") {
            return Some(Packing::Zip);
        }
        if ends_with_extension(file_name, "tar") {
            return Some(Packing::Tar(None));
        }
        for (extension, tar_extension, compression) in COMPRESSIONS {
            if ends_with_extension(file_name, tar_extension) {
                return Some(Packing::Tar(Some(compression)));
            }
            if ends_with_extension(file_name, extension) {
                let inner = &file_name[..file_name.len() - extension.len() - 1];
                if ends_with_extension(inner, "tar") {
                    return Some(Packing::Tar(Some(compression)));
                }
                if extensions.match_name(inner) {
                    return Some(Packing::Record(compression));
                }
            }
        }
        None
    }
}

/// Whether a name ends in a dot and this lower-case extension, in any case.
pub(super) fn ends_with_extension(name: &[u8], extension: &str) -> bool {
    let Some(stem) = name.len().checked_sub(extension.len() + 1) else {
        return false;
    };
    stem > 0 && name[stem] == b'.' && name[stem + 1..].eq_ignore_ascii_case(extension.as_bytes())
}

/// A finding on its way through code that knows I/O errors only.
#[derive(Debug)]
pub(super) struct Refusal(pub Code, pub String);

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.1)
    }
}

impl std::error::Error for Refusal {}

impl From<Refusal> for io::Error {
    fn from(refusal: Refusal) -> io::Error {
        io::Error::other(refusal)
    }
}

/// The error for an archive whose own structure is broken.
pub(super) fn damaged(what: &str) -> io::Error {
    Refusal(
        Code::DamagedArchive,
        format!("The archive is damaged: {what}."),
    )
    .into()
}

/// The finding for an error met while unpacking.
pub(super) fn failure(error: &io::Error) -> Finding {
    if let Some(refusal) = error
        .get_ref()
        .and_then(|inner| inner.downcast_ref::<Refusal>())
    {
        return Finding::new(refusal.0, refusal.1.clone());
    }
    if error.kind() == io::ErrorKind::UnexpectedEof {
        return Finding::new(
            Code::DamagedArchive,
            "The archive is damaged: it ends too early.",
        );
    }
    if error.raw_os_error().is_some() {
        return super::unreadable(Path::new(""), error);
    }
    // The decoders' own words are in no common style; they end up in brackets.
    let reason = error.to_string();
    let reason = reason.trim_end_matches('.');
    Finding::new(
        Code::DamagedArchive,
        format!("The archive is damaged: it can't be unpacked ({reason})."),
    )
}

/// Counts what an archive has unpacked to and says when it is too much.
pub(super) struct Allowance {
    limits: Limits,
    unpacked: u64,
}

impl Allowance {
    pub(super) fn new(limits: &Limits) -> Allowance {
        Allowance {
            limits: limits.clone(),
            unpacked: 0,
        }
    }

    /// Takes note of `count` unpacked bytes of an archive of which `packed` bytes were read.
    pub(super) fn spend(&mut self, count: u64, packed: u64) -> io::Result<()> {
        self.unpacked = self.unpacked.saturating_add(count);
        let Limits {
            max_unpacked_size,
            max_ratio,
            ..
        } = self.limits;
        if self.unpacked > max_unpacked_size {
            let size = human_size(max_unpacked_size);
            return Err(Refusal(
                Code::ArchiveLimit,
                format!(
                    "The archive unpacks to more than {size} (--max-unpacked-size); the rest of \
                     it was not read."
                ),
            )
            .into());
        }
        if self.unpacked > Limits::RATIO_GRACE
            && self.unpacked > packed.max(1).saturating_mul(max_ratio)
        {
            return Err(Refusal(
                Code::ArchiveLimit,
                format!(
                    "The archive unpacks to more than {max_ratio} times its size (--max-ratio); \
                     the rest of it was not read."
                ),
            )
            .into());
        }
        Ok(())
    }
}

/// How far a file has been read, and how much of that has been reported to the progress bar.
#[derive(Clone, Debug, Default)]
pub(super) struct Meter(Arc<[AtomicU64; 2]>);

impl Meter {
    pub(super) fn consumed(&self) -> u64 {
        self.0[0].load(Ordering::Relaxed)
    }

    /// How many bytes have been read since this was asked last.
    pub(super) fn newly_consumed(&self) -> u64 {
        let consumed = self.consumed();
        consumed - self.0[1].swap(consumed, Ordering::Relaxed)
    }
}

/// A reader that moves a meter.
pub(super) struct Metered<R>(pub R, pub Meter);

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.0.read(buffer)?;
        self.1.0[0].fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// An unpacked stream that stops at the limits.
pub(super) struct Unpacked {
    decoder: Box<dyn Read + Send>,
    allowance: Allowance,
    meter: Meter,
}

impl Read for Unpacked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.decoder.read(buffer)?;
        self.allowance.spend(count as u64, self.meter.consumed())?;
        Ok(count)
    }
}

/// The bytes inside a compressed file, and a meter of how much of the file they took.
pub(super) fn unpack(
    packed: impl Read + Send + 'static,
    compression: Compression,
    limits: &Limits,
) -> (Unpacked, Meter) {
    let meter = Meter::default();
    let packed = BufReader::with_capacity(1 << 16, Metered(packed, meter.clone()));
    let decoder = decoder(packed, compression);
    (
        Unpacked {
            decoder,
            allowance: Allowance::new(limits),
            meter: meter.clone(),
        },
        meter,
    )
}

/// The records of one archive.
pub(super) struct Members {
    archive: String,
    container: Container,
    extensions: Extensions,
    limits: Limits,
    count: u64,
    over: bool,
}

/// Zip knows where its members lie and gives them out packed; tar can only be read on and on.
enum Container {
    Zip(ZipReader),
    Tar(SharedTar),
}

/// A member that its container has come to.
enum Member {
    Zipped(ZipMember),
    InTar(Stored),
}

impl Members {
    /// Opens an archive that is known to the user as `archive`.
    pub(super) fn open(
        path: &Path,
        archive: String,
        packing: Packing,
        extensions: &Extensions,
        limits: &Limits,
    ) -> Result<Members, Finding> {
        let file = File::open(path).map_err(|error| super::unreadable(path, &error))?;
        let container = match packing {
            Packing::Zip => {
                let zip = ZipReader::open(file, path, limits);
                Container::Zip(zip.map_err(|error| failure(&error))?)
            }
            Packing::Tar(Some(compression)) => {
                let (unpacked, meter) = unpack(file, compression, limits);
                Container::Tar(SharedTar::new(Box::new(unpacked), meter))
            }
            Packing::Tar(None) => {
                let meter = Meter::default();
                let plain = BufReader::with_capacity(1 << 16, Metered(file, meter.clone()));
                Container::Tar(SharedTar::new(Box::new(plain), meter))
            }
            Packing::Record(_) => unreachable!("a compressed record is not an archive"),
        };
        Ok(Members::in_container(
            archive, container, extensions, limits,
        ))
    }

    /// The members of a tar that is open already.
    pub(super) fn in_tar(
        tar: impl Read + Send + 'static,
        meter: Meter,
        archive: String,
        extensions: &Extensions,
        limits: &Limits,
    ) -> Members {
        let container = Container::Tar(SharedTar::new(Box::new(tar), meter));
        Members::in_container(archive, container, extensions, limits)
    }

    fn in_container(
        archive: String,
        container: Container,
        extensions: &Extensions,
        limits: &Limits,
    ) -> Members {
        Members {
            archive,
            container,
            extensions: extensions.clone(),
            limits: limits.clone(),
            count: 0,
            over: false,
        }
    }

    /// The name of the archive itself.
    pub(super) fn archive(&self) -> &str {
        &self.archive
    }

    /// The next record, or the reason why there are no more.
    pub(super) fn next(&mut self) -> Option<Entry> {
        while !self.over {
            let (stored_name, member) = match self.advance() {
                Ok(Some(member)) => member,
                Ok(None) => break,
                Err(error) => return Some(self.give_up(failure(&error))),
            };
            self.count += 1;
            if self.count > self.limits.max_members {
                let finding = Finding::new(
                    Code::ArchiveLimit,
                    format!(
                        "The archive holds more than {} files (--max-members); the rest of it \
                         was not read.",
                        self.limits.max_members
                    ),
                );
                return Some(self.give_up(finding));
            }
            if let Some(found) = self.take_member(&stored_name, member) {
                return Some(found);
            }
        }
        self.over = true;
        None
    }

    /// Goes on to the next member that is a file.
    fn advance(&mut self) -> io::Result<Option<(Vec<u8>, Member)>> {
        Ok(match &mut self.container {
            Container::Zip(zip) => zip
                .next()?
                .map(|(name, member)| (name, Member::Zipped(member))),
            Container::Tar(tar) => tar
                .advance()?
                .map(|TarMember { name, stored }| (name, Member::InTar(stored))),
        })
    }

    /// The member that the container has come to, if it is one for us.
    fn take_member(&mut self, stored_name: &[u8], member: Member) -> Option<Entry> {
        if name::is_hidden(stored_name) {
            return None;
        }
        let file_name = name::last_part(stored_name);
        let is_record = self.extensions.match_name(file_name);
        let packing = Packing::of_name(file_name, &self.extensions);
        if !is_record && packing.is_none() {
            return None;
        }

        let (inner, odd_name) = match &self.container {
            Container::Zip(zip) => zip.name_of(stored_name),
            Container::Tar(_) => name::of_bytes(stored_name),
        };
        let inner = shortened(&inner, Limits::LONGEST_PATH);
        let mut found = Entry {
            name: format!("{}/{inner}", self.archive),
            findings: Vec::from_iter(odd_name),
            content: Content::Missing,
            consumed: 0,
        };
        if !is_record {
            found.findings.push(Finding::new(
                Code::NestedArchive,
                "An archive inside an archive is not opened; unpack the outer one first.",
            ));
            return Some(found);
        }
        if stored_name.len() > Limits::LONGEST_PATH {
            let message = format!(
                "The file's name in its archive is longer than {} bytes, and so than \
                 any path; it was not read.",
                Limits::LONGEST_PATH
            );
            found
                .findings
                .push(Finding::new(Code::ArchiveLimit, message));
            return Some(found);
        }
        let content = match (&mut self.container, member) {
            (Container::Zip(zip), Member::Zipped(member)) => {
                zip.spend(&member).map(|()| Content::Zipped(member))
            }
            (Container::Tar(tar), Member::InTar(stored)) if stored != Stored::Whole => {
                found.consumed = tar.meter.newly_consumed();
                found.findings.push(not_whole(&stored));
                return Some(found);
            }
            (Container::Tar(tar), _) => {
                let content = tar.content(&self.limits);
                found.consumed = tar.meter.newly_consumed();
                content
            }
            (Container::Zip(_), Member::InTar(_)) => unreachable!("a zip is not a tar"),
        };
        match content {
            Ok(content) => found.content = content,
            // The limits of the archive are reached, or a tar can't be read on.
            Err(error) => {
                found.findings.push(failure(&error));
                self.over = true;
            }
        }
        Some(found)
    }

    fn give_up(&mut self, finding: Finding) -> Entry {
        self.over = true;
        Entry::missing(self.archive.clone(), finding)
    }
}

/// The finding for a member of a tar that does not hold its file.
fn not_whole(stored: &Stored) -> Finding {
    let message = match stored {
        Stored::Link(target) => {
            let (target, _) = name::of_bytes(target);
            format!("The file is stored as a link to {target} and was not read.")
        }
        Stored::Sparse => "The file is stored as a sparse file and was not read.".to_string(),
        _ => "The file starts in another volume of the archive and was not read.".to_string(),
    };
    Finding::new(Code::UnsupportedArchive, message)
}

/// A tar, which the archive and a large member of it read in turn.
#[derive(Clone)]
struct SharedTar {
    state: Arc<Mutex<TarState>>,
    meter: Meter,
}

struct TarState {
    tar: TarReader<Box<dyn Read + Send>>,
    /// How many members it has come to.
    member: u64,
    /// Whether a member could not be read to its end.
    broken: bool,
}

impl SharedTar {
    fn new(source: Box<dyn Read + Send>, meter: Meter) -> SharedTar {
        let state = Arc::new(Mutex::new(TarState {
            tar: TarReader::new(source),
            member: 0,
            broken: false,
        }));
        SharedTar { state, meter }
    }

    fn lock(&self) -> MutexGuard<'_, TarState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Goes on to the next member; the rest of the last one is skipped.
    fn advance(&self) -> io::Result<Option<TarMember>> {
        let mut state = self.lock();
        state.member += 1;
        // What went wrong was reported with the member.
        if state.broken {
            return Ok(None);
        }
        state.tar.advance()
    }

    /// The bytes of the member, or the way to them if they are many.
    fn content(&self, limits: &Limits) -> io::Result<Content> {
        let member = self.lock().member;
        let tar = self.clone();
        read_start(MemberBytes { tar, member }, self.meter.clone(), limits)
    }
}

/// The bytes of a member, for as long as the archive has not gone on to the next.
struct MemberBytes {
    tar: SharedTar,
    member: u64,
}

impl Read for MemberBytes {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut state = self.tar.lock();
        if state.member != self.member {
            return Err(io::Error::other("the archive was read beyond it"));
        }
        let count = state.tar.read(buffer);
        state.broken |= count.is_err();
        count
    }
}
