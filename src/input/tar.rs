//! Reading tar, member by member.
//!
//! A tar is a row of 512-byte blocks: a header, the file's bytes padded to whole blocks, the
//! next header, and so on until a block of zeros. Long names come in members of their own, GNU's
//! way (`L`) or as pax records (`x`), before the member that they name. That is all a reader of
//! records needs to know; owners, modes, links and devices are ignored.
//!
//! This is written out here because what a member says about itself must not decide how much
//! memory is spent: a name of four gigabytes is refused.

use std::io::{self, Read};

use super::archive::damaged;

pub(super) const BLOCK: usize = 512;

/// The longest member that only describes the next one. A path on any system is far shorter.
const MAX_DESCRIPTION: u64 = 1 << 20;

pub(super) struct TarReader<R> {
    source: R,
    /// What is left of the member that the reader stands in, and its padding.
    remaining: u64,
    padding: u64,
}

impl<R: Read> TarReader<R> {
    pub(super) fn new(source: R) -> TarReader<R> {
        TarReader {
            source,
            remaining: 0,
            padding: 0,
        }
    }

    /// The next header, or `None` at the end of the archive.
    fn header(&mut self) -> io::Result<Option<[u8; BLOCK]>> {
        let rest = self.remaining + self.padding;
        let skipped = io::copy(&mut self.source.by_ref().take(rest), &mut io::sink())?;
        // Some writers leave out the padding after the last member.
        if skipped < self.remaining {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        (self.remaining, self.padding) = (0, 0);

        let mut header = [0; BLOCK];
        let mut filled = 0;
        while filled < BLOCK {
            match self.source.read(&mut header[filled..])? {
                0 if filled == 0 => return Ok(None),
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                count => filled += count,
            }
        }
        if header.iter().all(|&byte| byte == 0) {
            return Ok(None);
        }
        if !checksum_is_right(&header) {
            return Err(damaged("a member's header has a wrong checksum"));
        }
        Ok(Some(header))
    }

    /// The whole of a member that describes the next one.
    fn description(&mut self) -> io::Result<Vec<u8>> {
        if self.remaining > MAX_DESCRIPTION {
            return Err(damaged("the name of a member is longer than any path"));
        }
        let mut text = Vec::new();
        self.read_to_end(&mut text)?;
        Ok(text)
    }

    /// Goes on to the next member that is a file and gives its name as it is stored.
    pub(super) fn advance(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut long_name = None;
        let mut long_size = None;
        while let Some(header) = self.header()? {
            let kind = header[156];
            let describes = matches!(kind, b'L' | b'K' | b'x' | b'g');
            let own_size =
                number(&header[124..136]).ok_or_else(|| damaged("a member has no valid size"))?;
            let size = if describes {
                own_size
            } else {
                long_size.take().unwrap_or(own_size)
            };
            self.remaining = size;
            self.padding = size.next_multiple_of(BLOCK as u64) - size;

            match kind {
                b'L' => {
                    let mut name = self.description()?;
                    name.truncate(
                        name.iter()
                            .position(|&byte| byte == 0)
                            .unwrap_or(name.len()),
                    );
                    long_name = Some(name);
                }
                b'x' => {
                    let records = self.description()?;
                    for (key, value) in pax_records(&records) {
                        match key {
                            b"path" => long_name = Some(value.to_vec()),
                            b"size" => long_size = decimal(value),
                            _ => {}
                        }
                    }
                }
                b'0' | b'7' | 0 => {
                    let name = long_name.take().unwrap_or_else(|| short_name(&header));
                    // Before there was a flag for it, a slash at the end made a folder.
                    if !name.ends_with(b"/") {
                        return Ok(Some(name));
                    }
                }
                b'K' | b'g' => {}
                _ => long_name = None,
            }
        }
        Ok(None)
    }
}

/// Reads the member that [`TarReader::advance`] came to.
impl<R: Read> Read for TarReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.by_ref().take(self.remaining).read(buffer)?;
        if count == 0 && self.remaining > 0 && !buffer.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.remaining -= count as u64;
        Ok(count)
    }
}

/// The sum of all bytes of the header, its own field taken as blanks. Some old writers summed
/// signed bytes.
/// Whether a file that starts like this is a tar.
pub(super) fn is_header(start: &[u8]) -> bool {
    start.first_chunk().is_some_and(checksum_is_right)
}

fn checksum_is_right(header: &[u8; BLOCK]) -> bool {
    let Some(stated) = number(&header[148..156]) else {
        return false;
    };
    let blanked = |at: usize, byte: u8| if (148..156).contains(&at) { b' ' } else { byte };
    let bytes = || {
        header
            .iter()
            .enumerate()
            .map(|(at, &byte)| blanked(at, byte))
    };
    let unsigned: u64 = bytes().map(u64::from).sum();
    let signed: i64 = bytes().map(|byte| i64::from(byte as i8)).sum();
    stated == unsigned || i64::try_from(stated) == Ok(signed)
}

/// A number of a header: octal digits, or from GNU 256-ary when the first bit is set.
fn number(field: &[u8]) -> Option<u64> {
    if field[0] & 0x80 != 0 {
        let mut value = u64::from(field[0] & 0x7f);
        for &byte in &field[1..] {
            value = value.checked_mul(256)? | u64::from(byte);
        }
        // Room for the padding, whatever the size.
        return (value < 1 << 62).then_some(value);
    }
    let text = field
        .split(|&byte| byte == 0)
        .next()
        .unwrap_or_default()
        .trim_ascii();
    let mut value = 0_u64;
    for &digit in text {
        if !(b'0'..=b'7').contains(&digit) {
            return None;
        }
        value = value * 8 + u64::from(digit - b'0');
    }
    Some(value)
}

fn decimal(text: &[u8]) -> Option<u64> {
    let value: u64 = std::str::from_utf8(text).ok()?.parse().ok()?;
    (value < 1 << 62).then_some(value)
}

/// The name in a header itself; POSIX puts the front of a longer one into a prefix field.
fn short_name(header: &[u8; BLOCK]) -> Vec<u8> {
    let text = |field: &[u8]| -> Vec<u8> {
        field
            .iter()
            .copied()
            .take_while(|&byte| byte != 0)
            .collect()
    };
    let name = text(&header[..100]);
    if &header[257..263] != b"ustar\0" {
        return name;
    }
    let mut path = text(&header[345..500]);
    if path.is_empty() {
        return name;
    }
    path.push(b'/');
    path.extend(name);
    path
}

/// The `length key=value` lines of a pax header; whatever does not have that form ends them.
fn pax_records(mut text: &[u8]) -> Vec<(&[u8], &[u8])> {
    let mut records = Vec::new();
    while let Some(space) = text.iter().position(|&byte| byte == b' ') {
        let Some(length) = decimal(&text[..space]) else {
            break;
        };
        let length = length as usize;
        if length <= space + 1 || length > text.len() {
            break;
        }
        let record = &text[space + 1..length];
        let record = record.strip_suffix(b"\n").unwrap_or(record);
        if let Some(equals) = record.iter().position(|&byte| byte == b'=') {
            records.push((&record[..equals], &record[equals + 1..]));
        }
        text = &text[length..];
    }
    records
}
