//! A large file is cut into pieces of some games each.
//!
//! Collections come as one file of gigabytes. The [`Cutter`] takes the bytes of such a file as
//! they are read and gives out [`Piece`]s: runs of whole games, as text, each with all that is
//! needed to parse it alone and yet count games, lines and columns from the start of the file.
//! The pieces can then be parsed at the same time and in any order, and what is found in them is
//! what would have been found in the file as a whole.
//!
//! Where a game starts is not decided here but by the scanner, which runs over the text without
//! building anything ([`scan::game_starts`]) and knows about values, escapes and missing brackets. It
//! is believed only as long as it has not looked beyond the text that is there. Three things
//! are decided here, all of them about what is too large to be right:
//!
//! - A game that has grown to a megabyte ends before a `(` that starts with a header: a `)` is
//!   missing, where the game that follows does not begin with `GM` or `FF` and so looks like a
//!   variation.
//! - A game that is larger than a game may be is not kept, nor is one without an end in sight
//!   because too many parentheses are open. The next one starts where a `(` with a header follows
//!   a `)` or starts a line.
//! - The charset is decided on what is read first and holds for the file, as long as what is read
//!   later can be in it.

use std::collections::VecDeque;

use super::charset::{CharsetSource, PartDecoder};
use super::limits::Limits;
use super::lines::place_after;
use super::scan::{self, Extent, Start};
use crate::finding::Place;

/// How much is read at a time.
const BLOCK: usize = 256 << 10;

/// A piece has this many bytes and a game more, or this many games: enough to make the cost of
/// handing it out small, few enough to keep many threads busy.
const PIECE: usize = 64 << 10;
const MOST_GAMES: u32 = 256;

/// A game of this size is looked at with suspicion.
const LARGE_GAME: usize = 1 << 20;

/// How much of the text before and after a piece is kept with it. What is before it on the same
/// line can be shown, and what follows can be looked at: a `]` that is missing is noticed by what
/// stands before the next one.
const CONTEXT: usize = 512;

/// Some games of a file, with a bit of the text around them.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub text: String,
    pub cut: Cut,
}

/// Where a text stands in its file, and what is known of it from there.
#[derive(Clone, Debug)]
pub(crate) struct Cut {
    /// The place of the text's first character.
    pub start: Place,
    pub extent: Extent,
    /// Whether it is the first piece of its file, and the last.
    pub is_first: bool,
    pub is_last: bool,
    pub charset: &'static str,
    /// Where the charset is known from.
    pub charset_source: CharsetSource,
    /// Whether an earlier piece has reported that.
    pub charset_is_known: bool,
    /// How many characters could not be read.
    pub broken: usize,
}

impl Cut {
    /// A file that was not cut.
    pub(crate) fn whole(text: &str) -> Cut {
        Cut {
            start: Place { line: 1, column: 1 },
            extent: Extent::whole(text),
            is_first: true,
            is_last: true,
            charset: "",
            charset_source: CharsetSource::File,
            charset_is_known: false,
            broken: 0,
        }
    }

    /// Whether this is all of the file.
    pub(crate) fn is_whole(&self) -> bool {
        self.is_first && self.is_last
    }
}

/// What comes out of a file that is cut.
#[derive(Debug)]
pub(crate) enum Cutting {
    Piece(Piece),
    /// Something that was too large to be kept: the game with this number, or what stands before
    /// the first game if that is 0.
    TooLarge {
        game: u32,
        is_first: bool,
        is_last: bool,
    },
}

/// Whether a file ends where the buffer does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileEnd {
    Later,
    Here,
    /// The rest can't be read. Whoever cuts the file has a last word on that.
    Unknown,
}

