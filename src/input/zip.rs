//! Reading zip, member by member.
//!
//! A zip ends in a directory of its members, and the directory ends in a small record that says
//! where it starts. The directory is read as a stream next to the members, so that an archive of
//! a million records takes no more memory than one of ten: that, and names in the charset of
//! whoever packed them, is why this is written out here.
//!
//! The directory says all about a member before a byte of it is unpacked, so members are unpacked
//! by whoever works on them, many at once. What the archive unpacks to is counted by the sizes in
//! its directory, and a member that is longer than its entry says is damaged.
//!
//! Members may be stored as they are, deflated (nearly all of them), or compressed by bzip2, xz
//! or zstd. Encrypted members and other methods give a finding. Checksums are verified.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use super::Limits;
use super::archive::{Allowance, Compression, Refusal, damaged};
use super::decoder::decoder;
use super::name::{self, Charset};
use crate::finding::{Code, Finding};

const LOCAL_HEADER: &[u8] = b"PK\x03\x04";
const DIRECTORY_ENTRY: &[u8] = b"PK\x01\x02";
const DIRECTORY_END: &[u8] = b"PK\x05\x06";
const DIRECTORY_END_64: &[u8] = b"PK\x06\x06";
const LOCATOR_64: &[u8] = b"PK\x06\x07";

/// The directory's end record without its comment.
const END_LENGTH: usize = 22;

/// The two records that take its place where its numbers are too small.
const END_64_LENGTH: usize = 56;
const LOCATOR_LENGTH: usize = 20;

/// A directory entry before its name.
const ENTRY_LENGTH: usize = 46;

pub(super) struct ZipReader {
    directory: io::Take<BufReader<File>>,
    file: Arc<File>,
    archive_size: u64,
    /// What stands before the archive in the file; positions count from its end.
    offset: u64,
    allowance: Allowance,
    /// What the names are in that are not UTF-8.
    charset: Option<Charset>,
}

/// So much of the names is enough to tell their charset.
const NAMES_TO_GUESS: usize = 64 << 10;

/// A member that is still packed. Any thread can unpack it.
#[derive(Debug)]
pub(super) struct ZipMember {
    file: Arc<File>,
    encrypted: bool,
    method: u16,
    checksum: u32,
    packed_size: u64,
    size: u64,
    position: u64,
}

/// The unpacked bytes of a member and what is known of them so far.
struct Unpacked {
    decoder: Box<dyn Read + Send>,
    checksum: flate2::Crc,
    expected_checksum: u32,
    remaining: u64,
}

impl ZipReader {
    pub(super) fn open(mut file: File, path: &Path, limits: &Limits) -> io::Result<ZipReader> {
        let archive_size = file.seek(SeekFrom::End(0))?;
        let end = DirectoryEnd::find(&mut file, archive_size)?;
        let mut directory = BufReader::with_capacity(1 << 16, File::open(path)?);
        directory.seek(SeekFrom::Start(end.start + end.offset))?;
        let mut zip = ZipReader {
            directory: directory.take(end.size),
            file: Arc::new(file),
            archive_size,
            offset: end.offset,
            allowance: Allowance::new(limits),
            charset: None,
        };
        zip.charset = zip.guess_charset();
        zip.directory.set_limit(end.size);
        let directory = zip.directory.get_mut();
        directory.seek(SeekFrom::Start(end.start + end.offset))?;
        Ok(zip)
    }

    /// What the names are in, from all of them: a single one is too short to tell. What is wrong
    /// with the directory is reported when the members are read.
    fn guess_charset(&mut self) -> Option<Charset> {
        let mut names = Vec::new();
        while let Ok(Some((name, _))) = self.next()
            && names.len() < NAMES_TO_GUESS
        {
            if std::str::from_utf8(&name).is_err() {
                names.extend(name);
                names.push(b'\n');
            }
        }
        (!names.is_empty()).then(|| Charset::of_names(&names))
    }

    /// A name as text, and a finding if it is not UTF-8.
    pub(super) fn name_of(&self, stored: &[u8]) -> (String, Option<Finding>) {
        match self.charset {
            Some(charset) => charset.name_of(stored),
            None => name::of_bytes(stored),
        }
    }

