//! The verdict on a game: replayed, understood, counted and compared with the record.

use std::fmt;
use std::time::Instant;

use super::convention::{Basis, Convention, Conventions, KomiSource};
use super::decision::{self, DecidedBy, Decision, NotFinal, is_open};
use crate::board::{Board, Color, Point, PointSet, Vertex};
use crate::count::{
    Agreement, Count, Counterfactual, Counting, Margin, Mark, ScoringTerms,
    confidence::{self, Circumstances},
    count, count_life, counterfactual, estimate, every_stone_stands, finish,
};
use crate::finding::{Code, FindingLimiter};
use crate::life::{self, Life, LifeJudge, bent_four, seki};
use crate::replay::{
    ChosenRules, EndedBy, Replay, RulesSource, choose_rules, is_even, is_past, replay_into,
    too_slow,
};
use crate::rules::{Preset, Rules, Scoring};
use crate::sgf::{Game, GameKind, Header};

/// Where the dead stones are taken from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DeadStones {
    /// kifu finds them, unless by the rules of the game every stone on the board stands.
    #[default]
    ByRules,
    /// kifu finds them, whatever the rules.
    Judged,
    /// From `TB[]` and `TW[]`, where the record has them; found otherwise.
    Marks,
    /// There are none: every stone on the board stands, as under Tromp-Taylor rules.
    None,
}

/// What a user may ask for in place of what the records say.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct GoOptions {
    /// Count by these rules.
    pub rules: Option<Rules>,
    /// Count with this komi.
    pub komi: Option<f64>,
    /// How closely territory is looked at; by default as the server on record counts.
    pub counting: Option<Counting>,
    /// Where the dead stones are taken from.
    pub dead_stones: DeadStones,
    /// How far records are taken at their word.
    pub conventions: Conventions,
    /// What the games of the record's source were found to be played by.
    pub found: Option<Convention>,
}

impl GoOptions {
    /// What the game was played by, where that is not what the record says.
    fn convention(&self, game: &Game) -> Option<Convention> {
        if self.conventions == Conventions::Record {
            return None;
        }
        let known = Convention::known(game);
        match self.found {
            Some(found) => Some(found.or(known)),
            None => known,
        }
    }
}

/// The komi of one game, and why it is that one.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ChosenKomi {
    /// `None` where it is that of the rules, or none.
    pub points: Option<f64>,
    /// Where it comes from.
    pub source: KomiSource,
}

/// A game of Go played out by its rules.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct GoReplay {
    /// The rules that it was replayed by.
    pub rules: ChosenRules,
    /// The komi that it was played with.
    pub komi: ChosenKomi,
    /// What the replay found.
    pub replay: Replay,
    /// How territory is looked at, where the record's source decides that.
    counting: Option<Counting>,
    /// Sentences about what was taken in place of what the record says.
    notes: Vec<String>,
}