/// Cuts a file into pieces.
pub(crate) struct Cutter {
    limits: Limits,
    max_game_size: usize,
    /// How much to read at a time, and the size of a piece.
    block: usize,
    piece: usize,
    /// What was read and is not text yet.
    raw: Vec<u8>,
    decoder: PartDecoder,
    /// Text that is not in a piece yet, and a bit before it.
    text: String,
    /// Where the next piece starts in it, as an offset and as a place, and how many games stand
    /// before that in the file.
    from: usize,
    from_place: Place,
    games_before: u32,
    /// The last start of a game that is known. Everything up to there has been scanned.
    known: Start,
    /// The number of the last game that is in sight.
    open_game: u32,
    /// Set when what follows is of a game that was too large: its number.
    skipping: Option<u32>,
    ready: VecDeque<Cutting>,
    is_first: bool,
    /// Whether the last piece is ready.
    is_done: bool,
    charset_source: CharsetSource,
    charset_is_known: bool,
    any_broken: bool,
}

impl Cutter {
    /// For a file whose games may have so many bytes each.
    pub(crate) fn new(limits: &Limits, max_game_size: u64) -> Cutter {
        // Offsets in a piece have 32 bits.
        let most = u64::from(u32::MAX / 2);
        Cutter {
            limits: limits.clone(),
            max_game_size: max_game_size.min(most) as usize,
            block: BLOCK,
            piece: PIECE,
            raw: Vec::new(),
            decoder: PartDecoder::default(),
            text: String::new(),
            from: 0,
            from_place: Place { line: 1, column: 1 },
            games_before: 0,
            known: Start {
                at: 0,
                games_before: 0,
            },
            open_game: 0,
            skipping: None,
            ready: VecDeque::new(),
            is_first: true,
            is_done: false,
            charset_source: CharsetSource::File,
            charset_is_known: false,
            any_broken: false,
        }
    }

    /// The next piece that is ready.
    pub(crate) fn next(&mut self) -> Option<Cutting> {
        self.ready.pop_front()
    }

    /// Whether nothing was given out yet.
    pub(crate) fn is_first(&self) -> bool {
        self.is_first
    }

    /// How many bytes of the file to put into the buffer next. A game without an end in sight
    /// asks for as many as it has, so that it is not scanned too often.
    pub(crate) fn wanted(&self) -> usize {
        self.block.max(self.text.len() - self.known.at)
    }

