//! What is worked on at a time: a file, or a part of a large one.
//!
//! A file of more than a megabyte is cut into pieces of some games each, which are worked on like
//! files. What comes of them is put together again in order, so that nobody who looks at the
//! output sees where the file was cut.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::finding::Finding;
use crate::input::{Entry, InputFile, LargeFile, Limits};
use crate::sgf::{self, Collection, Cutter, Cutting, FileEnd, Piece};

/// A file, or a part of one that was cut.
#[derive(Debug)]
#[non_exhaustive]
pub struct Part {
    /// The name of the file.
    pub name: String,
    /// What there was to say about it before it was parsed.
    pub findings: Vec<Finding>,
    content: Content,
    is_first: bool,
    is_last: bool,
}

#[derive(Debug)]
enum Content {
    /// Nothing could be read, as the findings say.
    Missing,
    Bytes(Vec<u8>),
    Piece(Box<Piece>),
}

impl From<InputFile> for Part {
    fn from(file: InputFile) -> Part {
        Part {
            name: file.name,
            findings: file.findings,
            content: file.bytes.map_or(Content::Missing, Content::Bytes),
            is_first: true,
            is_last: true,
        }
    }
}

impl Part {
    /// A file that is in memory, without a name.
    pub(super) fn whole(bytes: &[u8]) -> Part {
        Part {
            name: String::new(),
            findings: Vec::new(),
            content: Content::Bytes(bytes.to_vec()),
            is_first: true,
            is_last: true,
        }
    }

    /// Parses it; `None` if there is nothing to parse.
    pub fn parse(&self, limits: &sgf::Limits) -> Option<Collection<'_>> {
        match &self.content {
            Content::Missing => None,
            Content::Bytes(bytes) => Some(sgf::parse(bytes, limits)),
            Content::Piece(piece) => Some(sgf::parse_piece(piece, limits)),
        }
    }

    /// Whether it is all of a file.
    pub fn is_whole(&self) -> bool {
        self.is_first && self.is_last
    }

    /// Whether its file starts with it.
    pub fn is_first(&self) -> bool {
        self.is_first
    }

    /// Whether its file ends with it.
    pub fn is_last(&self) -> bool {
        self.is_last
    }

    /// The same part without anything in it, for when the work on it fails.
    pub(super) fn without_content(&self) -> EmptyPart {
        let game = match &self.content {
            Content::Piece(piece) if !self.is_whole() => piece.cut.extent.games_before + 1,
            _ => 0,
        };
        EmptyPart {
            name: self.name.clone(),
            game,
            is_first: self.is_first,
            is_last: self.is_last,
        }
    }

    /// How many bytes it holds in memory.
    pub(super) fn held(&self) -> usize {
        let content = match &self.content {
            Content::Missing => 0,
            Content::Bytes(bytes) => bytes.capacity(),
            Content::Piece(piece) => piece.text.capacity(),
        };
        self.name.len() + content
    }
}

/// See [`Part::without_content`].
pub(super) struct EmptyPart {
    name: String,
    /// The first game of a part; 0 of a whole file.
    game: u32,
    is_first: bool,
    is_last: bool,
}

impl EmptyPart {
    pub(super) fn with_finding(self, finding: Finding) -> Part {
        Part {
            name: self.name,
            findings: vec![finding.game(self.game)],
            content: Content::Missing,
            is_first: self.is_first,
            is_last: self.is_last,
        }
    }
}

/// A large file while it is cut.
pub(super) struct LargeInput {
    found: Entry,
    limits: Limits,
    record_limits: sgf::Limits,
    open: Option<(LargeFile, Cutter)>,
    /// What kept the rest of the file from being read.
    failure: Option<Finding>,
    is_over: bool,
}

impl LargeInput {
    pub(super) fn new(found: Entry, limits: &Limits, record_limits: &sgf::Limits) -> LargeInput {
        LargeInput {
            found,
            limits: limits.clone(),
            record_limits: record_limits.clone(),
            open: None,
            failure: None,
            is_over: false,
        }
    }

    /// How many bytes it holds in memory before it is opened.
    pub(super) fn held(&self) -> usize {
        self.found.held()
    }

    /// The next part, and how many bytes of the disk were read for it. `None` at the end of the
    /// file, and when the run is over before that.
    pub(super) fn next(&mut self, is_run_over: impl Fn() -> bool) -> Option<(Part, u64)> {
        if self.is_over {
            return None;
        }
        // A decoder that meets bytes its author never thought of must not end the run.
        let part = catch_unwind(AssertUnwindSafe(|| self.cut_next(is_run_over)));
        let part = part.unwrap_or_else(|panic| {
            let is_first = self
                .open
                .as_ref()
                .is_none_or(|(_, cutter)| cutter.is_first());
            Some(self.failed(Finding::internal_error(&*panic), is_first))
        })?;
        self.is_over = part.is_last;
        let consumed = self.open.as_ref().map(|(file, _)| file.newly_consumed());
        Some((part, self.found.take_consumed() + consumed.unwrap_or(0)))
    }

    fn cut_next(&mut self, is_run_over: impl Fn() -> bool) -> Option<Part> {
        if self.open.is_none() {
            let cutter = Cutter::new(&self.record_limits, self.limits.max_game_size);
            match self.found.open(&self.limits) {
                Ok(file) => self.open = Some((file, cutter)),
                Err(finding) => return Some(self.failed(finding, true)),
            }
        }
        loop {
            let Some((file, cutter)) = &mut self.open else {
                unreachable!("it was opened above")
            };
            if let Some(cutting) = cutter.next() {
                return Some(self.part(cutting));
            }
            if let Some(finding) = self.failure.take() {
                let is_first = cutter.is_first();
                return Some(self.failed(finding, is_first));
            }
            // A file without an end may have no game either.
            if is_run_over() {
                return None;
            }
            let wanted = cutter.wanted();
            let before = cutter.buffer().len();
            let end = match file.read(wanted, cutter.buffer()) {
                Ok(()) if cutter.buffer().len() - before < wanted => FileEnd::Here,
                Ok(()) => FileEnd::Later,
                Err(finding) => {
                    self.failure = Some(finding);
                    FileEnd::Unknown
                }
            };
            cutter.cut(end);
        }
    }

    fn part(&mut self, cutting: Cutting) -> Part {
        let (content, finding, is_first, is_last) = match cutting {
            Cutting::Piece(piece) => {
                let (is_first, is_last) = (piece.cut.is_first, piece.cut.is_last);
                (Content::Piece(Box::new(piece)), None, is_first, is_last)
            }
            Cutting::TooLarge {
                game,
                is_first,
                is_last,
            } => {
                let what = if game == 0 { "file" } else { "game" };
                let finding = self.limits.too_large(what).game(game);
                (Content::Missing, Some(finding), is_first, is_last)
            }
        };
        let mut findings = self.found.take_findings();
        findings.extend(finding);
        Part {
            name: self.found.name().to_owned(),
            findings,
            content,
            is_first,
            is_last,
        }
    }

    /// The last part: what went wrong.
    fn failed(&mut self, finding: Finding, is_first: bool) -> Part {
        let mut findings = self.found.take_findings();
        findings.push(finding);
        Part {
            name: self.found.name().to_owned(),
            findings,
            content: Content::Missing,
            is_first,
            is_last: true,
        }
    }
}