impl GoReplay {
    /// Plays out the main line of a record, which is one of Go.
    pub(super) fn new(
        game: &Game,
        options: &GoOptions,
        findings: FindingLimiter,
        deadline: Option<Instant>,
    ) -> GoReplay {
        let header = &game.header;
        let mut rules = choose_rules(header, options.rules);
        let convention = options.convention(game);
        let mut notes = Vec::new();
        let (from_server, from_games) = match convention.map(|found| found.basis) {
            Some(Basis::Statistics { .. }) => (RulesSource::Statistics, KomiSource::Statistics),
            _ => (RulesSource::Server, KomiSource::Server),
        };
        if let Some(found) = &convention
            && let Some(played) = found.rules
            && rules.source != RulesSource::Option
            && rules.rules != played
        {
            notes.push(found.rules_note(&played, &rules.rules));
            rules.rules = played;
            rules.source = from_server;
            rules.finding = None;
        }
        let komi = match (options.komi, convention.and_then(|found| found.komi)) {
            (Some(points), _) => ChosenKomi {
                points: Some(points),
                source: KomiSource::Option,
            },
            (None, Some(points)) if header.komi != Some(points) => ChosenKomi {
                points: Some(points),
                source: from_games,
            },
            _ => ChosenKomi {
                points: header.komi,
                source: match header.komi {
                    Some(_) => KomiSource::Record,
                    None => KomiSource::Default,
                },
            },
        };
        if let (KomiSource::Server | KomiSource::Statistics, Some(found), Some(points)) =
            (komi.source, &convention, komi.points)
        {
            notes.push(found.komi_note(points, header.komi, is_even(game)));
        }
        let counting = convention.and_then(|found| found.counting);
        if let (Some(counting), Some(found), None) = (counting, &convention, options.counting) {
            notes.extend(found.counting_note(counting));
        }
        // A contradiction of the record's own is none of the user's.
        let played_with = match komi.source {
            KomiSource::Option => header.komi,
            _ => komi.points,
        };
        let mut replay = replay_into(game, &rules.in_play(), played_with, findings, deadline);
        if !replay.is_cut_short && is_past(deadline) {
            // There is no time left to judge it.
            replay.is_cut_short = true;
            replay.findings.push(too_slow().game(game.number));
        }
        GoReplay {
            rules,
            komi,
            replay,
            counting,
            notes,
        }
    }

    /// Counts the final position.
    pub fn judge(self, game: &Game, options: &GoOptions) -> Verdict {
        Verdict::on(game, options, self, None)
    }
}

/// The record is of this game, and not of Go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotGo(pub GameKind);

impl fmt::Display for NotGo {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let name = match &self.0 {
            GameKind::Other(name) => name,
            GameKind::GridlessGo => "gridless Go",
            GameKind::HasamiShogi => "Dai Hasami Shogi",
            GameKind::Go => "Go",
        };
        write!(f, "The record is of another game: {name}.")
    }
}

impl std::error::Error for NotGo {}

/// Everything there is to say about the score of a game of Go.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Verdict {
    /// The rules that it was counted by.
    pub rules: ChosenRules,
    /// How closely territory was looked at.
    pub counting: Counting,
    /// What White gets, in points.
    pub komi: f64,
    /// Where that comes from.
    pub komi_source: KomiSource,
    /// The game played out, with its final position.
    pub replay: Replay,
    /// How the game ended.
    pub ended_by: EndedBy,
    /// What was decided about each chain; `None` when the dead stones were given.
    pub life: Option<Life>,
    /// What every point is, and what each side has.
    pub count: Count,
    /// The counted result against the recorded one.
    pub agreement: Agreement,
    /// The result of the game, and what it rests on.
    pub decision: Decision,
    /// Why the position is not the end of the game, if it is not.
    pub not_final: Option<NotFinal>,
    /// Whether the game was decided while so much of the board was open that the count does not even
    /// say who leads.
    too_open: bool,
    /// The probability that the counted result is the one that the players would have agreed on;
    /// `None` when nothing was counted or the dead stones were given.
    pub confidence: Option<f64>,
    /// What would have to be otherwise for the recorded result.
    pub counterfactual: Option<Counterfactual>,
    /// Sentences about how the score came about.
    pub notes: Vec<String>,
}

impl Verdict {
    /// Scores a game.
    ///
    /// ```
    /// use kifu::sgf::{self, Limits};
    /// use kifu::games::go::{GoOptions, Verdict};
    ///
    /// let sgf = b"(;SZ[5]KM[0.5]RU[Chinese];B[bc];W[dc];B[bb];W[db];B[bd];W[dd]\
    ///     ;B[ca];W[cb];B[cc];W[da];B[cd];W[ba];B[ce];W[de];B[ab];W[];B[])";
    /// let game = &sgf::parse(sgf, &Limits::default()).games[0];
    /// let verdict = Verdict::judge(game, &GoOptions::default()).unwrap();
    /// assert_eq!(verdict.margin().to_string(), "W+2.5");
    /// ```
    ///
    /// # Errors
    ///
    /// When the record is of another game; [`crate::games::judge`] takes any.
    pub fn judge(game: &Game, options: &GoOptions) -> Result<Verdict, NotGo> {
        match &game.kind {
            GameKind::Go => {
                let replay = GoReplay::new(game, options, FindingLimiter::default(), None);
                Ok(replay.judge(game, options))
            }
            other => Err(NotGo(other.clone())),
        }
    }