    /// Where to put them.
    pub(crate) fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.raw
    }

    /// Cuts what was put into the buffer; at the end of the file all of it is given out.
    pub(crate) fn cut(&mut self, end: FileEnd) {
        let at_end = end != FileEnd::Later;
        self.decode(at_end);
        if self.skipping.is_some() {
            self.resume();
        }
        while self.skipping.is_none() && !self.is_done && self.cut_at_starts(at_end) {}
        if at_end && !self.is_done {
            self.give_rest(end == FileEnd::Here);
        }
        self.forget_what_was_given_out();
    }

    fn decode(&mut self, at_end: bool) {
        let decoded = self.decoder.decode(&mut self.raw, at_end, &mut self.text);
        if let Some(source) = decoded.new_source {
            self.charset_source = source;
            self.charset_is_known = false;
        }
        self.any_broken |= decoded.broken > 0;
    }

    /// Looks for starts of games behind the last known one and gives out what lies between them;
    /// true if there is more to find.
    fn cut_at_starts(&mut self, at_end: bool) -> bool {
        let starts = scan::game_starts(&self.text, self.known.at, at_end, &self.limits);
        let before = self.known.games_before;
        let in_file = |start: Start| Start {
            games_before: before + start.games_before,
            ..start
        };
        for start in starts.starts.iter().copied().map(in_file) {
            // What follows is to go with the piece.
            if start.at + CONTEXT > self.text.len() && !at_end {
                return false;
            }
            self.pass(start);
            let games = start.games_before - self.games_before;
            if start.at - self.from >= self.piece || games >= MOST_GAMES {
                self.give(start);
            }
            if self.is_done {
                return false;
            }
        }
        self.open_game = before + starts.games();
        let open_game = self.known;
        let size = self.text.len() - open_game.at;
        let resumes = match starts.too_deep {
            Some(stopped) => scan::find_start(&self.text, stopped).map(|at| Start {
                at,
                games_before: before + starts.games(),
            }),
            None if size < LARGE_GAME => None,
            None => starts
                .possible_starts
                .iter()
                .copied()
                .map(in_file)
                .find(|start| start.at > open_game.at),
        };
        if let Some(start) = resumes {
            // A game that is not closed, or too deep, gets a piece of its own: what stands before
            // it is well.
            self.give(open_game);
            self.pass(start);
            self.give(start);
            return true;
        }
        if size > self.max_game_size && !at_end {
            self.give(open_game);
            self.skipping = Some(self.open_game);
            // The start of the next game may be half there.
            let kept = char_boundary(&self.text, self.text.len().saturating_sub(CONTEXT));
            self.skip_to(kept.max(self.from));
        }
        false
    }

    /// Goes on to the next known start of a game, and leaves out the game before it if that is too
    /// large.
    fn pass(&mut self, start: Start) {
        let last = std::mem::replace(&mut self.known, start);
        let has_game = start.games_before > last.games_before;
        if has_game && start.at - last.at > self.max_game_size {
            self.give(last);
            self.leave_out(last.games_before + 1, false);
            self.advance_to(start);
        }
    }

    /// Looks for the end of a game that is too large.
    fn resume(&mut self) {
        let Some(game) = self.skipping else { return };
        match scan::find_start(&self.text, self.from) {
            Some(at) => {
                self.skipping = None;
                self.leave_out(game, false);
                self.skip_to(at);
                self.games_before = game;
                self.known.games_before = game;
            }
            None => {
                let kept = char_boundary(&self.text, self.text.len().saturating_sub(CONTEXT));
                self.skip_to(kept.max(self.from));
            }
        }
    }

    fn skip_to(&mut self, at: usize) {
        self.advance_to(Start { at, ..self.known });
    }

    fn leave_out(&mut self, game: u32, is_last: bool) {
        self.ready.push_back(Cutting::TooLarge {
            game,
            is_first: std::mem::take(&mut self.is_first),
            is_last,
        });
    }

    /// Gives out what is left at the end of the file.
    fn give_rest(&mut self, is_last: bool) {
        self.is_done = true;
        if let Some(game) = self.skipping {
            self.leave_out(game, is_last);
        } else if self.text.len() - self.known.at > self.max_game_size {
            self.give(self.known);
            self.leave_out(self.open_game, is_last);
        } else if is_last || self.open_game > self.games_before {
            let end = Start {
                at: self.text.len(),
                games_before: u32::MAX,
            };
            self.make_piece(end, is_last);
        }
    }

    /// Gives out the text up to the start of a game, unless it holds none: text before the first
    /// game belongs to that game.
    fn give(&mut self, end: Start) {
        if end.games_before > self.games_before {
            // One game too many is reported by whoever parses it; there is no need to read on.
            let is_last = end.games_before as usize > self.limits.games;
            self.is_done |= is_last;
            self.make_piece(end, is_last);
        }
    }

    fn make_piece(&mut self, end: Start, is_last: bool) {
        let (from, to) = (self.from, end.at);
        let (head, tail) = (self.context_before(from), self.context_after(to));
        let columns = self.text[head..from].chars().count() as u32;
        let broken = match self.any_broken {
            true => self.text[from..to]
                .matches(char::REPLACEMENT_CHARACTER)
                .count(),
            false => 0,
        };
        let cut = Cut {
            start: Place {
                line: self.from_place.line,
                column: self.from_place.column - columns,
            },
            extent: Extent {
                body: from - head..to - head,
                games_before: self.games_before,
                followed: to < self.text.len(),
            },
            is_first: std::mem::take(&mut self.is_first),
            is_last,
            charset: self.decoder.charset(),
            charset_source: self.charset_source.clone(),
            charset_is_known: std::mem::replace(&mut self.charset_is_known, true),
            broken,
        };
        let text = self.text[head..tail].to_owned();
        self.ready.push_back(Cutting::Piece(Piece { text, cut }));
        self.advance_to(end);
    }

    /// Moves the start of the next piece.
    fn advance_to(&mut self, start: Start) {
        let passed = &self.text[self.from..start.at];
        self.from_place = place_after(passed, self.from_place);
        self.from = start.at;
        self.games_before = start.games_before;
        self.known.at = self.known.at.max(start.at);
    }

    /// Where the line of a place starts, or what is kept of it.
    fn context_before(&self, at: usize) -> usize {
        let from = char_boundary(&self.text, at.saturating_sub(CONTEXT));
        let line = &self.text.as_bytes()[from..at];
        memchr::memrchr2(b'\n', b'\r', line).map_or(from, |found| from + found + 1)
    }

    fn context_after(&self, at: usize) -> usize {
        char_boundary(&self.text, (at + CONTEXT).min(self.text.len()))
    }

    fn forget_what_was_given_out(&mut self) {
        let head = self.context_before(self.from);
        self.text.drain(..head);
        self.from -= head;
        self.known.at -= head;
    }
}

