//! The files of an output folder that could not be written.

use super::Failure;

/// How many of them are named; a full disk may refuse a million.
const MOST_NAMED: usize = 100;

/// How many could not be written, and why.
#[derive(Debug, Default)]
pub(super) struct UnwrittenFiles {
    count: u64,
    /// A sentence for each of the first.
    sentences: Vec<String>,
}

impl UnwrittenFiles {
    /// Takes note of one more; the sentence names it and says why.
    pub(super) fn add(&mut self, sentence: String) {
        self.count += 1;
        if self.sentences.len() < MOST_NAMED {
            self.sentences.push(sentence);
        }
    }

    /// The failure that they are, if there are any.
    pub(super) fn failure(self) -> Option<Failure> {
        let UnwrittenFiles { count, sentences } = self;
        let more = count - sentences.len() as u64;
        let message = match count {
            0 => return None,
            1 => sentences.concat(),
            _ => format!(
                "{count} files can't be written:\n  {}",
                sentences.join("\n  ")
            ),
        };
        let more = match more {
            0 => String::new(),
            _ => format!("\n  … and {more} more."),
        };
        Some(Failure::Message(message + &more))
    }
}