    /// Scores a game of Go whose chains have been judged. So what the trainer finds out about
    /// forests is what they will do in use. How sure that is, and what else would give the result on
    /// record, is left open.
    #[doc(hidden)]
    pub fn with_life(game: &Game, options: &GoOptions, life: Life) -> Verdict {
        let replay = GoReplay::new(game, options, FindingLimiter::default(), None);
        Verdict::on(game, options, replay, Some(life))
    }

    /// Scores a game that has been replayed.
    fn on(game: &Game, options: &GoOptions, played: GoReplay, judged: Option<Life>) -> Verdict {
        let header = &game.header;
        let GoReplay {
            rules,
            komi,
            replay,
            counting,
            mut notes,
        } = played;
        let komi_source = komi.source;
        let counting = options.counting.or(counting).unwrap_or_else(|| {
            let (counting, note) = Counting::for_record(header, &rules.rules);
            notes.extend(note);
            counting
        });
        let komi = komi.points.unwrap_or_else(|| {
            let own = rules.rules.own_komi(replay.handicap);
            notes.push(no_komi(header, own));
            own.unwrap_or(0.0)
        });
        if rules.source == RulesSource::Default && rules.rules.base == Preset::Chinese {
            notes.push("The record names no rules; its komi is that of Chinese rules.".to_string());
        }
        let terms = terms_of(&replay, komi, counting);
        let counted_by = rules.rules;
        let board = &replay.board;

        let marked = (options.dead_stones == DeadStones::Marks)
            .then(|| marked_dead(game, board))
            .flatten();
        if options.dead_stones == DeadStones::Marks && marked.is_none() {
            notes.push(
                "The record has no TB[] or TW[]; the dead stones were found by kifu.".to_string(),
            );
        }
        // By some rules every stone on the board stands once the game is over.
        let stands = (options.dead_stones == DeadStones::ByRules)
            .then(|| every_stone_stands(header, &rules))
            .flatten()
            .filter(|_| is_over(&replay, &counted_by, &terms));
        let given = match options.dead_stones {
            DeadStones::None => Some(PointSet::EMPTY),
            _ if replay.is_cut_short => Some(PointSet::EMPTY),
            _ if stands.is_some() => Some(PointSet::EMPTY),
            _ => marked,
        };
        let ended_by = replay.ended_by(header.result.as_ref());
        let on_record = Decision::on_record(header.result.as_ref());
        let mut not_final = decision::not_begun(game, &replay);
        // A closer look is for positions whose count decides the game. Whether the position is
        // final is told by the moves and the board, never by RE[].
        let is_estimate = on_record.is_some() || not_final.is_some();
        let in_training = judged.is_some();
        let mut life = given.is_none().then(|| {
            if let Some(life) = judged {
                return life;
            }
            if is_estimate {
                return life::estimate(board);
            }
            let judge = LifeJudge::new(board);
            let as_it_stands = judge.is_certain() || {
                let so_far = judge.verdict_so_far();
                let count = count_life(&so_far, &counted_by, &terms);
                is_open(&count, replay.passes)
            };
            match as_it_stands {
                true => judge.without_search(),
                false => judge.search(),
            }
        });
        let count_life = |life: &Life| count_life(life, &counted_by, &terms);
        let mut count = match &life {
            Some(life) => count_life(life),
            None => count(board, &given.unwrap_or_default(), &counted_by, &terms),
        };
        if let Some(life) = &mut life
            && !is_estimate
            && count.seki_groups > 0
            && is_japanese(&counted_by)
            && kill_bent_fours(board, life)
        {
            count = count_life(life);
            notes.push("A bent four in the corner is dead under these rules.".to_string());
        }

        if let Some(life) = &mut life
            && !is_estimate
            && count.seki_groups > 0
            && refute_seki(board, life, &count)
        {
            count = count_life(life);
        }

        if stands.is_none() && is_open(&count, replay.passes) {
            not_final = not_final.or(Some(NotFinal::Open));
            if let Some(life) = &life {
                estimate::share_out(&mut count, life);
            }
        }
        let counted = not_final.is_none() && on_record.is_none();
        if let Some(life) = &life
            && counted
            && counted_by.scoring == Scoring::Territory
            && finish::is_due(counting, replay.passes)
        {
            count.protect(&finish::protective_moves(
                board,
                life,
                &count,
                replay.to_move,
            ));
            notes.extend(finish::in_words(board.size(), &count.assumed));
        }
        notes.extend(stands);
        // Where nothing but the board says who won, a guess is better than none.
        let too_open =
            on_record.is_some() && life.as_ref().is_some_and(|life| is_too_open(life, board));
        if let Some(reason) = not_final {
            notes.push(match reason {
                NotFinal::Open if too_open => "The game was not played out, and too much of the \
                    board is open to say who leads."
                    .to_string(),
                reason => reason.sentence(&replay),
            });
        }
        let decision = match on_record {
            Some(decision) => decision,
            None if counted => Decision::counted(count.margin()),
            None => Decision::uncounted(header.result.as_ref()),
        };
        let contradiction = options.komi.is_none()
            && (replay.findings.iter()).any(|finding| finding.code == Code::KomiAgainstResult);
        let circumstances = Circumstances {
            passes: replay.passes,
            server: header.server,
        };
        let confidence = life
            .as_ref()
            .filter(|_| counted && !in_training)
            .map(|life| {
                // No count with this komi can be the result on record.
                if contradiction {
                    return 0.0;
                }
                confidence::in_score(life, &count, &circumstances, ended_by)
            });
        let agreement = match counted {
            true => Agreement::between(count.margin(), header.result.as_ref()),
            false => Agreement::NotComparable,
        };
        let counterfactual = match Margin::recorded(header.result.as_ref()) {
            Some(recorded) if counted && !in_training && agreement != Agreement::Exact => {
                counterfactual::find(&count, life.as_ref(), &counted_by, &terms, recorded)
            }
            _ => None,
        };
        Verdict {
            rules,
            counting,
            komi,
            komi_source,
            replay,
            ended_by,
            life,
            count,
            agreement,
            decision,
            not_final,
            too_open,
            confidence,
            counterfactual,
            notes,
        }
    }

