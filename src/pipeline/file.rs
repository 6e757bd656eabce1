//! One file: from its bytes to an outcome per game.
//!
//! This is the whole pipeline in one place. [`check`] parses a file and replays its games;
//! [`score`] judges and counts them as well and makes a row per game. Neither writes anything:
//! what a finding or a row looks like is decided in `crate::output`.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::part::Part;
use super::row::{self, RowStatus, ScoreRow};
use super::sources::FoundConventions;
use super::tally::{ScoreTally, Tally};
use crate::finding::{Code, Finding, Severity};
use crate::games::convention::KomiSource;
use crate::games::go::{DeadStones, GoReplay};
use crate::games::{self, Outcome};
use crate::replay::{self, RulesSource};
use crate::rules::Rules;
use crate::sgf::{self, Collection, Game, LineFinder, Server};

/// What a user may choose about a check.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CheckOptions {
    /// How games are played out; nothing is counted.
    pub games: games::GameOptions,
    /// How many moves of a game's variations to check; without it, the main line alone.
    pub variation_moves: Option<usize>,
    /// Whether every game must be as `FF[4]` has it.
    pub strict: bool,
    /// Set when the run is to end; a file is then left before its next game.
    pub stop: Option<&'static AtomicBool>,
    /// What may be spent on a file.
    pub limits: sgf::Limits,
}

impl CheckOptions {
    /// Checks by these rules, whatever the records say.
    pub fn with_rules(mut self, rules: Rules) -> CheckOptions {
        self.games.go.rules = Some(rules);
        self
    }

    /// Checks against `FF[4]` as well.
    pub fn strict(mut self) -> CheckOptions {
        self.strict = true;
        self
    }
}

/// A file that was checked.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct CheckedFile<'a> {
    /// The file as it was parsed; `None` when its bytes could not be read.
    pub parsed: Option<Collection<'a>>,
    /// Everything that was found, game by game from top to bottom.
    pub findings: Vec<Finding>,
    /// What counts towards the summary of a run.
    pub(crate) tally: Tally,
}

/// Parses a file and replays every game of it by its rules.
pub fn check<'a>(part: &'a Part, options: &CheckOptions) -> CheckedFile<'a> {
    let mut checked = CheckedFile {
        findings: part.findings.clone(),
        ..CheckedFile::default()
    };
    checked.tally.files = u64::from(part.is_first());
    if let Some(parsed) = part.parse(&options.limits) {
        checked.tally.games = parsed.games.len() as u64;
        checked.findings.extend_from_slice(&parsed.findings);
        let mut lines = parsed.lines();
        for game in &parsed.games {
            if is_set(options.stop) {
                break;
            }
            check_game(&parsed, game, &mut lines, options, &mut checked);
        }
        let by_place = |finding: &Finding| (finding.game, finding.place);
        checked.findings.sort_by_key(by_place);
        if options.strict {
            let faults = parsed.conformance_beside(&mut checked.findings);
            checked.findings.extend(faults);
            checked.findings.sort_by_key(by_place);
        }
        checked.parsed = Some(parsed);
    } else if part.is_whole() {
        checked.tally.files = 0;
        checked.tally.unread = u64::from(any_error(&checked.findings));
    }
    for finding in &checked.findings {
        checked.tally.count(finding);
    }
    checked
}

fn is_set(stop: Option<&AtomicBool>) -> bool {
    stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
}

/// The choices for a game, with as many findings and as much time as the limits allow from now on.
fn within(games: &games::GameOptions, limits: &sgf::Limits) -> games::GameOptions {
    games::GameOptions {
        deadline: limits
            .game_time
            .and_then(|time| Instant::now().checked_add(time)),
        max_findings: limits.findings,
        ..*games
    }
}

