//! Gradient boosting of symmetric trees, as small as it can be.
//!
//! Newton boosting on the logistic loss: each tree is fitted to the gradient of the loss on a
//! random part of the cases, asking the questions (one a level, the same for all leaves) that
//! lower the loss most. Features are cut into at most 128 bins at quantiles first, so that finding
//! the best question is adding up histograms.

use kifu::training::{DecisionTree, Forest, Random};

/// Cases to learn from: `features` has `width` numbers a case.
pub(crate) struct Cases {
    pub width: usize,
    pub features: Vec<f32>,
    pub labels: Vec<bool>,
}

impl Cases {
    pub(crate) fn new(width: usize) -> Cases {
        Cases {
            width,
            features: Vec::new(),
            labels: Vec::new(),
        }
    }

    pub(crate) fn push(&mut self, features: &[f32], label: bool) {
        assert_eq!(features.len(), self.width);
        self.features.extend_from_slice(features);
        self.labels.push(label);
    }

    pub(crate) fn len(&self) -> usize {
        self.labels.len()
    }

    pub(crate) fn row(&self, i: usize) -> &[f32] {
        &self.features[i * self.width..(i + 1) * self.width]
    }
}

/// How a forest is grown.
#[derive(Clone, Copy)]
pub(crate) struct Growth {
    pub trees: usize,
    pub depth: usize,
    pub rate: f32,
    /// Keeps the answers of leaves with few cases small.
    pub damping: f32,
    /// The share of cases and of features that each tree sees.
    pub case_share: f32,
    pub feature_share: f32,
}

const BINS: usize = 128;

/// The thresholds between the bins of a feature.
fn cuts(cases: &Cases, feature: usize) -> Vec<f32> {
    let step = (cases.len() / 100_000).max(1);
    let mut values: Vec<f32> = (0..cases.len())
        .step_by(step)
        .map(|i| cases.row(i)[feature])
        .collect();
    values.sort_by(f32::total_cmp);
    values.dedup();
    if values.len() > BINS {
        // Quantiles of the distinct values: rare values are where the hard cases are.
        values = (0..BINS)
            .map(|i| values[i * (values.len() - 1) / (BINS - 1)])
            .collect();
        values.dedup();
    }
    values
        .windows(2)
        .map(|pair| (pair[0] + pair[1]) / 2.0)
        .collect()
}

/// Fits a forest.
pub(crate) fn grow(cases: &Cases, growth: &Growth) -> Forest {
    let (n, width) = (cases.len(), cases.width);
    let cuts: Vec<Vec<f32>> = (0..width).map(|f| cuts(cases, f)).collect();
    let mut binned = vec![0u8; n * width];
    for i in 0..n {
        for (f, &value) in cases.row(i).iter().enumerate() {
            binned[i * width + f] = cuts[f].partition_point(|&cut| cut < value) as u8;
        }
    }
    let positive = cases.labels.iter().filter(|&&label| label).count();
    let share = (positive as f32 / n as f32).clamp(0.001, 0.999);
    let bias = (share / (1.0 - share)).ln();
    let mut odds = vec![bias; n];
    let mut forest = Forest {
        bias,
        trees: Vec::new(),
    };
    let mut random = Random::new(0x5EED_0FF0_4E57);
    let mut chosen: Vec<u32> = Vec::new();
    let mut slopes: Vec<(f32, f32)> = Vec::new();
    for _ in 0..growth.trees {
        chosen.clear();
        slopes.clear();
        for (i, (&odds, &label)) in odds.iter().zip(&cases.labels).enumerate() {
            let p = 1.0 / (1.0 + (-odds).exp());
            let curve = p * (1.0 - p);
            // Settled cases teach nothing any more: look at one in ten, and count it tenfold.
            let (keep, weight) = if curve < 1e-4 {
                (0.1, 10.0)
            } else {
                (1.0, 1.0)
            };
            if random.share() < growth.case_share * keep {
                chosen.push(i as u32);
                slopes.push(((label as u8 as f32 - p) * weight, curve * weight));
            }
        }
        let features: Vec<usize> = (0..width)
            .filter(|_| random.share() < growth.feature_share)
            .collect();
        let mut leaf = vec![0u16; chosen.len()];
        let mut questions: Vec<(usize, usize)> = Vec::new();
        for level in 0..growth.depth {
            let leaves = 1 << level;
            let mut sums = vec![(0f32, 0f32); leaves * features.len() * BINS];
            for (k, &i) in chosen.iter().enumerate() {
                let row = &binned[i as usize * width..(i as usize + 1) * width];
                let base = leaf[k] as usize * features.len() * BINS;
                for (j, &f) in features.iter().enumerate() {
                    let cell = &mut sums[base + j * BINS + row[f] as usize];
                    cell.0 += slopes[k].0;
                    cell.1 += slopes[k].1;
                }
            }
            let mut best: Option<(f32, usize, usize)> = None;
            for (j, &f) in features.iter().enumerate() {
                let mut gains = vec![0f32; cuts[f].len()];
                for l in 0..leaves {
                    let cells = &sums[(l * features.len() + j) * BINS..][..BINS];
                    let all = cells.iter().fold((0.0, 0.0), |a, c| (a.0 + c.0, a.1 + c.1));
                    let mut left = (0f32, 0f32);
                    for (gain, cell) in gains.iter_mut().zip(cells) {
                        left = (left.0 + cell.0, left.1 + cell.1);
                        let right = (all.0 - left.0, all.1 - left.1);
                        let value = |s: (f32, f32)| s.0 * s.0 / (s.1.max(0.0) + growth.damping);
                        *gain += value(left) + value(right);
                    }
                }
                for (cut, &gain) in gains.iter().enumerate() {
                    if best.is_none_or(|b| gain > b.0) && !questions.contains(&(f, cut)) {
                        best = Some((gain, f, cut));
                    }
                }
            }
            let Some((_, f, cut)) = best else { break };
            for (k, &i) in chosen.iter().enumerate() {
                leaf[k] |= ((binned[i as usize * width + f] as usize > cut) as u16) << level;
            }
            questions.push((f, cut));
        }
        let mut sums = vec![(0f32, 0f32); 1 << questions.len()];
        for (k, &l) in leaf.iter().enumerate() {
            sums[l as usize].0 += slopes[k].0;
            sums[l as usize].1 += slopes[k].1;
        }
        let answers: Vec<f32> = sums
            .iter()
            .map(|s| growth.rate * s.0 / (s.1 + growth.damping))
            .collect();
        for i in 0..n {
            let row = &binned[i * width..(i + 1) * width];
            let index = questions.iter().enumerate().fold(0, |at, (b, &(f, cut))| {
                at | ((row[f] as usize > cut) as usize) << b
            });
            odds[i] += answers[index];
        }
        let questions = questions
            .into_iter()
            .map(|(f, cut)| (f as u8, cuts[f][cut]))
            .collect();
        forest.trees.push(DecisionTree { questions, answers });
    }
    forest
}