    /// What the count comes to: the result, where the position is final and nothing else decided
    /// the game, and an estimate otherwise.
    pub fn margin(&self) -> Margin {
        self.count.margin()
    }

    /// What the board looks like, where the count does not decide the game and the board is not too
    /// open to say.
    pub fn estimate(&self) -> Option<Margin> {
        let is_worth_saying =
            self.decision.by != Some(DecidedBy::Count) && self.has_estimate() && !self.too_open;
        is_worth_saying.then(|| self.margin())
    }

    /// The dead stones, row by row from the top left.
    pub fn dead_stones(&self) -> impl Iterator<Item = Vertex> {
        self.vertices(|mark| matches!(mark, Mark::Dead(_)))
    }

    /// The territory of a colour, with the dead stones inside, row by row from the top left.
    pub fn territory(&self, color: Color) -> impl Iterator<Item = Vertex> {
        let dead = Mark::Dead(color.other());
        self.vertices(move |mark| mark == Mark::Territory(color) || mark == dead)
    }

    fn vertices(&self, wanted: impl Fn(Mark) -> bool) -> impl Iterator<Item = Vertex> {
        let size = self.count.map.size();
        let points: Vec<Point> = self.count.map.points(wanted).iter().collect();
        points.into_iter().map(move |point| size.vertex(point))
    }