    /// The next member that is a file, and its name as it is stored.
    pub(super) fn next(&mut self) -> io::Result<Option<(Vec<u8>, ZipMember)>> {
        while let Some((name, member)) = self.entry()? {
            if !name.ends_with(b"/") && !name.ends_with(b"\\") {
                return Ok(Some((name, member)));
            }
        }
        Ok(None)
    }

    /// Counts a member's bytes towards what the archive may unpack to. They are as many as the
    /// directory says: whoever unpacks it stops there.
    pub(super) fn spend(&mut self, member: &ZipMember) -> io::Result<()> {
        self.allowance.spend(member.size, self.archive_size)
    }

    /// The next entry of the directory with its name.
    fn entry(&mut self) -> io::Result<Option<(Vec<u8>, ZipMember)>> {
        if self.directory.limit() < ENTRY_LENGTH as u64 {
            return Ok(None);
        }
        let mut fixed = [0; ENTRY_LENGTH];
        self.directory.read_exact(&mut fixed)?;
        if !fixed.starts_with(DIRECTORY_ENTRY) {
            return Err(damaged("its directory is broken"));
        }
        let mut name = vec![0; usize::from(u16_at(&fixed, 28))];
        let mut extra = vec![0; usize::from(u16_at(&fixed, 30))];
        let comment_length = u64::from(u16_at(&fixed, 32));
        self.directory.read_exact(&mut name)?;
        self.directory.read_exact(&mut extra)?;
        io::copy(
            &mut self.directory.by_ref().take(comment_length),
            &mut io::sink(),
        )?;

        let mut entry = ZipMember {
            file: Arc::clone(&self.file),
            encrypted: u16_at(&fixed, 8) & 1 != 0,
            method: u16_at(&fixed, 10),
            checksum: u32_at(&fixed, 16),
            packed_size: u64::from(u32_at(&fixed, 20)),
            size: u64::from(u32_at(&fixed, 24)),
            position: u64::from(u32_at(&fixed, 42)),
        };
        for (id, field) in extra_fields(&extra) {
            match id {
                // Zip64: the numbers that did not fit into 32 bits, in this order.
                0x0001 => {
                    let mut wide = field.chunks_exact(8).map(|eight| u64_at(eight, 0));
                    for number in [&mut entry.size, &mut entry.packed_size, &mut entry.position] {
                        if *number == u64::from(u32::MAX) {
                            *number = wide.next().unwrap_or(*number);
                        }
                    }
                }
                // The name once more, in UTF-8, if it still belongs to the name above.
                0x7075 if field.len() > 5 && field[0] == 1 => {
                    let mut checksum = flate2::Crc::new();
                    checksum.update(&name);
                    if checksum.sum() == u32_at(field, 1) {
                        name = field[5..].to_vec();
                    }
                }
                _ => {}
            }
        }
        entry.position = entry.position.saturating_add(self.offset);
        Ok(Some((name, entry)))
    }
}

impl ZipMember {
    /// How many bytes it unpacks to.
    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// How many bytes it takes in the archive.
    pub(super) fn packed_size(&self) -> u64 {
        self.packed_size
    }

    /// Goes to the member's bytes and picks the decoder for them.
    pub(super) fn open(&self) -> io::Result<impl Read + Send + use<>> {
        if self.encrypted {
            let message = "The file is encrypted in its archive and was not read.";
            return Err(Refusal(Code::UnsupportedArchive, message.to_string()).into());
        }
        let mut header = [0; 30];
        let mut file = FileAt {
            file: Arc::clone(&self.file),
            position: self.position,
        };
        file.read_exact(&mut header)?;
        if !header.starts_with(LOCAL_HEADER) {
            return Err(damaged("a member is not where its directory says"));
        }
        file.position += u64::from(u16_at(&header, 26)) + u64::from(u16_at(&header, 28));
        let capacity = self.packed_size.clamp(1, 1 << 13) as usize;
        let packed = BufReader::with_capacity(capacity, file).take(self.packed_size);
        let decoder: Box<dyn Read + Send> = match self.method {
            0 => Box::new(packed),
            8 => Box::new(flate2::bufread::DeflateDecoder::new(packed)),
            12 => decoder(packed, Compression::Bzip2),
            93 => decoder(packed, Compression::Zstd),
            95 => decoder(packed, Compression::Xz),
            method => {
                let message = format!(
                    "The file is compressed by zip method {method}, which kifu does not know, \
                     and was not read."
                );
                return Err(Refusal(Code::UnsupportedArchive, message).into());
            }
        };
        Ok(Unpacked {
            decoder,
            checksum: flate2::Crc::new(),
            expected_checksum: self.checksum,
            remaining: self.size,
        })
    }
}

