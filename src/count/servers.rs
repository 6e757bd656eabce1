//! How servers count what the rule book leaves no doubt about.
//!
//! The rule book says which surrounded points are no territory: those that have to be filled in
//! the end, and eyes in seki. Servers let the players mark the dead stones and then count by a
//! program, and the programs differ:
//!
//! - **KGS** takes false eyes and eyes in seki off, as the rule book does, but goes by a simpler
//!   idea of connection: stones around the same dame region belong together, even where the
//!   enemy stands between them.
//! - **OGS** (up to 2024), **Tygem** and **Tom** fill every region that touches one colour and
//!   count it all.
//! - **Fox** counts by the rule book.
//!
//! Measured on finished games whose recorded result an independent reading of the dead stones
//! confirms. Area counting knows no difference.
//!
//! | | games | strict | as KGS | plain |
//! | --- | --- | --- | --- | --- |
//! | KGS, Japanese | 6,039 | 99.4 % | 99.9 % | 88.9 % |
//! | OGS, Japanese | 5,373 | 97.4 % | | 99.4 % |
//! | Tygem, Korean | 1,098 | 96.9 % | | 98.1 % |
//!
//! And on all finished games with a margin on record, without a second opinion on the dead stones:
//!
//! | | games | strict | plain |
//! | --- | --- | --- | --- |
//! | Tom, komi 6.5 | 114 | 90.4 % | 97.4 % |
//! | Fox, even, by territory | 908 | 79.9 % | 64.1 % |

use crate::replay::{ChosenRules, RulesSource};
use crate::rules::{Points, Removal, Rules, Scoring};
use crate::sgf::{Header, Server};

/// How closely surrounded points are looked at before they count as territory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Counting {
    /// As the rule book has it: neither false eyes nor eyes in seki count.
    #[default]
    Strict,
    /// Strict, with the connections that KGS sees.
    Kgs,
    /// Every region that touches one colour only counts.
    Plain,
}

impl Counting {
    /// The word for it on the command line and in every output.
    pub fn as_str(self) -> &'static str {
        match self {
            Counting::Strict => "strict",
            Counting::Kgs => "kgs",
            Counting::Plain => "plain",
        }
    }

    /// How the game on record was counted, and a note where that is not by the rule book.
    ///
    /// KGS follows the rule book as far as it can see, so it gets no note.
    pub fn for_record(header: &Header, rules: &Rules) -> (Counting, Option<String>) {
        if rules.scoring == Scoring::Area {
            return (Counting::Strict, None);
        }
        let server = match header.server {
            Some(Server::Kgs) => return (Counting::Kgs, None),
            Some(server @ (Server::Ogs | Server::Tygem | Server::Tom)) => server,
            Some(Server::Fox | Server::Cgos) | None => return (Counting::Strict, None),
        };
        let note = format!(
            "Counted plainly, as {} does: false eyes and eyes in seki are territory.",
            server.name()
        );
        (Counting::Plain, Some(note))
    }

    /// The rules with this way of counting territory.
    pub(crate) fn applied_to(self, rules: Rules) -> Rules {
        if self != Counting::Plain || rules.scoring == Scoring::Area {
            return rules;
        }
        Rules {
            seki: Points::Counted,
            false_eyes: Points::Counted,
            ..rules
        }
    }
}

/// Whether nothing is lifted off the board before this game is counted, by its rules or by the
/// server that it was played on: a note about it.
pub(crate) fn every_stone_stands(header: &Header, chosen: &ChosenRules) -> Option<String> {
    let by = if chosen.rules.removal == Removal::Nothing {
        format!("under {} rules", chosen.rules)
    } else if header.server == Some(Server::Cgos) && chosen.source != RulesSource::Option {
        "as CGOS counts".to_string()
    } else {
        return None;
    };
    Some(format!("Every stone on the board stands, {by}."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::choose_rules;
    use crate::rules::Preset;

    #[test]
    fn the_server_decides_and_area_rules_do_not_care() {
        let counting = |place: &str, preset: Preset| {
            let header = Header {
                server: Server::named_in(&[place]),
                ..Header::default()
            };
            let (counting, note) = Counting::for_record(&header, &preset.rules());
            assert_eq!(note.is_some(), counting == Counting::Plain);
            counting
        };
        let kgs = "The KGS Go Server at http://www.gokgs.com/";
        let ogs = "OGS: https://online-go.com/game/10048035";
        assert_eq!(counting(kgs, Preset::Japanese), Counting::Kgs);
        assert_eq!(counting(kgs, Preset::Korean), Counting::Kgs);
        assert_eq!(counting(ogs, Preset::Japanese), Counting::Plain);
        assert_eq!(counting(ogs, Preset::Chinese), Counting::Strict);
        assert_eq!(counting("", Preset::Japanese), Counting::Strict);
        assert_eq!(counting("", Preset::Korean), Counting::Strict);
        assert_eq!(counting("Tygem", Preset::Korean), Counting::Plain);
        assert_eq!(counting("Tokyo", Preset::Japanese), Counting::Strict);
    }

    #[test]
    fn dead_stones_stay_where_nothing_is_lifted() {
        let note = |rules: &str, server, asked_for| {
            let header = Header {
                rules: Some(rules.to_string()),
                server,
                ..Header::default()
            };
            every_stone_stands(&header, &choose_rules(&header, asked_for))
        };
        let said = note("Tromp-Taylor", None, None).unwrap();
        assert_eq!(
            said,
            "Every stone on the board stands, under tromp-taylor rules."
        );
        assert!(note("koPOSITIONALscoreAREAtaxNONEsui0", None, None).is_some());
        assert!(note("koPOSITIONALscoreAREAtaxNONEsui0fpok1", None, None).is_none());
        assert!(note("Chinese", None, None).is_none());
        let cgos = Some(Server::Cgos);
        assert!(note("Chinese", cgos, None).is_some());
        assert!(note("Chinese", cgos, Some(Preset::Chinese.rules())).is_none());
    }

    #[test]
    fn plain_counting_changes_territory_rules_only() {
        let japanese = Preset::Japanese.rules();
        assert_eq!(Counting::Strict.applied_to(japanese), japanese);
        assert_eq!(
            Counting::Plain.applied_to(japanese).false_eyes,
            Points::Counted
        );
        let chinese = Preset::Chinese.rules();
        assert_eq!(Counting::Plain.applied_to(chinese), chinese);
    }
}
