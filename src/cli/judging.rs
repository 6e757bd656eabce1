//! How games are judged and counted: the options of every command that needs scores.

use clap::{Args, ValueEnum};

use super::Failure;
use super::games::OtherGameArgs;
use super::run_config::{RunConfig, STOP};
use crate::count::Counting;
use crate::games::convention::Conventions;
use crate::games::go::{self, DeadStones};
use crate::pipeline::file::ScoreOptions;
use crate::pipeline::row;
use crate::pipeline::sources::{FoundConventions, Survey};
use crate::rules::Rules;
use crate::sgf::MOST_KOMI;

/// What a user may choose about scores, as it was typed.
#[derive(Debug, Args)]
pub(super) struct JudgingArgs {
    /// Count by these rules, whatever the records say: japanese, chinese, korean, aga, nz, ing,
    /// tromp-taylor, stone-scoring, or an RU[] text.
    ///
    /// Without it the rules are those that the record names in RU[]. Where it names none they are
    /// chinese if the komi of an even game is 7.5, else japanese.
    #[arg(long, value_name = "RULES")]
    rules: Option<Rules>,

    /// Count with this komi, whatever the records say [default: what KM[] says, else none; 8 in
    /// an even game by Ing rules].
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true, value_parser = komi)]
    komi: Option<f64>,

    /// Where the dead stones are taken from [default: judged; none where by the rules, such as
    /// Tromp-Taylor, or on the server, such as CGOS, every stone stands].
    #[arg(long, value_enum, value_name = "FROM")]
    dead_stones: Option<DeadStonesArg>,

    /// How closely territory is looked at [default: strict, or as the server on record counts].
    #[arg(long, value_enum, value_name = "HOW")]
    counting: Option<CountingArg>,

    /// How far records are taken at their word where it comes to komi, rules and counting.
    ///
    /// The result of a game never decides its own score: `auto` asks the games of each source which
    /// komi, rules and counting fit their results, and takes what is clear with any one of them
    /// left out. It reads the inputs twice.
    #[arg(long, value_enum, value_name = "HOW", default_value = "known")]
    conventions: ConventionsArg,

    /// Whether games that no count decides get an estimate, with the scores behind it.
    #[arg(long, value_enum, value_name = "WHEN", default_value = "on")]
    estimates: Switch,

    #[command(flatten)]
    other_games: OtherGameArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum DeadStonesArg {
    /// kifu finds them.
    Judged,
    /// From TB[] and TW[] in the record, where it has them.
    Marks,
    /// There are none: every stone stands.
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ConventionsArg {
    /// Except where the server on record is known to play otherwise: Fox writes KM[0] for even
    /// games, Tom RU[Japanese] for games that it counts by area.
    Known,
    /// The same, and except where the other games of the same source, a server or a folder, clearly
    /// fit another komi, other rules or another way of counting.
    Auto,
    /// Always.
    Record,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum CountingArg {
    /// By the rule book: no points for false eyes and eyes in seki.
    Strict,
    /// Every region that touches one colour only counts.
    Plain,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Switch {
    On,
    Off,
}

fn komi(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|komi: &f64| komi.abs() <= MOST_KOMI)
        .ok_or_else(|| "a komi is a number of points such as 6.5".to_string())
}

/// How the games of a run are scored.
pub(super) struct Judging {
    pub options: ScoreOptions,
    conventions: ConventionsArg,
}

/// How far the records were taken at their word.
pub(super) struct Surveyed {
    /// Whether the games of each source were asked what they were played by.
    pub is_auto: bool,
    /// Whether that was possible: standard input can't be read twice.
    pub could_ask: bool,
}

impl JudgingArgs {
    /// The choices; rows hold the final positions if those are wanted.
    pub(super) fn resolve(self, config: &RunConfig, positions: bool) -> Judging {
        let options = ScoreOptions {
            found: FoundConventions::default(),
            games: self.other_games.with(go::GoOptions {
                rules: self.rules,
                komi: self.komi,
                counting: self.counting.map(|how| match how {
                    CountingArg::Strict => Counting::Strict,
                    CountingArg::Plain => Counting::Plain,
                }),
                dead_stones: match self.dead_stones {
                    None => DeadStones::ByRules,
                    Some(DeadStonesArg::Judged) => DeadStones::Judged,
                    Some(DeadStonesArg::Marks) => DeadStones::Marks,
                    Some(DeadStonesArg::None) => DeadStones::None,
                },
                conventions: match self.conventions {
                    ConventionsArg::Known | ConventionsArg::Auto => Conventions::Known,
                    ConventionsArg::Record => Conventions::Record,
                },
                found: None,
            }),
            limits: config.record_limits.clone(),
            stop: Some(&STOP),
            wanted: row::Wanted {
                estimates: self.estimates == Switch::On,
                positions,
            },
        };
        Judging {
            options,
            conventions: self.conventions,
        }
    }
}

impl Judging {
    /// Asks the games of each source what they were played by, if that is wished.
    pub(super) fn survey(&mut self, config: &RunConfig) -> Result<Surveyed, Failure> {
        let is_auto = self.conventions == ConventionsArg::Auto;
        let mut could_ask = true;
        if is_auto {
            let survey = Survey::default();
            let ScoreOptions { games, limits, .. } = &self.options;
            could_ask = config.survey(|part| survey.look_at(part, games, limits))?;
            self.options.found = survey.finish().decide();
        }
        Ok(Surveyed { is_auto, could_ask })
    }
}