/// The next place that is not within a character, from there backwards.
fn char_boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// A file that is cut, held against the same file in one.
#[cfg(any(test, fuzzing))]
pub(super) mod comparison {
    use super::*;
    use crate::sgf::{Collection, parse, parse_piece};

    /// Cuts a file that comes in blocks of this size into pieces of that size.
    pub(super) fn cut(bytes: &[u8], block: usize, piece: usize, cutter: Cutter) -> Vec<Cutting> {
        let mut cutter = Cutter {
            block,
            piece,
            ..cutter
        };
        let mut rest = bytes;
        let mut cuttings = Vec::new();
        while !cutter.is_done {
            let (now, later) = rest.split_at(cutter.wanted().min(rest.len()));
            rest = later;
            cutter.buffer().extend_from_slice(now);
            cutter.cut(match rest.is_empty() {
                true => FileEnd::Here,
                false => FileEnd::Later,
            });
            cuttings.extend(std::iter::from_fn(|| cutter.next()));
        }
        cuttings
    }

    fn cutter() -> Cutter {
        Cutter::new(&Limits::default(), 1 << 20)
    }

    pub(super) fn pieces(bytes: &[u8], block: usize, piece: usize) -> Vec<Piece> {
        cut(bytes, block, piece, cutter())
            .into_iter()
            .map(|cutting| match cutting {
                Cutting::Piece(piece) => piece,
                Cutting::TooLarge { .. } => panic!("{cutting:?}"),
            })
            .collect()
    }

    /// What a user gets to see: each game with what its moves and places are, each finding with its
    /// source line.
    fn seen(collections: &[Collection]) -> Vec<String> {
        let (mut games, mut findings) = (Vec::new(), Vec::new());
        for collection in collections {
            games.extend(collection.to_sgf(&[]).lines().map(str::to_owned));
            for game in &collection.games {
                let steps = game.main_line.iter().map(|step| (step.place, &step.kind));
                let steps: Vec<_> = steps.collect();
                games.push(format!("{} {:?} {steps:?}", game.number, game.header));
            }
            let mut lines = collection.lines();
            for finding in &collection.findings {
                let line = lines.source_line(finding.place);
                let line = line.map(|line| {
                    // More than that is never shown.
                    let before: String = line.before.chars().rev().take(100).collect();
                    let after: String = line.after.chars().take(100).collect();
                    format!("{before}^{after}")
                });
                findings.push(format!("{finding:?} {line:?}"));
            }
        }
        games.sort();
        findings.sort();
        [games, findings].concat()
    }

