//! A forest of small trees, which turns a list of numbers into a probability.
//!
//! Every tree asks the same few questions of every case, "is feature *f* above *t*?", and the
//! answers together pick one number from the tree's table. The sum over all trees is the log-odds.
//! Trees of this shape (symmetric or *oblivious* trees) are as good as others for boosting, hard to
//! overfit, and a table look-up to evaluate.
//!
//! The forests are fitted by `examples/train`, which also writes the files that are read here. In
//! front of each forest stand a few lines of text: the version of the format, the names of the
//! features in their order, and a hash of the games that it was fitted to. A forest asks for
//! features by their number, so one that was fitted to other features than the code has would
//! answer nonsense; it is refused. `docs/forests.md` says where the present files come from.

use std::fmt;

/// The first line of a forest: what it is, and the version of the format.
const TITLE: &str = "kifu forest 1";

/// Why a file is not the forest that the code needs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ForestError {
    /// It does not start like a forest in this version of the format.
    Format,
    /// It was fitted to other features: the first that differs, in the file and in the code.
    Features(Option<String>, Option<String>),
    /// It ends too early, or asks for features that it does not name.
    Damaged,
}

impl fmt::Display for ForestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |name: &Option<String>| name.clone().unwrap_or_else(|| "nothing".to_string());
        match self {
            ForestError::Format => write!(f, "the forest does not start with `{TITLE}`"),
            ForestError::Features(found, expected) => write!(
                f,
                "the forest was fitted to other features: {} in place of {}",
                name(found),
                name(expected)
            ),
            ForestError::Damaged => f.write_str("the forest is damaged"),
        }
    }
}

impl std::error::Error for ForestError {}

/// The questions of one tree, and its answers.
#[derive(Clone, Debug, PartialEq)]
pub struct DecisionTree {
    /// Feature and threshold; the answer to question *i* is bit *i* of the index into the table.
    pub questions: Vec<(u8, f32)>,
    /// 2ⁿ numbers for n questions.
    pub answers: Vec<f32>,
}

/// A fitted forest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forest {
    /// The log-odds before any tree has spoken.
    pub bias: f32,
    /// What is added to them.
    pub trees: Vec<DecisionTree>,
}

impl Forest {
    /// The log-odds of a case.
    #[inline]
    pub fn log_odds(&self, features: &[f32]) -> f32 {
        let mut sum = self.bias;
        for tree in &self.trees {
            let mut index = 0;
            for (i, &(feature, threshold)) in tree.questions.iter().enumerate() {
                index |= ((features[feature as usize] > threshold) as usize) << i;
            }
            sum += tree.answers[index];
        }
        sum
    }

    /// The probability of a case.
    pub fn probability(&self, features: &[f32]) -> f32 {
        1.0 / (1.0 + (-self.log_odds(features)).exp())
    }

    /// Parses what [`to_bytes`](Forest::to_bytes) wrote, and returns what follows it.
    ///
    /// # Errors
    ///
    /// When it was fitted to other features than these, in this order.
    pub fn parse<'a>(
        bytes: &'a [u8],
        features: &[impl AsRef<str>],
    ) -> Result<(Forest, &'a [u8]), ForestError> {
        let mut rest = bytes;
        if header_line(&mut rest) != Some(TITLE) {
            return Err(ForestError::Format);
        }
        let names = header_line(&mut rest).and_then(|line| line.strip_prefix("features "));
        let mut found = names.ok_or(ForestError::Format)?.split(' ');
        let mut expected = features.iter().map(AsRef::as_ref);
        loop {
            match (found.next(), expected.next()) {
                (None, None) => break,
                (found, expected) if found == expected => {}
                (found, expected) => {
                    let owned = |name: Option<&str>| name.map(str::to_string);
                    return Err(ForestError::Features(owned(found), owned(expected)));
                }
            }
        }
        let data = header_line(&mut rest).and_then(|line| line.strip_prefix("data "));
        if data.is_none() || header_line(&mut rest) != Some("") {
            return Err(ForestError::Format);
        }
        Forest::parse_trees(rest, features.len()).ok_or(ForestError::Damaged)
    }

    fn parse_trees(bytes: &[u8], features: usize) -> Option<(Forest, &[u8])> {
        fn number<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8; 4]> {
            let (head, tail) = bytes.split_first_chunk()?;
            *bytes = tail;
            Some(head)
        }
        let mut rest = bytes;
        let bias = f32::from_le_bytes(*number(&mut rest)?);
        let count = u32::from_le_bytes(*number(&mut rest)?);
        let mut trees = Vec::new();
        for _ in 0..count {
            let (&depth, tail) = rest.split_first()?;
            rest = tail;
            let mut questions = Vec::with_capacity(depth as usize);
            for _ in 0..depth {
                let (&feature, tail) = rest.split_first()?;
                rest = tail;
                if usize::from(feature) >= features {
                    return None;
                }
                questions.push((feature, f32::from_le_bytes(*number(&mut rest)?)));
            }
            let answers = (0..1usize.checked_shl(depth as u32)?)
                .map(|_| Some(f32::from_le_bytes(*number(&mut rest)?)))
                .collect::<Option<Vec<f32>>>()?;
            trees.push(DecisionTree { questions, answers });
        }
        Some((Forest { bias, trees }, rest))
    }

    /// The forest in a file: what it was fitted to as text, and the trees as little-endian bytes.
    /// `data` is a hash of the games.
    pub fn to_bytes(&self, features: &[impl AsRef<str>], data: u64) -> Vec<u8> {
        let names: Vec<&str> = features.iter().map(AsRef::as_ref).collect();
        let names = names.join(" ");
        let mut bytes = format!("{TITLE}\nfeatures {names}\ndata {data:016x}\n\n").into_bytes();
        bytes.extend(self.bias.to_le_bytes());
        bytes.extend((self.trees.len() as u32).to_le_bytes());
        for tree in &self.trees {
            bytes.push(tree.questions.len() as u8);
            for &(feature, threshold) in &tree.questions {
                bytes.push(feature);
                bytes.extend(threshold.to_le_bytes());
            }
            bytes.extend(tree.answers.iter().flat_map(|answer| answer.to_le_bytes()));
        }
        bytes
    }
}

