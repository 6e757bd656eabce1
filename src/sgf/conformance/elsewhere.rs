//! Faults that were reported when the game was parsed and replayed.
//!
//! `KM[6,5]` is no number as `FF[4]` has it. The parser has reported that it was read as 6.5, and
//! to say so twice would be to count one fault as two. The finding that says what was made of it
//! stays, and becomes as severe as the one that would say what the standard wants: whoever asks for
//! conformance is not to be told that all is well.

use crate::finding::{Code, Finding, Severity};
use crate::sgf::Key;
use crate::sgf::lines::LineFinder;

/// The findings, by where in the text they are, that stand for a fault against the standard.
#[derive(Debug, Default)]
pub(crate) struct Elsewhere {
    /// The offset, the code, and the index of each, in order.
    found: Vec<(u32, Code, usize)>,
    /// How severe those are that stand for a fault, by their index.
    severities: Vec<(usize, Severity)>,
}

impl Elsewhere {
    /// From findings in the order of their places.
    pub(crate) fn new(findings: &[Finding], mut lines: LineFinder) -> Elsewhere {
        let mut found = Vec::new();
        for (index, finding) in findings.iter().enumerate() {
            if STANDING_IN.contains(&finding.code)
                && let Some(offset) = lines.offset(finding.place)
            {
                found.push((offset as u32, finding.code, index));
            }
        }
        found.sort_unstable();
        Elsewhere {
            found,
            severities: Vec::new(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Whether one of these codes was reported at one of these offsets; what was takes the severity
    /// of the fault for which it stands.
    pub(super) fn has(&mut self, offsets: &[u32], codes: &[Code], severity: Severity) -> bool {
        let before = self.severities.len();
        for &offset in offsets {
            let first = self.found.partition_point(|&(at, ..)| at < offset);
            let here = self.found[first..].iter();
            let here = here.take_while(|&&(at, ..)| at == offset);
            let standing = here.filter(|(_, code, _)| codes.contains(code));
            self.severities
                .extend(standing.map(|&(.., index)| (index, severity)));
        }
        self.severities.len() > before
    }

    /// Makes the findings as severe as the faults for which they stand.
    pub(crate) fn raise(self, findings: &mut [Finding]) {
        for (index, severity) in self.severities {
            let finding = &mut findings[index];
            finding.severity = finding.severity.max(severity);
        }
    }
}

/// The codes that may stand for one of ours.
const STANDING_IN: [Code; 17] = [
    Code::DuplicateProperty,
    Code::SizeUnreadable,
    Code::BoardTooLarge,
    Code::KomiConverted,
    Code::KomiUnreadable,
    Code::HandicapConverted,
    Code::HandicapUnreadable,
    Code::ResultUnreadable,
    Code::UnreadableMove,
    Code::UnreadablePoint,
    Code::UnreadablePlayer,
    Code::SeveralValues,
    Code::LoosePoint,
    Code::OffBoard,
    Code::SeveralMoves,
    Code::SetupAndMove,
    Code::SetupConflict,
];

/// The codes under which the parser and the replay report the same fault, of a property if it is
/// one of its values.
pub(super) fn counterparts(code: Code, key: Option<Key>) -> &'static [Code] {
    match (code, key) {
        (Code::Ff4Value, Some(key)) => match key {
            Key::SZ => &[Code::SizeUnreadable, Code::BoardTooLarge],
            Key::KM => &[Code::KomiConverted, Code::KomiUnreadable],
            Key::HA => &[Code::HandicapConverted, Code::HandicapUnreadable],
            Key::PL => &[Code::UnreadablePlayer],
            Key::B | Key::W => &[Code::UnreadableMove, Code::LoosePoint, Code::SeveralValues],
            Key::AB | Key::AW | Key::AE => &[Code::UnreadablePoint, Code::LoosePoint],
            _ => &[],
        },
        (Code::Ff4Result, _) => &[Code::ResultUnreadable],
        (Code::Ff4OffBoard, Some(Key::B | Key::W | Key::AB | Key::AW | Key::AE)) => {
            &[Code::OffBoard]
        }
        (Code::Ff4PropertyTwice, _) => &[Code::DuplicateProperty, Code::SeveralMoves],
        (Code::Ff4SeveralMoves, _) => &[Code::SeveralMoves],
        (Code::Ff4SetupAndMove, _) => &[Code::SetupAndMove],
        _ => &[],
    }
}