fn check_game(
    parsed: &Collection,
    game: &Game,
    lines: &mut LineFinder,
    options: &CheckOptions,
    checked: &mut CheckedFile,
) {
    let CheckedFile {
        findings, tally, ..
    } = checked;
    let games = within(&options.games, &options.limits);
    let GoReplay { rules, replay, .. } = match games::replay(game, &games) {
        Outcome::Go(played) => played,
        Outcome::Other(played) => {
            tally.moves += u64::from(played.moves);
            findings.extend(played.findings);
            return;
        }
        Outcome::Unknown(_) => return,
    };
    tally.count_rules(&rules);
    let in_play = rules.in_play();
    findings.extend(rules.finding.map(|finding| finding.game(game.number)));
    tally.moves += u64::from(replay.moves);
    findings.extend(replay.findings);
    if let Some(most_moves) = options.variation_moves
        && parsed.has_variations(game)
    {
        let (branches, repairs) = parsed.branches_from(game, lines);
        findings.extend(repairs);
        findings.extend(replay::replay_variations(
            game,
            &branches,
            &in_play,
            most_moves,
            options.limits.findings,
            games.deadline,
        ));
    }
}

/// What a user may choose about scoring.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ScoreOptions {
    /// How games are played out and counted.
    pub games: games::GameOptions,
    /// What the sources of the records were found to play by.
    pub(crate) found: FoundConventions,
    /// What may be spent on a file.
    pub limits: sgf::Limits,
    /// What rows are to hold beside the results.
    pub wanted: row::Wanted,
    /// Set when the run is to end; a file is then left before its next game.
    pub stop: Option<&'static AtomicBool>,
}

impl ScoreOptions {
    /// Counts by these rules, whatever the records say.
    pub fn with_rules(mut self, rules: Rules) -> ScoreOptions {
        self.games.go.rules = Some(rules);
        self
    }

    /// Counts with this komi, whatever the records say.
    pub fn with_komi(mut self, komi: f64) -> ScoreOptions {
        self.games.go.komi = Some(komi);
        self
    }

    /// Takes the dead stones from there.
    pub fn with_dead_stones(mut self, from: DeadStones) -> ScoreOptions {
        self.games.go.dead_stones = from;
        self
    }
}

/// A file that was scored.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct ScoredFile<'a> {
    /// The file as it was parsed; `None` when its bytes could not be read.
    pub parsed: Option<Collection<'a>>,
    /// One per game.
    pub outcomes: Vec<Outcome>,
    /// One per game, and one for a file without games.
    pub rows: Vec<ScoreRow>,
    /// Everything that was found.
    pub findings: Vec<Finding>,
    /// What counts towards the summary of a run.
    pub(crate) tally: ScoreTally,
}

impl ScoredFile<'_> {
    /// Whether a limit kept a part of the file from being parsed, or the run was ended: what would
    /// be written back is not the record.
    pub(crate) fn is_cut_short(&self) -> bool {
        let parsed = self.parsed.as_ref();
        if parsed.is_some_and(|parsed| parsed.games.len() > self.outcomes.len()) {
            return true;
        }
        let limit = |finding: &Finding| {
            matches!(
                finding.code,
                Code::TooDeep | Code::TooManyNodes | Code::TooManyGames
            )
        };
        self.findings.iter().any(limit)
    }
}

/// Parses a file, scores every game of it, and makes the rows.
pub fn score<'a>(part: &'a Part, options: &ScoreOptions) -> ScoredFile<'a> {
    let mut scored = ScoredFile {
        findings: part.findings.clone(),
        ..ScoredFile::default()
    };
    scored.tally.records.files = u64::from(part.is_first());
    if let Some(mut parsed) = part.parse(&options.limits) {
        scored.tally.records.games = parsed.games.len() as u64;
        scored.findings.append(&mut parsed.findings);
        for game in &parsed.games {
            if is_set(options.stop) {
                break;
            }
            score_game(&part.name, game, options, &mut scored);
        }
        scored.parsed = Some(parsed);
    }
    let failed = any_error(&scored.findings);
    if scored.parsed.is_none() && part.is_whole() {
        scored.tally.records.files = 0;
        scored.tally.records.unread = u64::from(failed);
    }
    // A file without games has a row, and so has a part of one that was lost, a folder without
    // records, and an archive that was not opened.
    let is_left_out = |finding: &Finding| {
        let by_name = matches!(finding.code, Code::NoRecords | Code::NestedArchive);
        by_name || finding.severity == Severity::Error
    };
    let is_empty = match &scored.parsed {
        Some(parsed) => part.is_whole() && parsed.games.is_empty(),
        None => scored.findings.iter().any(is_left_out),
    };
    if is_empty {
        let row = ScoreRow::unreadable(&part.name, &scored.findings);
        scored.rows.push(row);
    }
    let before = scored.parsed.as_ref().map(Collection::reported_before);
    let findings = before.into_iter().flatten().chain(&scored.findings);
    mark_findings(&mut scored.rows, findings);
    for row in &scored.rows {
        scored.tally.note(row);
    }
    for finding in &scored.findings {
        scored.tally.records.count(finding);
    }
    scored
}