    /// The pieces are parsed as the whole is.
    pub(crate) fn assert_same(bytes: &[u8], block: usize, piece: usize) {
        let whole = parse(bytes, &Limits::default());
        let pieces = pieces(bytes, block, piece);
        assert!(pieces[0].cut.is_first && pieces.last().unwrap().cut.is_last);
        let parsed: Vec<Collection> = pieces
            .iter()
            .map(|piece| parse_piece(piece, &Limits::default()))
            .collect();
        let text = String::from_utf8_lossy(bytes);
        let (found, expected) = (seen(&parsed), seen(&[whole]));
        // The lists are long, so only what differs is shown.
        let missing: Vec<_> = expected
            .iter()
            .filter(|seen| !found.contains(seen))
            .collect();
        let extra: Vec<_> = found
            .iter()
            .filter(|seen| !expected.contains(seen))
            .collect();
        assert!(
            found == expected,
            "{text}\nmissing: {missing:#?}\nextra: {extra:#?}"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::comparison::{assert_same, cut, pieces};
    use super::*;
    use crate::finding::{Code, Finding};
    use crate::sgf::{Collection, parse, parse_piece};
    use proptest::prelude::*;

    const GAMES: &str = "text before (not SGF)\n\
        (;GM[1]SZ[9]C[a (;GM[1\\] b\\]];B[aa](;W[bb])(;W[cc]))(;SZ[9]PB[x];B[ab];W[zz])\n\
        (;GM[1]SZ[9];B[aa\n(;FF[4]SZ[9];B[aa];W[aa]\n\
        (;FF[4]SZ[9]C[un] escaped];B[bb]) between\n\
        (;SZ[9];B[cc]));W[dd])\r\n\r(;GM[1]KM[x]SZ[9]C[\n\n];B[ee]) after";

    #[test]
    fn pieces_are_parsed_as_the_file_as_a_whole_is() {
        for block in [1, 3, 10, 40, 100, 1000] {
            for piece in [1, 50, 100] {
                assert_same(GAMES.as_bytes(), block, piece);
            }
        }
        assert!(pieces(GAMES.as_bytes(), 40, 1).len() >= 6);
    }

    #[test]
    fn a_file_on_one_line_keeps_its_columns() {
        let game = "(;GM[1]SZ[9]PB[棋];B[aa];W[aa])";
        for count in [3, 100] {
            assert_same(game.repeat(count).as_bytes(), 100, 60);
        }
    }

    #[test]
    fn charsets_are_those_of_the_whole_file() {
        use encoding_rs::{GBK, SHIFT_JIS, UTF_16LE, WINDOWS_1252};
        let ascii = "(;GM[1]SZ[9];B[aa];W[bb])\n";
        for (name, charset) in [
            ("黑中盘胜 古力", GBK),
            ("藤沢秀行 リーグ ソ表", SHIFT_JIS),
            ("Müller Gérard", WINDOWS_1252),
        ] {
            for claim in ["", "CA[gb2312]", "CA[UTF-8]"] {
                let game = format!("(;GM[1]SZ[9]{claim}PB[{name}]PW[{name}];B[aa];W[aa])\n");
                let text = ascii.repeat(20) + &game.repeat(60);
                let bytes = charset.encode(&text).0;
                if parse(&bytes, &Limits::default()).games[25].header.black == name {
                    assert_same(&bytes, 500, 200);
                }
            }
        }
        let text = "(;GM[1]SZ[9]PB[棋譜];B[aa];W[aa])\n".repeat(50);
        assert_same(text.as_bytes(), 101, 60);
        let marked: Vec<u8> = [b"\xef\xbb\xbf", text.as_bytes()].concat();
        assert_same(&marked, 101, 60);
        for mark in ["", "\u{feff}"] {
            let units = mark.encode_utf16().chain(text.encode_utf16());
            let bytes: Vec<u8> = units.flat_map(u16::to_le_bytes).collect();
            assert_eq!(UTF_16LE.decode(&bytes).0, text);
            assert_same(&bytes, 101, 60);
        }
    }

    #[test]
    fn a_file_that_was_put_together_may_be_in_several_charsets() {
        let game = |name: &str| format!("(;GM[1]SZ[9]PB[{name}]PW[{name}];B[aa])\n").repeat(40);
        let first = game("黑中盘胜").into_bytes();
        let second = encoding_rs::GBK.encode(&game("古力古力")).0.into_owned();
        let pieces = pieces(&[first, second].concat(), 500, 100);
        let parsed: Vec<Collection> = pieces
            .iter()
            .map(|piece| parse_piece(piece, &Limits::default()))
            .collect();
        let games: Vec<_> = parsed.iter().flat_map(|parsed| &parsed.games).collect();
        assert_eq!(games.len(), 80);
        assert_eq!(games[0].header.black, "黑中盘胜");
        assert_eq!(games[79].header.black, "古力古力");
        let findings = parsed.iter().flat_map(|parsed| &parsed.findings);
        let guesses = findings.filter(|finding| finding.code == Code::CharsetGuessed);
        assert_eq!(guesses.count(), 1);
    }

    #[test]
    fn what_is_broken_is_reported_with_its_game() {
        let game = "(;GM[1]SZ[9]CA[UTF-8]PB[棋];B[aa])\n";
        let mut bytes = game.repeat(20).into_bytes();
        bytes[game.len() * 7 + 24] = b'x';
        bytes[game.len() * 12 + game.len() - 1] = 0;
        let pieces = pieces(&bytes, 100, 60);
        let findings: Vec<Finding> = pieces
            .iter()
            .flat_map(|piece| parse_piece(piece, &Limits::default()).findings)
            .collect();
        let found: Vec<(Code, u32)> = findings
            .iter()
            .map(|finding| (finding.code, finding.game))
            .collect();
        assert_eq!(found, [(Code::CharsetBroken, 8), (Code::NulBytes, 13)]);
    }

    #[test]
    fn a_game_without_an_end_stops_before_the_next_header() {
        let moves = ";B[aa];W[bb]\n".repeat(LARGE_GAME / 13 + 1);
        let open = format!("(;SZ[9]PB[open]{moves}");
        let games = format!("(;SZ[9]PB[first])\n{open}\n{open}\n(;SZ[9]PB[last];B[aa])");
        let cutter = Cutter::new(&Limits::default(), 32 << 20);
        let cuttings = cut(games.as_bytes(), BLOCK, PIECE, cutter);
        let mut players = Vec::new();
        for cutting in &cuttings {
            let Cutting::Piece(piece) = cutting else {
                panic!("{cutting:?}")
            };
            let parsed = parse_piece(piece, &Limits::default());
            for game in parsed.games {
                players.push((game.number, game.header.black));
            }
            let is_unclosed = |finding: &Finding| finding.code == Code::MissingClose;
            let unclosed = parsed
                .findings
                .iter()
                .filter(|&finding| is_unclosed(finding));
            let is_open = players.last().unwrap().1 == "open";
            assert_eq!(unclosed.count(), usize::from(is_open));
        }
        let expected = ["first", "open", "open", "last"];
        assert!(
            players
                .into_iter()
                .eq((1..).zip(expected.map(String::from)))
        );
    }

    #[test]
    fn what_is_too_large_is_left_out() {
        let game = |moves: usize| format!("(;GM[1]SZ[9]{})\n", ";B[aa]".repeat(moves));
        let games = [1, 1, 900, 1, 20, 900, 900, 1, 900].map(game).concat();
        let cuttings = |block| {
            let cutter = Cutter::new(&Limits::default(), 1000);
            let mut numbers = Vec::new();
            let cuttings = cut(games.as_bytes(), block, 100, cutter);
            for cutting in &cuttings {
                match cutting {
                    Cutting::TooLarge { game, .. } => numbers.push((*game, 0)),
                    Cutting::Piece(piece) => {
                        let games = parse_piece(piece, &Limits::default()).games;
                        let size = |step: &crate::sgf::Step| step.place.line;
                        let found = games
                            .iter()
                            .map(|game| (game.number, size(&game.main_line[0])));
                        numbers.extend(found);
                    }
                }
            }
            let is_last = match cuttings.last().unwrap() {
                Cutting::TooLarge { is_last, .. } => *is_last,
                Cutting::Piece(piece) => piece.cut.is_last,
            };
            assert!(is_last);
            numbers
        };
        let expected = [0, 0, 3, 0, 0, 6, 7, 0, 9];
        for block in [50, 1000, 7000, 100_000] {
            let found = cuttings(block);
            let expected = (1..).zip(expected).map(|(number, large)| match large {
                0 => (number, number),
                _ => (number, 0),
            });
            assert!(found.iter().copied().eq(expected), "{block}: {found:?}");
        }
        let nothing = "no game at all ".repeat(100);
        let cutter = Cutter::new(&Limits::default(), 1000);
        let cuttings = cut(nothing.as_bytes(), 100, 100, cutter);
        assert!(matches!(cuttings[..], [Cutting::TooLarge { game: 0, .. }]));
    }

    #[test]
    fn a_game_that_is_too_deep_costs_itself_alone() {
        let limits = Limits {
            depth: 50,
            ..Limits::default()
        };
        let game = "(;GM[1]SZ[9];B[aa])\n";
        let deep = format!("(;GM[1]SZ[9]{}\n", "(;B[aa]".repeat(90));
        let games = [game, game, &deep, game].concat();
        for block in [30, 300, 3000] {
            let cutter = Cutter::new(&limits, 1 << 20);
            let mut numbers = Vec::new();
            for cutting in cut(games.as_bytes(), block, 10, cutter) {
                let Cutting::Piece(piece) = cutting else {
                    panic!("{cutting:?}")
                };
                let parsed = parse_piece(&piece, &limits);
                let findings = parsed.findings.iter();
                let too_deep = findings.filter(|finding| finding.code == Code::TooDeep);
                let too_deep = too_deep.map(|finding| finding.game).collect::<Vec<_>>();
                numbers.extend(parsed.games.iter().map(|game| game.number));
                assert_eq!(
                    too_deep,
                    if numbers.last() == Some(&3) {
                        vec![3]
                    } else {
                        vec![]
                    }
                );
            }
            assert_eq!(numbers, [1, 2, 3, 4]);
        }
    }

    #[test]
    fn one_game_too_many_ends_the_file() {
        let limits = Limits {
            games: 7,
            ..Limits::default()
        };
        let games = "(;GM[1]SZ[9];B[aa])\n".repeat(100);
        let cuttings = cut(games.as_bytes(), 50, 50, Cutter::new(&limits, 1 << 20));
        let (mut count, mut reported) = (0, Vec::new());
        for cutting in cuttings {
            let Cutting::Piece(piece) = cutting else {
                panic!("{cutting:?}")
            };
            let parsed = parse_piece(&piece, &limits);
            count += parsed.games.len();
            reported.extend(parsed.findings.iter().map(|finding| finding.code));
        }
        assert_eq!((count, reported), (7, vec![Code::TooManyGames]));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn no_soup_of_brackets_is_parsed_otherwise_in_pieces(
            parts in proptest::collection::vec(
                proptest::sample::select(vec![
                    "(", ")", ";", "[", "]", "\\", ";B[aa]", "C[", "PB[", " x", "\n", "棋",
                    "(;GM[1]", "(;FF[4]SZ[9]", "AB[aa:zz]", "W", "(;SZ[9]", "(;B[bb]", ")\n(",
                    "KM[3 1/0]", "SZ[", "Black", "C[a]",
                ]),
                // More than the context of a piece, so that there is something to cut.
                0..600,
            ),
            block in 1usize..900,
            piece in 1usize..60,
        ) {
            assert_same(parts.concat().as_bytes(), block, piece);
        }
    }
}
