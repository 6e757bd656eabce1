//! Reading tar, member by member.
//!
//! A tar is a row of 512-byte blocks: a header, the file's bytes padded to whole blocks, the
//! next header, and so on until two blocks of zeros. Long names come in members of their own, GNU's
//! way (`L`) or as pax records (`x`), before the member that they name. That is all a reader of
//! records needs to know; owners, modes and devices are ignored.
//!
//! Zeros do not end the reading: tars that were joined with `cat` have them between two members,
//! and some writers leave a lone block of them. What follows has to be a member again.
//!
//! A member need not hold the file that it names: it may be a link to another member, the parts of
//! a file without its holes, or the rest of a file whose start is in another volume. [`Stored`]
//! says so, and the file gets a finding rather than being ignored.
//!
//! This is written out here because what a member says about itself must not decide how much
//! memory is spent: a name of four gigabytes is refused.

use std::io::{self, Read};

use super::archive::damaged;

pub(super) const BLOCK: usize = 512;

/// The longest member that only describes the next one. A path on any system is far shorter.
const MAX_DESCRIPTION: u64 = 1 << 20;

/// A member that names a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TarMember {
    /// Its name as it is stored.
    pub name: Vec<u8>,
    pub stored: Stored,
}

/// What a member holds of its file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Stored {
    Whole,
    /// Nothing: the file is under another name, given as it is stored.
    Link(Vec<u8>),
    /// The parts between its holes.
    Sparse,
    /// What did not fit into the volume before.
    Continued,
}

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

    /// The next header, beyond any zeros, or `None` at the end of the file.
    fn header(&mut self) -> io::Result<Option<[u8; BLOCK]>> {
        let rest = self.remaining + self.padding;
        let skipped = io::copy(&mut self.source.by_ref().take(rest), &mut io::sink())?;
        // Some writers leave out the padding after the last member.
        if skipped < self.remaining {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        (self.remaining, self.padding) = (0, 0);

        let mut after_zeros = false;
        loop {
            let mut header = [0; BLOCK];
            match self.fill(&mut header)? {
                BLOCK if header == [0; BLOCK] => after_zeros = true,
                BLOCK if checksum_is_right(&header) => return Ok(Some(header)),
                BLOCK if after_zeros => {
                    return Err(damaged("what follows its end is not another tar"));
                }
                BLOCK => return Err(damaged("a member's header has a wrong checksum")),
                0 => return Ok(None),
                // Too short to be anything; a mailer may have added a line.
                _ if after_zeros => return Ok(None),
                _ => return Err(io::ErrorKind::UnexpectedEof.into()),
            }
        }
    }

    /// Reads a block, or what there is of it at the end of the file.
    fn fill(&mut self, block: &mut [u8; BLOCK]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < BLOCK {
            match self.source.read(&mut block[filled..]) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }

    /// Passes over the list of a sparse file's parts, where it goes on behind the header.
    fn skip_sparse_map(&mut self) -> io::Result<()> {
        let mut block = [0; BLOCK];
        loop {
            if self.fill(&mut block)? < BLOCK {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            if block[504] == 0 {
                return Ok(());
            }
        }
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

    /// Goes on to the next member that names a file.
    pub(super) fn advance(&mut self) -> io::Result<Option<TarMember>> {
        let mut next = Description::default();
        while let Some(header) = self.header()? {
            let kind = header[156];
            let describes = matches!(kind, b'L' | b'K' | b'x' | b'g');
            let own_size =
                number(&header[124..136]).ok_or_else(|| damaged("a member has no valid size"))?;
            let size = if describes {
                own_size
            } else {
                next.size.unwrap_or(own_size)
            };
            if kind == b'S' && header[482] != 0 {
                self.skip_sparse_map()?;
            }
            // A link may give the size of what it leads to, which is not stored again; only pax
            // may do so.
            self.remaining = match kind {
                b'1' | b'2' if !next.is_pax => 0,
                _ => size,
            };
            self.padding = self.remaining.next_multiple_of(BLOCK as u64) - self.remaining;

            match kind {
                b'L' => next.name = Some(until_nul(&self.description()?)),
                b'K' => next.link = Some(until_nul(&self.description()?)),
                b'x' => next.add_pax(&self.description()?),
                b'g' => {}
                _ => {
                    let described = std::mem::take(&mut next);
                    if let Some(member) = described.member(kind, &header) {
                        return Ok(Some(member));
                    }
                }
            }
        }
        Ok(None)
    }
}

/// What the members before a member say about it.
#[derive(Default)]
struct Description {
    name: Option<Vec<u8>>,
    link: Option<Vec<u8>>,
    size: Option<u64>,
    is_pax: bool,
    /// The name of a sparse file, whose own is made up, or that it is one.
    sparse: Option<Option<Vec<u8>>>,
}

impl Description {
    fn add_pax(&mut self, text: &[u8]) {
        self.is_pax = true;
        for (key, value) in pax_records(text) {
            match key {
                b"path" => self.name = Some(value.to_vec()),
                b"linkpath" => self.link = Some(value.to_vec()),
                b"size" => self.size = decimal(value),
                b"GNU.sparse.name" => self.sparse = Some(Some(value.to_vec())),
                _ if key.starts_with(b"GNU.sparse.") => {
                    self.sparse.get_or_insert(None);
                }
                _ => {}
            }
        }
    }

    /// The member that this was about, if it names a file.
    fn member(self, kind: u8, header: &[u8; BLOCK]) -> Option<TarMember> {
        let Description {
            name, link, sparse, ..
        } = self;
        let stored = match kind {
            b'0' | b'7' | 0 if sparse.is_some() => Stored::Sparse,
            b'0' | b'7' | 0 => Stored::Whole,
            b'1' | b'2' => Stored::Link(link.unwrap_or_else(|| until_nul(&header[157..257]))),
            b'S' => Stored::Sparse,
            b'M' => Stored::Continued,
            _ => return None,
        };
        let name = sparse.flatten().or(name);
        let name = name.unwrap_or_else(|| short_name(header));
        // Before there was a flag for it, a slash at the end made a folder.
        (!name.ends_with(b"/")).then_some(TarMember { name, stored })
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

/// The text of a field that it need not fill.
fn until_nul(field: &[u8]) -> Vec<u8> {
    let text = field.split(|&byte| byte == 0).next();
    text.unwrap_or_default().to_vec()
}

/// The name in a header itself; POSIX puts the front of a longer one into a prefix field.
fn short_name(header: &[u8; BLOCK]) -> Vec<u8> {
    let name = until_nul(&header[..100]);
    if &header[257..263] != b"ustar\0" {
        return name;
    }
    let mut path = until_nul(&header[345..500]);
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
