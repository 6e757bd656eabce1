//! Archives and compressed files, unpacked as a stream.
//!
//! What a file is follows from its name: `.zip`, `.tar`, a tar under any of four compressions
//! (`.tar.gz` or `.tgz`, `.tar.bz2`, `.tar.xz`, `.tar.zst`), or one compressed record
//! (`.sgf.gz`). Members come out one at a time and are never written anywhere, so that a path
//! like `../../etc/passwd` in an archive is just a name.
//!
//! Three things keep a hostile archive from doing harm: an [`Allowance`] counts every unpacked
//! byte and refuses to go on beyond the limits, decoders get a bound on the window they may
//! ask memory for, and no member is read beyond the size limit of a file.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::decoder::decoder;
use super::limits::human_size;
use super::tar::TarReader;
use super::{Content, Extensions, Found, Limits, name, read_bounded};
use crate::finding::{Code, Finding};

/// How a stream of bytes is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    Gzip,
    Bzip2,
    Xz,
    Zstd,
}

/// How records are packed in a file, as told by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    Zip,
    Tar(Option<Compression>),
    /// A single record, compressed.
    Record(Compression),
}

impl Packing {
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
    pub(super) fn spend(&mut self, count: usize, packed: u64) -> io::Result<()> {
        self.unpacked += count as u64;
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

/// How far a compressed file has been read.
#[derive(Clone, Default)]
pub(super) struct Meter(Arc<AtomicU64>);

impl Meter {
    pub(super) fn consumed(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

struct Metered<R>(R, Meter);

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.0.read(buffer)?;
        self.1.0.fetch_add(count as u64, Ordering::Relaxed);
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
        self.allowance.spend(count, self.meter.consumed())?;
        Ok(count)
    }
}

/// The bytes inside a compressed file, and a meter of how much of the file they took.
pub(super) fn unpack(file: File, compression: Compression, limits: &Limits) -> (Unpacked, Meter) {
    let meter = Meter::default();
    let packed = BufReader::with_capacity(1 << 16, Metered(file, meter.clone()));
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

/// What tar and zip have in common: members with a name, read one after the other. Reading
/// reads the member that `advance` has come to.
pub(super) trait Container: Read + Send {
    /// Goes on to the next member that is a file and gives its name as it is stored.
    fn advance(&mut self) -> io::Result<Option<Vec<u8>>>;

    /// Whether a member that can't be read leaves the ones after it in reach.
    fn survives_a_bad_member(&self) -> bool;

    /// How many bytes of the archive have been read so far.
    fn consumed(&self) -> u64;
}

/// The records of one archive.
pub(super) struct Members {
    archive: String,
    container: Box<dyn Container>,
    extensions: Extensions,
    limits: Limits,
    count: u64,
    consumed: u64,
    over: bool,
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
        let container: Box<dyn Container> = match packing {
            #[cfg(feature = "archives")]
            Packing::Zip => {
                let zip = super::zip::ZipReader::open(file, path, limits);
                Box::new(zip.map_err(|error| failure(&error))?)
            }
            #[cfg(not(feature = "archives"))]
            Packing::Zip => return Err(failure(&super::decoder::not_built_in())),
            Packing::Tar(Some(compression)) => {
                let (unpacked, meter) = unpack(file, compression, limits);
                Box::new(TarReader::new(unpacked, meter))
            }
            Packing::Tar(None) => {
                let meter = Meter::default();
                let plain = BufReader::with_capacity(1 << 16, Metered(file, meter.clone()));
                Box::new(TarReader::new(plain, meter))
            }
            Packing::Record(_) => unreachable!("a compressed record is not an archive"),
        };
        Ok(Members {
            archive,
            container,
            extensions: extensions.clone(),
            limits: limits.clone(),
            count: 0,
            consumed: 0,
            over: false,
        })
    }

    /// The name of the archive itself.
    pub(super) fn archive(&self) -> &str {
        &self.archive
    }

    /// The next record, or the reason why there are no more.
    pub(super) fn next(&mut self) -> Option<Found> {
        while !self.over {
            let stored_name = match self.container.advance() {
                Ok(Some(stored_name)) => stored_name,
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
            if let Some(found) = self.take_member(&stored_name) {
                return Some(found);
            }
        }
        self.over = true;
        None
    }

    /// The member that the container stands at, if it is one for us.
    fn take_member(&mut self, stored_name: &[u8]) -> Option<Found> {
        if name::is_hidden(stored_name) {
            return None;
        }
        let file_name = name::last_part(stored_name);
        let is_record = self.extensions.match_name(file_name);
        let packing = Packing::of_name(file_name, &self.extensions);
        if !is_record && packing.is_none() {
            return None;
        }

        let (inner, odd_name) = name::of_bytes(stored_name);
        let mut found = Found {
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
        match read_bounded(&mut self.container, 0, self.limits.max_file_size) {
            Ok(Some(bytes)) => found.content = Content::Held(bytes),
            Ok(None) => found.findings.push(self.limits.file_too_large()),
            Err(error) => {
                let finding = failure(&error);
                let fatal = finding.code == Code::ArchiveLimit;
                found.findings.push(finding);
                self.over = fatal || !self.container.survives_a_bad_member();
            }
        }
        let consumed = self.container.consumed();
        found.consumed = consumed - self.consumed;
        self.consumed = consumed;
        Some(found)
    }

    fn give_up(&mut self, finding: Finding) -> Found {
        self.over = true;
        Found::missing(self.archive.clone(), finding)
    }
}