impl Read for Unpacked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.decoder.read(buffer)?;
        self.checksum.update(&buffer[..count]);
        let at_end = count == 0 && !buffer.is_empty();
        // What is longer than it says was not counted towards the limits of the archive.
        let remaining = self.remaining.checked_sub(count as u64);
        let Some(remaining) = remaining.filter(|&rest| rest == 0 || !at_end) else {
            return Err(damaged(
                "a member is not of the size that its directory says",
            ));
        };
        self.remaining = remaining;
        if at_end && self.checksum.sum() != self.expected_checksum {
            return Err(damaged("a member has a wrong checksum"));
        }
        Ok(count)
    }
}

/// A file read from a position of its own, so that many threads can share it.
struct FileAt {
    file: Arc<File>,
    position: u64,
}

impl Read for FileAt {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        #[cfg(unix)]
        let count = std::os::unix::fs::FileExt::read_at(&*self.file, buffer, self.position)?;
        #[cfg(windows)]
        let count = std::os::windows::fs::FileExt::seek_read(&*self.file, buffer, self.position)?;
        #[cfg(not(any(unix, windows)))]
        let count = {
            // There are no threads here that could move the file's own position meanwhile.
            let mut file = &*self.file;
            file.seek(SeekFrom::Start(self.position))?;
            file.read(buffer)?
        };
        self.position += count as u64;
        Ok(count)
    }
}

/// Where the directory of an archive lies.
struct DirectoryEnd {
    start: u64,
    size: u64,
    offset: u64,
}

impl DirectoryEnd {
    /// Looks for the record from the end of the file backwards: a comment may follow it.
    fn find(file: &mut File, archive_size: u64) -> io::Result<DirectoryEnd> {
        let tail_length = archive_size.min((END_LENGTH + usize::from(u16::MAX)) as u64);
        let tail_start = archive_size - tail_length;
        file.seek(SeekFrom::Start(tail_start))?;
        let mut tail = vec![0; tail_length as usize];
        file.read_exact(&mut tail)?;

        let is_end = |&at: &usize| {
            tail[at..].starts_with(DIRECTORY_END)
                && at + END_LENGTH + usize::from(u16_at(&tail, at + 20)) <= tail.len()
        };
        let candidates = 0..(tail.len() + 1).saturating_sub(END_LENGTH);
        let at = candidates
            .rev()
            .find(is_end)
            .ok_or_else(|| damaged("it has no directory, so it is cut off or not a zip"))?;

        let end_position = tail_start + at as u64;
        if let Some(end) = DirectoryEnd::find_64(file, end_position)? {
            return Ok(end);
        }
        let size = u64::from(u32_at(&tail, at + 12));
        let start = u64::from(u32_at(&tail, at + 16));
        DirectoryEnd::before(end_position, start, size)
    }

    /// The record of archives with many members or beyond 4 GB, just before the old one.
    fn find_64(file: &mut File, end_position: u64) -> io::Result<Option<DirectoryEnd>> {
        let Some(record_position) =
            end_position.checked_sub((END_64_LENGTH + LOCATOR_LENGTH) as u64)
        else {
            return Ok(None);
        };
        let mut record = [0; END_64_LENGTH + LOCATOR_LENGTH];
        file.seek(SeekFrom::Start(record_position))?;
        file.read_exact(&mut record)?;
        if !record.starts_with(DIRECTORY_END_64) || !record[END_64_LENGTH..].starts_with(LOCATOR_64)
        {
            return Ok(None);
        }
        let (size, start) = (u64_at(&record, 40), u64_at(&record, 48));
        DirectoryEnd::before(record_position, start, size).map(Some)
    }

