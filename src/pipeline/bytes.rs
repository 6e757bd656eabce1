//! The front door: score these bytes, check these bytes.
//!
//! Both are [`file`] for a file that is in memory. What comes out holds no reference to
//! the bytes, and says for each game what a caller has to know before the numbers: whether it is a
//! game of Go at all.

use std::fmt;

use super::file::{self, CheckOptions, ScoreOptions};
use super::part::Part;
use super::row::ScoreRow;
use crate::finding::Finding;
use crate::games::Outcome;
use crate::games::go::{NotGo, Verdict};

/// The games of a file, scored.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ScoredGames {
    /// In the order of the file; never empty.
    pub games: Vec<ScoredGame>,
    /// Everything that was found in the file, from top to bottom.
    pub findings: Vec<Finding>,
}

/// A game, scored.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ScoredGame {
    /// Its row of the table, which serialises with `serde`.
    pub row: ScoreRow,
    /// What the judge made of it: Go, another game, or one that kifu does not know.
    pub outcome: Outcome,
}

impl ScoredGame {
    /// The verdict on a game of Go.
    ///
    /// # Errors
    ///
    /// When the record is of another game: there is nothing to count by the rules of Go.
    pub fn verdict(&self) -> Result<&Verdict, NotGo> {
        match &self.outcome {
            Outcome::Go(verdict) => Ok(verdict),
            Outcome::Other(game) => Err(NotGo(game.kind())),
            Outcome::Unknown(not_go) => Err(not_go.clone()),
        }
    }
}

/// There is no game in the bytes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct NoGame {
    /// What was found instead; never empty.
    pub findings: Vec<Finding>,
}

impl fmt::Display for NoGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let worst = self.findings.iter().max_by_key(|finding| finding.severity);
        let reason = worst.map_or("The file is empty.", |finding| &finding.message);
        write!(f, "there is no game in the file: {reason}")
    }
}

impl std::error::Error for NoGame {}

/// Scores every game of a file that is in memory. [The front page](crate) has an example.
///
/// # Errors
///
/// When there is no game in the bytes. Games that are not Go are among those that were scored;
/// [`ScoredGame::verdict`] is an error for them.
pub fn score(bytes: &[u8], options: &ScoreOptions) -> Result<ScoredGames, NoGame> {
    let part = Part::whole(bytes);
    let scored = file::score(&part, options);
    if scored.outcomes.is_empty() {
        return Err(NoGame {
            findings: scored.findings,
        });
    }
    let games = scored.rows.into_iter().zip(scored.outcomes);
    Ok(ScoredGames {
        games: games
            .map(|(row, outcome)| ScoredGame { row, outcome })
            .collect(),
        findings: scored.findings,
    })
}

/// Replays every game of a file that is in memory by its rules, and returns everything that is
/// worth knowing about it, from top to bottom.
///
/// ```
/// use kifu::CheckOptions;
/// use kifu::finding::Code;
///
/// let sgf = b"(;GM[1]FF[4]SZ[9]RU[Japanese];B[ee];W[ee])";
/// let checked = kifu::check(sgf, &CheckOptions::default())?;
/// assert_eq!(checked[0].code, Code::OccupiedPoint);
/// assert_eq!(checked[0].move_number, Some(2));
/// # Ok::<(), kifu::NoGame>(())
/// ```
///
/// # Errors
///
/// When there is no game in the bytes.
pub fn check(bytes: &[u8], options: &CheckOptions) -> Result<Vec<Finding>, NoGame> {
    let part = Part::whole(bytes);
    let checked = file::check(&part, options);
    let findings = checked.findings;
    match checked.parsed {
        Some(parsed) if !parsed.games.is_empty() => Ok(findings),
        _ => Err(NoGame { findings }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Code, Severity};

    fn scored(sgf: &[u8]) -> ScoredGames {
        score(sgf, &ScoreOptions::default()).unwrap()
    }

    #[test]
    fn another_game_has_no_verdict() {
        for (sgf, name) in [
            (&b"(;GM[2]FF[4];B[d3])"[..], "Othello"),
            (
                b"(;GM[1]FF[4]RU[Gridless Go]SZ[9];B[5,5];W[3,3])",
                "gridless Go",
            ),
        ] {
            let scored = scored(sgf);
            let error = scored.games[0].verdict().unwrap_err();
            let expected = format!("The record is of another game: {name}.");
            assert_eq!(error.to_string(), expected);
        }
    }

    #[test]
    fn bytes_without_a_game_are_an_error() {
        for bytes in [&b""[..], b"Dear Sir or Madam,"] {
            let error = score(bytes, &ScoreOptions::default()).unwrap_err();
            assert!(!error.findings.is_empty());
            assert!(
                error
                    .to_string()
                    .starts_with("there is no game in the file: ")
            );
            let error = check(bytes, &CheckOptions::default()).unwrap_err();
            assert_eq!(error.findings[0].severity, Severity::Error);
        }
    }

    #[test]
    fn every_game_of_a_collection_is_scored() {
        let sgf = b"(;SZ[9];B[ee];W[ee])(;SZ[9]KM[6.5];B[ee];W[gc])";
        let scored = scored(sgf);
        let numbers: Vec<_> = scored.games.iter().map(|game| game.row.game).collect();
        assert_eq!(numbers, [Some(1), Some(2)]);
        let illegal = scored.findings.iter();
        assert_eq!(
            illegal
                .filter(|found| found.code == Code::OccupiedPoint)
                .count(),
            1
        );
    }

    #[test]
    fn findings_that_are_not_listed_are_counted() {
        let sgf = b"(;GM[1]FF[4]SZ[9]KM[6.5];B[ee];W[ee];B[ee];W[ee];B[ee];W[ee])";
        let mut options = ScoreOptions::default();
        options.limits.findings = 2;
        let scored = score(sgf, &options).unwrap();
        let listed = scored.games[0].row.findings.split(' ');
        let occupied: Vec<&str> = listed.filter(|code| code.starts_with("occ")).collect();
        assert_eq!(occupied, ["occupied-point(5)"]);
    }
}
