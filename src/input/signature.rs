//! What a file is, by its first bytes.
//!
//! Names lie: browsers unpack a `.tar.gz` and leave the name as it was, mail programs call an
//! archive `attachment.dat`. Every format that kifu opens starts with bytes of its own, so those
//! are looked at first, and the name counts only where they say nothing. A tar has none in its
//! oldest form, but the checksum of its first header, which no other file gets right.
//!
//! Under a compression there may be a tar or a single record; the first unpacked bytes say which.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::Limits;
use super::archive::{Compression, Packing, unpack};
use super::tar;

/// How many bytes it takes to know a file: the first header of a tar.
pub(super) const LENGTH: usize = tar::BLOCK;

const COMPRESSIONS: [(&[u8], Compression); 4] = [
    (b"\x1f\x8b\x08", Compression::Gzip),
    (b"BZh", Compression::Bzip2),
    (b"\xfd7zXZ\0", Compression::Xz),
    (b"\x28\xb5\x2f\xfd", Compression::Zstd),
];

/// A zip starts with its first member, or with its end if it has none.
const ZIP: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

/// How the first bytes of a file are packed; what is compressed is taken for a record.
pub(crate) fn packing_of_bytes(start: &[u8]) -> Option<Packing> {
    if ZIP.iter().any(|magic| start.starts_with(magic)) {
        return Some(Packing::Zip);
    }
    let compressed = COMPRESSIONS
        .iter()
        .find(|(magic, _)| start.starts_with(magic));
    if let Some(&(_, compression)) = compressed {
        return Some(Packing::Record(compression));
    }
    tar::is_header(start).then_some(Packing::Tar(None))
}

/// How a file on the disk is packed, with a look inside where it is compressed. `None` where the
/// bytes do not say, or can't be read: that is reported by whoever reads on.
pub(super) fn packing_of_file(path: &Path) -> Option<Packing> {
    // Whatever is read from a pipe would be gone.
    if !path.metadata().ok()?.is_file() {
        return None;
    }
    let (start, rest) = peek(File::open(path).ok()?).ok()?;
    match packing_of_bytes(&start)? {
        Packing::Record(compression) => {
            let (unpacked, _) = unpack(rest, compression, &Limits::default());
            let (start, _) = peek(unpacked).ok()?;
            packing_inside(&start, compression)
        }
        packing => Some(packing),
    }
}

/// What is under a compression, by its first bytes.
pub(super) fn packing_inside(start: &[u8], compression: Compression) -> Option<Packing> {
    match start.first() {
        // Nothing, or a tar without members.
        None | Some(0) => None,
        _ if tar::is_header(start) => Some(Packing::Tar(Some(compression))),
        _ => Some(Packing::Record(compression)),
    }
}

/// The first bytes of a reader, and a reader of all of them.
pub(super) fn peek<R: Read>(mut reader: R) -> io::Result<(Vec<u8>, impl Read + use<R>)> {
    let mut start = Vec::with_capacity(LENGTH);
    (&mut reader).take(LENGTH as u64).read_to_end(&mut start)?;
    let all = io::Cursor::new(start.clone()).chain(reader);
    Ok((start, all))
}
