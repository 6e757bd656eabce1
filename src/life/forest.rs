//! A forest of small trees, which turns a list of numbers into a probability.
//!
//! Every tree asks the same few questions of every case, "is feature *f* above *t*?", and the
//! answers together pick one number from the tree's table. The sum over all trees is the log-odds.
//! Trees of this shape (symmetric or *oblivious* trees) are as good as others for boosting, hard to
//! overfit, and a table look-up to evaluate.
//!
//! The forests are fitted by `examples/train`, which also writes the file that is read here.

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
    pub fn parse(bytes: &[u8]) -> Option<(Forest, &[u8])> {
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
                questions.push((feature, f32::from_le_bytes(*number(&mut rest)?)));
            }
            let answers = (0..1usize.checked_shl(depth as u32)?)
                .map(|_| Some(f32::from_le_bytes(*number(&mut rest)?)))
                .collect::<Option<Vec<f32>>>()?;
            trees.push(DecisionTree { questions, answers });
        }
        Some((Forest { bias, trees }, rest))
    }

    /// The forest as little-endian bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.bias.to_le_bytes().to_vec();
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

    #[test]
    fn a_forest_survives_writing_and_reading() {
        let bytes = [sapling().to_bytes(), vec![7]].concat();
        assert_eq!(Forest::parse(&bytes), Some((sapling(), &[7][..])));
        assert_eq!(Forest::parse(&bytes[..20]), None);
    }
}