    /// A directory that ends at this position. Whatever was put in front of the archive has
    /// moved it from where it says that it starts.
    fn before(position: u64, start: u64, size: u64) -> io::Result<DirectoryEnd> {
        let offset = position
            .checked_sub(size)
            .and_then(|real_start| real_start.checked_sub(start))
            .ok_or_else(|| damaged("its directory is larger than itself"))?;
        Ok(DirectoryEnd {
            start,
            size,
            offset,
        })
    }
}

/// The fields of an entry's extra part, each with its number.
fn extra_fields(mut extra: &[u8]) -> impl Iterator<Item = (u16, &[u8])> {
    std::iter::from_fn(move || {
        if extra.len() < 4 {
            return None;
        }
        let (id, length) = (u16_at(extra, 0), usize::from(u16_at(extra, 2)));
        let field = extra.get(4..4 + length)?;
        extra = &extra[4 + length..];
        Some((id, field))
    })
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(bytes[at..at + 2].try_into().expect("two bytes"))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn le(number: usize, bytes: usize) -> Vec<u8> {
        number.to_le_bytes()[..bytes].to_vec()
    }

    /// An archive of stored members with their numbers as names and content.
    fn archive(members: usize, wide: bool) -> Vec<u8> {
        let (mut content, mut directory) = (Vec::new(), Vec::new());
        for number in 0..members {
            let name = format!("{number}.sgf").into_bytes();
            let text = number.to_string().into_bytes();
            let mut checksum = flate2::Crc::new();
            checksum.update(&text);
            // From the version to the length of the extra field.
            let common = [
                le(20, 2),
                le(0, 2),
                le(0, 2),
                le(0, 4),
                le(checksum.sum() as usize, 4),
                le(text.len(), 4),
                le(text.len(), 4),
                le(name.len(), 2),
                le(0, 2),
            ]
            .concat();
            let position = le(content.len(), 4);
            directory.extend([DIRECTORY_ENTRY, &le(20, 2), &common, &[0; 10], &position].concat());
            directory.extend(&name);
            content.extend([LOCAL_HEADER, &common, &name, &text].concat());
        }
        let (start, size) = (content.len(), directory.len());
        let mut bytes = [content, directory].concat();
        if wide {
            let record = [DIRECTORY_END_64, &[0; 36], &le(size, 8), &le(start, 8)].concat();
            let locator = [LOCATOR_64, &[0; 4], &le(bytes.len(), 8), &[0; 4]].concat();
            bytes.extend(record);
            bytes.extend(locator);
        }
        let counts = le(members.min(0xffff), 2);
        let end = [
            DIRECTORY_END,
            &[0; 4],
            &counts,
            &counts,
            &le(size, 4),
            &le(start, 4),
            &[0; 2],
        ];
        bytes.extend(end.concat());
        bytes
    }

    fn contents(bytes: &[u8]) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.zip");
        fs::write(&path, bytes).unwrap();
        let file = File::open(&path).unwrap();
        let mut zip = ZipReader::open(file, &path, &Limits::default()).unwrap();
        let mut contents = Vec::new();
        while let Some((_, member)) = zip.next().unwrap() {
            let mut text = String::new();
            member.open().unwrap().read_to_string(&mut text).unwrap();
            contents.push(text);
        }
        contents
    }

    #[test]
    fn an_archive_may_follow_a_program_that_unpacks_it() {
        for wide in [false, true] {
            let bytes = [b"a program".to_vec(), archive(3, wide)].concat();
            assert_eq!(contents(&bytes), ["0", "1", "2"]);
        }
    }

    #[test]
    fn an_archive_may_hold_more_members_than_the_old_record_can_count() {
        let contents = contents(&archive(70_000, true));
        assert_eq!(contents.len(), 70_000);
        assert_eq!(contents.last().unwrap(), "69999");
    }
}