/// Takes a line of text off the front.
fn header_line<'a>(bytes: &mut &'a [u8]) -> Option<&'a str> {
    let end = memchr::memchr(b'\n', bytes)?;
    let (line, rest) = bytes.split_at(end);
    *bytes = &rest[1..];
    std::str::from_utf8(line).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sapling() -> Forest {
        let tree = DecisionTree {
            questions: vec![(1, 0.5), (0, 2.0)],
            answers: vec![-1.0, 0.25, 3.0, 0.0],
        };
        Forest {
            bias: 0.5,
            trees: vec![tree],
        }
    }

    #[test]
    fn the_answers_pick_one_entry_of_the_table() {
        let forest = sapling();
        assert_eq!(forest.log_odds(&[0.0, 0.0]), -0.5);
        assert_eq!(forest.log_odds(&[0.0, 1.0]), 0.75);
        assert_eq!(forest.log_odds(&[3.0, 0.0]), 3.5);
        assert!((forest.probability(&[3.0, 1.0]) - 0.622_459_3).abs() < 1e-6);
    }

    const NAMES: [&str; 2] = ["Stones", "Liberties"];

    #[test]
    fn a_forest_survives_writing_and_reading() {
        let bytes = [sapling().to_bytes(&NAMES, 1), vec![7]].concat();
        assert_eq!(Forest::parse(&bytes, &NAMES), Ok((sapling(), &[7][..])));
        let cut = &bytes[..bytes.len() - 5];
        assert_eq!(Forest::parse(cut, &NAMES), Err(ForestError::Damaged));
    }

    #[test]
    fn a_forest_for_other_features_is_refused() {
        let bytes = sapling().to_bytes(&NAMES, 1);
        let differs = |names: &[&str]| match Forest::parse(&bytes, names) {
            Err(ForestError::Features(found, expected)) => (found, expected),
            other => panic!("{other:?}"),
        };
        let owned = |name: &str| Some(name.to_string());
        // In another order, one less, one more, under another name.
        assert_eq!(
            differs(&["Liberties", "Stones"]),
            (owned("Stones"), owned("Liberties"))
        );
        assert_eq!(differs(&["Stones"]), (owned("Liberties"), None));
        assert_eq!(
            differs(&["Stones", "Liberties", "Eyes"]),
            (None, owned("Eyes"))
        );
        assert_eq!(
            differs(&["Stones", "Eyes"]),
            (owned("Liberties"), owned("Eyes"))
        );
    }

    #[test]
    fn a_forest_says_what_it_is() {
        let bytes = sapling().to_bytes(&NAMES, 0x5EED);
        let header = b"kifu forest 1\nfeatures Stones Liberties\ndata 0000000000005eed\n\n";
        assert!(bytes.starts_with(header));
        let later = [b"kifu forest 2", &bytes[13..]].concat();
        assert_eq!(Forest::parse(&later, &NAMES), Err(ForestError::Format));
        // A question about a feature that has no name.
        let mut wild = sapling();
        wild.trees[0].questions[1].0 = 2;
        let bytes = wild.to_bytes(&NAMES, 1);
        assert_eq!(Forest::parse(&bytes, &NAMES), Err(ForestError::Damaged));
    }
}