    /// Whether the count of a game that it does not decide is worth reporting: of a few stones on a
    /// board, or of a problem, it is not.
    pub(crate) fn has_estimate(&self) -> bool {
        matches!(self.not_final, None | Some(NotFinal::Open))
    }
}

/// Whether either side may still end up with more than a fifth of the board.
///
/// Of 270 games in print that were resigned the estimate names the winner of 72 in a hundred; of the
/// 81 that are no more open than that, of 77.
fn is_too_open(life: &Life, board: &Board) -> bool {
    5 * life.ownership().undecided(board.size()) > board.size().area()
}

/// Whether the game is at its end: both players have passed, or the board is shared out.
fn is_over(replay: &Replay, rules: &Rules, terms: &ScoringTerms) -> bool {
    let as_it_stands = || count(&replay.board, &PointSet::EMPTY, rules, terms);
    replay.passes >= 2 || !is_open(&as_it_stands(), replay.passes)
}

/// What to say of a record without a komi, when the rules may have one of their own.
fn no_komi(header: &Header, own: Option<f64>) -> String {
    let given = match header.komi_is_unreadable {
        true => "The record gives no komi that can be read",
        false => "The record gives no komi",
    };
    match own {
        Some(own) => format!("{given}; the {own} points of its rules are counted."),
        None => format!("{given}; none is counted."),
    }
}

/// What a replayed game brings to its count.
fn terms_of(replay: &Replay, komi: f64, counting: Counting) -> ScoringTerms {
    ScoringTerms {
        komi,
        handicap: replay.handicap,
        captures: replay.captures,
        first_pass: replay.first_pass,
        counting,
    }
}

/// The stones that stand in territory marked as the other side's.
pub fn marked_dead(game: &Game, board: &Board) -> Option<PointSet> {
    let header = &game.header;
    if header.black_marks.is_none() && header.white_marks.is_none() {
        return None;
    }
    let black = header.black_marks.unwrap_or_default();
    let white = header.white_marks.unwrap_or_default();
    Some(board.stones(Color::White) & black | board.stones(Color::Black) & white)
}

fn is_japanese(rules: &Rules) -> bool {
    rules.scoring == Scoring::Territory && matches!(rules.base, Preset::Japanese | Preset::Korean)
}

/// How many positions a search about a seki may look into.
const SEKI_SEARCH: u32 = 5_000;

/// Takes chains that seem to live in seki and don't, since the enemy may start; whether there were
/// any.
fn refute_seki(board: &Board, life: &mut Life, count: &Count) -> bool {
    let chains = life.graph().chains().iter();
    let in_seki = |stone| matches!(count.map.mark(stone), Mark::Seki(_));
    let seki: Vec<bool> = chains.map(|chain| in_seki(chain.stones[0])).collect();
    let dead = seki::refute(board, life, &seki, SEKI_SEARCH);
    for &chain in &dead {
        life.overrule(chain, false);
    }
    !dead.is_empty()
}