fn score_game(file: &str, game: &Game, options: &ScoreOptions, scored: &mut ScoredFile) {
    let records = &mut scored.tally.records;
    let mut game_options = within(&options.games, &options.limits);
    game_options.go.found = options.found.of(file, game);
    let outcome = games::judge(game, &game_options);
    let row = match &outcome {
        Outcome::Go(verdict) => {
            if verdict.komi_source == KomiSource::Server
                || verdict.rules.source == RulesSource::Server
            {
                let server = game.header.server.map_or("", Server::name);
                *scored.tally.as_servers_play.entry(server).or_default() += 1;
            }
            scored.tally.sources.note(file, game, verdict);
            records.moves += u64::from(verdict.replay.moves);
            records.count_rules(&verdict.rules);
            let unknown_rules = verdict.rules.finding.clone();
            scored
                .findings
                .extend(unknown_rules.map(|finding| finding.game(game.number)));
            scored.findings.extend_from_slice(&verdict.replay.findings);
            row::go(file, game, verdict, options.wanted)
        }
        Outcome::Other(played) => {
            records.moves += u64::from(played.moves);
            scored.findings.extend_from_slice(&played.findings);
            row::other_game(file, game, played)
        }
        Outcome::Unknown(not_go) => row::unknown_game(file, game, not_go),
    };
    scored.rows.push(row);
    scored.outcomes.push(outcome);
}

fn any_error(findings: &[Finding]) -> bool {
    findings
        .iter()
        .any(|finding| finding.severity == Severity::Error)
}

/// Writes into each row what was found about its game and about the file as a whole.
fn mark_findings<'a>(rows: &mut [ScoreRow], findings: impl Iterator<Item = &'a Finding>) {
    type Codes = BTreeMap<Code, (Severity, u32)>;
    let mut by_game: BTreeMap<u32, (Codes, RowStatus)> = BTreeMap::new();
    for finding in findings {
        let (codes, status) = by_game
            .entry(finding.game)
            .or_insert((Codes::new(), RowStatus::Ok));
        let (severity, count) = codes.entry(finding.code).or_insert((finding.severity, 0));
        *severity = finding.severity.max(*severity);
        *count += finding.count;
        if finding.code == Code::KomiAgainstResult {
            *status = RowStatus::Contradictory;
        } else if is_repair(finding) && *status == RowStatus::Ok {
            *status = RowStatus::Repaired;
        }
    }
    let nothing = (Codes::new(), RowStatus::Ok);
    let (of_file, file_status) = by_game.remove(&0).unwrap_or_else(|| nothing.clone());
    for row in rows {
        let own = row.game.and_then(|game| by_game.get(&game));
        let (codes, status) = own.unwrap_or(&nothing);
        if row.status == RowStatus::Ok {
            row.status = match status {
                RowStatus::Ok => file_status,
                _ => *status,
            };
        }
        match of_file.is_empty() {
            true => row.list_findings(codes),
            false => {
                let mut all = of_file.clone();
                for (code, &(severity, count)) in codes {
                    let (worst, sum) = all.entry(*code).or_insert((severity, 0));
                    *worst = severity.max(*worst);
                    *sum += count;
                }
                row.list_findings(&all);
            }
        }
    }
}

