//! What a mistyped word may have meant.

/// The word that is the least changes away from what was typed, if any is near enough to have
/// been meant: a third of its letters may be wrong.
pub(crate) fn nearest<'a>(
    typed: &str,
    words: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    words
        .into_iter()
        .map(|word| (distance(&typed, word), word))
        .filter(|(changes, word)| 3 * changes <= word.chars().count().max(3))
        .min()
        .map(|(_, word)| word)
}

/// Letters put in, left out, exchanged for another, or swapped with the next: the Damerau-Levenshtein
/// distance, each letter touched once.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let width = b.len() + 1;
    let mut table = vec![0; (a.len() + 1) * width];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            table[i * width + j] = if i == 0 || j == 0 {
                i + j
            } else {
                let other = usize::from(a[i - 1] != b[j - 1]);
                let mut least = (table[(i - 1) * width + j - 1] + other)
                    .min(table[(i - 1) * width + j] + 1)
                    .min(table[i * width + j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    least = least.min(table[(i - 2) * width + j - 2] + 1);
                }
                least
            };
        }
    }
    table[a.len() * width + b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_finger_is_understood() {
        let words = ["superko", "suicide", "off-board"];
        assert_eq!(nearest("sperko", words), Some("superko"));
        assert_eq!(nearest("Suicdie", words), Some("suicide"));
        assert_eq!(nearest("offboard", words), Some("off-board"));
        assert_eq!(nearest("joseki", words), None);
    }
}