/// Takes groups that are dead by the ruling on bent four; whether there were any.
fn kill_bent_fours(board: &Board, life: &mut Life) -> bool {
    let mut found = false;
    for bent_four in bent_four::find_in(board, life.graph()) {
        for chain in 0..life.graph().chains().len() {
            let stone = life.graph().chain(chain).stones[0];
            if bent_four.group.contains(stone) {
                found |= life.overrule(chain, false);
            } else if bent_four.inside.contains(stone) {
                found |= life.overrule(chain, true);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::life::CUTS;
    use crate::sgf::{self, Limits};

    #[test]
    fn a_record_of_another_game_has_no_verdict() {
        for (sgf, sentence) in [
            ("(;GM[2];B[ee])", "The record is of another game: Othello."),
            (
                "(;RU[Gridless];B[3.5,3.5])",
                "The record is of another game: gridless Go.",
            ),
        ] {
            let collection = sgf::parse(sgf.as_bytes(), &Limits::default());
            let not_go = Verdict::judge(&collection.games[0], &GoOptions::default()).unwrap_err();
            assert_eq!(not_go.to_string(), sentence);
        }
    }

    /// However many questions there are: what lives, what it counts, what else would explain the
    /// result on record.
    #[test]
    fn a_position_is_cut_into_chains_and_regions_once() {
        let games = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/games");
        let mut looked_at = 0;
        for name in [
            "gnugo-9x9-half-a-point.sgf",
            "gnugo-9x9-seki.sgf",
            "gnugo-13x13-handicap.sgf",
        ] {
            let text = std::fs::read_to_string(format!("{games}/{name}")).unwrap();
            // A result that the count does not give, so that other terms and stones are tried.
            let (before, rest) = text.split_once("RE[").unwrap();
            let (_, after) = rest.split_once(']').unwrap();
            let record = format!("{before}RE[W+41.5]{after}");
            let collection = sgf::parse(record.as_bytes(), &Limits::default());
            let cuts = CUTS.get();
            let verdict = Verdict::judge(&collection.games[0], &GoOptions::default()).unwrap();
            assert_eq!(CUTS.get() - cuts, 1, "{name}");
            looked_at += u32::from(verdict.agreement != Agreement::Exact);
        }
        assert_eq!(looked_at, 3);
    }

    #[test]
    fn the_score_does_not_depend_on_the_recorded_result() {
        let moves = ";B[bc];W[dc];B[bb];W[db];B[bd];W[dd];B[ca];W[cb];B[cc];W[da];B[cd];W[ba]\
            ;B[ce];W[de];B[ab]";
        for passes in ["", ";W[];B[]"] {
            let counts = ["", "RE[B+R]", "RE[W+2.5]", "RE[B+9]", "RE[Void]"].map(|result| {
                let sgf = format!("(;SZ[5]KM[0.5]RU[Chinese]{result}{moves}{passes})");
                let collection = sgf::parse(sgf.as_bytes(), &Limits::default());
                Verdict::judge(&collection.games[0], &GoOptions::default())
                    .unwrap()
                    .count
            });
            for count in &counts {
                assert_eq!(count.map, counts[0].map);
                assert_eq!(count.margin(), counts[0].margin());
            }
        }
    }

    #[test]
    fn an_open_board_is_estimated_whoever_passed() {
        let verdict = |moves: &str| {
            let sgf = format!("(;SZ[9]KM[0]RU[Chinese];B[cc];W[gg];B[cg]{moves};W[];B[])");
            let collection = sgf::parse(sgf.as_bytes(), &Limits::default());
            Verdict::judge(&collection.games[0], &GoOptions::default()).unwrap()
        };
        let open = verdict(";W[ga];B[ca];W[gb];B[cb];W[gc];B[cd];W[gd];B[ce];W[ge];B[cf];W[gf]");
        assert_eq!(open.not_final, Some(NotFinal::Open));
        assert_eq!(open.decision, Decision::default());
        assert!(open.notes.iter().any(|note| note.contains("estimate")));
        assert_eq!(open.confidence, None);
        assert!(open.has_estimate() && open.count.black.territory > 20);

        let begun = verdict("");
        assert_eq!(begun.not_final, Some(NotFinal::FewStones));
        assert_eq!(begun.decision, Decision::default());
        assert!(!begun.has_estimate());

        let walls: String = ('a'..='i')
            .map(|row| format!(";W[e{row}];B[d{row}]"))
            .collect();
        let closed = verdict(&walls);
        assert!(closed.notes.is_empty());
        assert_eq!(closed.margin().to_string(), "W+9");
    }
}