/// Whether the finding means that a game was not parsed as it was written.
fn is_repair(finding: &Finding) -> bool {
    // Findings about the course of the game are not about its text.
    let of_the_text = !matches!(
        finding.code,
        Code::OutOfTurn
            | Code::WhiteFirst
            | Code::SeveralMoves
            | Code::SetupAfterPlay
            | Code::SetupAndMove
            | Code::SetupConflict
            // Warnings where KO[] forces them.
            | Code::OccupiedPoint
            | Code::Suicide
            | Code::KoRetaken
            | Code::Superko
            | Code::SituationalSuperko
            | Code::HandicapMismatch
            | Code::KomiAgainstResult
            | Code::KomiDoubtful
            | Code::NestedArchive
            | Code::NameNotUtf8
    );
    of_the_text && finding.severity >= Severity::Warning
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::InputFile;

    #[test]
    fn findings_of_the_file_and_of_a_game_add_up() {
        let mut rows: Vec<ScoreRow> = (1..=2)
            .map(|game| ScoreRow::bare("games.sgf", Some(game), RowStatus::Ok))
            .collect();
        let mut many = Finding::new(Code::NulBytes, "And 7 more.").game(1);
        many.count = 7;
        let findings = [
            Finding::new(Code::NulBytes, "In front."),
            Finding::new(Code::TextBefore, "In front."),
            Finding::new(Code::NulBytes, "In the game.").game(1),
            many,
            Finding::new(Code::OffBoard, "In the other.").game(2),
        ];
        mark_findings(&mut rows, findings.iter());
        assert_eq!(rows[0].findings, "nul-bytes(9) text-before");
        assert_eq!(rows[0].worst, Some(Severity::Warning));
        assert_eq!(rows[1].findings, "nul-bytes text-before off-board");
        assert_eq!(rows[1].worst, Some(Severity::Error));
    }

    /// The square of these games would take minutes.
    #[test]
    fn findings_are_marked_in_time_by_their_number() {
        const GAMES: u32 = 100_000;
        let mut rows: Vec<ScoreRow> = (1..=GAMES)
            .map(|game| ScoreRow::bare("games.sgf", Some(game), RowStatus::Ok))
            .collect();
        let findings: Vec<Finding> = (1..=GAMES)
            .map(|game| Finding::new(Code::MissingClose, "It ends.").game(game))
            .collect();
        let started = Instant::now();
        mark_findings(&mut rows, findings.iter());
        assert!(started.elapsed().as_secs() < 20);
        let is_marked = |row: &ScoreRow| {
            (row.status, row.findings.as_str()) == (RowStatus::Repaired, "missing-close")
        };
        assert!(rows.iter().all(is_marked));
    }

    fn part(sgf: &str) -> Part {
        Part::from(InputFile {
            name: "games.sgf".to_owned(),
            bytes: Some(sgf.as_bytes().to_vec()),
            findings: Vec::new(),
            consumed: 0,
        })
    }

    #[test]
    fn a_run_that_is_to_end_leaves_a_file_between_its_games() {
        static STOP: AtomicBool = AtomicBool::new(true);
        static GO_ON: AtomicBool = AtomicBool::new(false);
        let part = part("(;GM[1]SZ[9];B[ee];W[ee])(;GM[1]SZ[9];B[ee];W[ee])");
        for (stop, games) in [(&STOP, 0), (&GO_ON, 2)] {
            let options = ScoreOptions {
                stop: Some(stop),
                ..ScoreOptions::default()
            };
            let scored = score(&part, &options);
            assert_eq!((scored.rows.len(), scored.outcomes.len()), (games, games));
            // What is written back would not be the whole file.
            assert_eq!(scored.is_cut_short(), games == 0);
            let options = CheckOptions {
                stop: Some(stop),
                ..CheckOptions::default()
            };
            assert_eq!(check(&part, &options).findings.len(), games);
        }
    }
}
