//! Which rules a game is replayed and counted by.
//!
//! What the user asked for; else what the record names in `RU[]`; else Japanese, by far the most
//! common in records that leave `RU[]` out, unless the komi of an even game says Chinese.
//!
//! Rule sets differ most in the repetitions that they forbid. A guess is good enough to count by,
//! but no ground to call a move illegal: under guessed rules nothing but the ko is an error. Nor
//! is it where a server is known to allow more than the rules it names: OGS lets positions come
//! back in games by Chinese rules.

use crate::finding::{Code, Finding};
use crate::rules::{KoRule, Preset, Rules, shortened};
use crate::sgf::{Header, Server};

/// Where a game's rule set comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RulesSource {
    /// `RU[]` names it.
    Record,
    /// The user asked for it.
    Option,
    /// The server that the record comes from is known to count by it, whatever `RU[]` says.
    Server,
    /// The games of the same source fit it, and not what `RU[]` says.
    Statistics,
    /// Nobody named one, or `RU[]` could not be understood.
    Default,
}

impl RulesSource {
    /// The word for it in every output.
    pub fn as_str(self) -> &'static str {
        match self {
            RulesSource::Record => "record",
            RulesSource::Option => "option",
            RulesSource::Server => "server",
            RulesSource::Statistics => "statistics",
            RulesSource::Default => "default",
        }
    }
}

/// The rule set of one game, and why it is that one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChosenRules {
    /// What the game is counted by.
    pub rules: Rules,
    /// What chose them.
    pub source: RulesSource,
    /// Which repetitions are errors. Guessed rules forbid no more than the ko.
    pub ko: KoRule,
    /// What there is to say about an `RU[]` that could not be understood.
    pub finding: Option<Finding>,
}

impl ChosenRules {
    /// What the game is replayed by: a move that these forbid is illegal.
    pub fn in_play(&self) -> Rules {
        Rules {
            ko: self.ko,
            ..self.rules
        }
    }
}

/// The rules to check and count a game by: the user's, else the record's, else the default.
///
/// ```
/// use kifu::sgf::Header;
/// use kifu::replay::{RulesSource, choose_rules};
///
/// let mut header = Header::default();
/// header.rules = Some("中国规则".to_string());
/// let chosen = choose_rules(&header, None);
/// assert_eq!(chosen.rules.to_string(), "chinese");
/// assert_eq!(chosen.source, RulesSource::Record);
/// ```
pub fn choose_rules(header: &Header, asked_for: Option<Rules>) -> ChosenRules {
    let chosen = |rules: Rules, source| ChosenRules {
        rules,
        source,
        ko: match source {
            RulesSource::Option => rules.ko,
            RulesSource::Record if header.server == Some(Server::Ogs) => ko_on_ogs(&rules),
            RulesSource::Record => rules.ko,
            RulesSource::Server | RulesSource::Statistics | RulesSource::Default => KoRule::Simple,
        },
        finding: None,
    };
    if let Some(rules) = asked_for {
        return chosen(rules, RulesSource::Option);
    }
    let text = header.rules.as_deref().unwrap_or("").trim();
    if text.is_empty() {
        return chosen(likely_rules(header), RulesSource::Default);
    }
    if let Some(rules) = Rules::from_record(text) {
        return chosen(rules, RulesSource::Record);
    }
    let rules = likely_rules(header);
    ChosenRules {
        finding: Some(Finding::new(
            Code::UnknownRules,
            format!(
                "The record names a rule set that kifu does not know, \"{}\"; {rules} rules are taken.",
                shortened(text)
            ),
        )),
        ..chosen(rules, RulesSource::Default)
    }
}

/// Which repetitions OGS forbids in a game by these rules.
fn ko_on_ogs(rules: &Rules) -> KoRule {
    match rules.base {
        Preset::Chinese => KoRule::Simple,
        _ => rules.ko,
    }
}

/// The likely rules of a record that names none that is known. The komi tells even Chinese games
/// from the others: 7½ points, or 3¾ stones, is what they are played with, and hardly any other.
fn likely_rules(header: &Header) -> Rules {
    const CHINESE_KOMI: f64 = 7.5;
    match (header.komi, header.handicap) {
        (Some(CHINESE_KOMI), None | Some(0)) => Preset::Chinese.rules(),
        _ => Rules::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_user_comes_before_the_record_and_the_record_before_the_default() {
        let says = |text: &str| Header {
            rules: Some(text.to_string()),
            ..Header::default()
        };
        let chosen = choose_rules(&says("AGA"), Some(Preset::Nz.rules()));
        assert_eq!(
            (chosen.rules.base, chosen.source),
            (Preset::Nz, RulesSource::Option)
        );
        let chosen = choose_rules(&says("AGA"), None);
        assert_eq!(
            (chosen.rules.base, chosen.source),
            (Preset::Aga, RulesSource::Record)
        );
        for silent in [Header::default(), says(" ")] {
            let chosen = choose_rules(&silent, None);
            assert_eq!(
                (chosen.rules, chosen.source),
                (Rules::default(), RulesSource::Default)
            );
            assert_eq!(chosen.finding, None);
        }
        let chosen = choose_rules(&says("Calvinball"), None);
        assert_eq!(chosen.source, RulesSource::Default);
        assert_eq!(chosen.finding.unwrap().code, Code::UnknownRules);
    }

    #[test]
    fn the_komi_tells_chinese_games_where_nothing_else_does() {
        let base = |komi, rules: Option<&str>| {
            let header = Header {
                komi: Some(komi),
                rules: rules.map(str::to_string),
                ..Header::default()
            };
            choose_rules(&header, None).rules.base
        };
        assert_eq!(base(7.5, None), Preset::Chinese);
        assert_eq!(base(6.5, None), Preset::Japanese);
        assert_eq!(base(7.5, Some("Japanese")), Preset::Japanese);
        assert_eq!(base(7.5, Some("Calvinball")), Preset::Chinese);
    }

    #[test]
    fn a_repetition_is_an_error_only_where_somebody_forbids_it() {
        let ko = |rules: Option<&str>, server, asked_for| {
            let header = Header {
                komi: Some(7.5),
                rules: rules.map(str::to_string),
                server,
                ..Header::default()
            };
            choose_rules(&header, asked_for).in_play().ko
        };
        let chinese = Preset::Chinese.rules();
        assert_eq!(ko(Some("Chinese"), None, None), KoRule::Positional);
        assert_eq!(ko(None, None, Some(chinese)), KoRule::Positional);
        // Guessed by the komi.
        assert_eq!(ko(None, None, None), KoRule::Simple);
        let ogs = Some(Server::Ogs);
        assert_eq!(ko(Some("Chinese"), ogs, None), KoRule::Simple);
        assert_eq!(ko(Some("AGA"), ogs, None), KoRule::Situational);
        assert_eq!(ko(Some("Chinese"), ogs, Some(chinese)), KoRule::Positional);
    }
}
