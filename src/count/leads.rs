//! How far Black is ahead before komi, by each way of counting.
//!
//! One look at the final position is enough for all of them: territory with and without what the
//! rule book leaves out, and area.

use super::Counting;
use super::score::Count;
use crate::board::Color;
use crate::rules::{Button, GroupTax, Points, Preset, Scoring};

/// A way of counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Way {
    /// Territory by the rule book, or nearly so.
    Strict,
    /// Territory, false eyes and eyes in seki included.
    Plain,
    /// Area.
    Area,
}

impl Way {
    /// Every way.
    pub const ALL: [Way; 3] = [Way::Strict, Way::Plain, Way::Area];

    /// What it counts.
    pub fn scoring(self) -> Scoring {
        match self {
            Way::Area => Scoring::Area,
            Way::Strict | Way::Plain => Scoring::Territory,
        }
    }
}

/// Black's lead on the board, by each way of counting: komi is not in it, White's compensation for
/// handicap stones by Chinese rules is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leads {
    /// The way in which the game was counted.
    pub now: Way,
    leads: [f64; Way::ALL.len()],
}

impl Leads {
    /// Black's lead by this way of counting.
    pub fn by(&self, way: Way) -> f64 {
        self.leads[way as usize]
    }
}

impl Count {
    /// Black's lead by each way of counting; `None` under rules that give or take points of
    /// another kind, and where open points were shared out.
    pub fn leads(&self) -> Option<Leads> {
        let (rules, terms) = (&self.rules, &self.terms);
        let all_counted = match (rules.seki, rules.false_eyes) {
            (Points::Counted, Points::Counted) => true,
            (Points::Counted, _) | (_, Points::Counted) => return None,
            _ => false,
        };
        if rules.group_tax != GroupTax::None || rules.button != Button::None {
            return None;
        }
        let now = match (rules.scoring, terms.counting) {
            (Scoring::Area, _) => Way::Area,
            (Scoring::Territory, Counting::Plain) => Way::Plain,
            (Scoring::Territory, _) => Way::Strict,
        };
        let has = |color: Color, way: Way| {
            let (side, enemy) = (self.side(color), self.side(color.other()));
            let disputed = self.disputed[color.index()];
            // A move on a point of one's own costs it by territory, and nothing by area; where
            // territory is counted plainly, nobody is asked for it.
            let assumed = self.assumed.iter().filter(|own| own.color == color);
            let filled = assumed.count() as u32;
            let surrounded = side.territory + filled + if all_counted { 0 } else { disputed };
            f64::from(match way {
                Way::Strict => surrounded - disputed - filled + side.captures + enemy.dead,
                Way::Plain => surrounded + side.captures + enemy.dead,
                Way::Area => surrounded + side.stones,
            })
        };
        let by_area = match rules.scoring {
            Scoring::Area => *rules,
            Scoring::Territory => Preset::Chinese.rules(),
        };
        let by_territory = match rules.scoring {
            Scoring::Area => Preset::Japanese.rules(),
            Scoring::Territory => *rules,
        };
        let leads = Way::ALL.map(|way| {
            let rules = match way.scoring() {
                Scoring::Area => &by_area,
                Scoring::Territory => &by_territory,
            };
            let handicap = f64::from(rules.handicap_points(terms.handicap));
            has(Color::Black, way) - has(Color::White, way) - handicap
        });
        let leads = Leads { now, leads };
        // Points that were shared out in another way are not in it.
        let lead = self.black.score - self.white.score + terms.komi;
        ((leads.by(now) - lead).abs() < 0.01).then_some(leads)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, PointSet};
    use crate::count::{ScoringTerms, count};

    #[test]
    fn every_way_of_counting_gives_the_same_leads() {
        // A seki in the corner: two eyes of Black's that only plain counting and area have.
        let board: Board = "
            . X O . O X .
            X X O O O X X
            O O O X X X .
            . O X X . X X
            O O O X X X .
            . O . O O X .
            O . O . O X .
        "
        .parse()
        .unwrap();
        let leads = |preset: Preset, counting| {
            let terms = ScoringTerms {
                komi: 6.5,
                handicap: 2,
                captures: [3, 5],
                counting,
                ..ScoringTerms::default()
            };
            let counted = count(&board, &PointSet::EMPTY, &preset.rules(), &terms);
            let leads = counted.leads().unwrap();
            let margin = counted.black.score - counted.white.score + terms.komi;
            assert_eq!(leads.by(leads.now), margin, "{preset:?} {counting:?}");
            leads
        };
        let strict = leads(Preset::Japanese, Counting::Strict);
        let plain = leads(Preset::Japanese, Counting::Plain);
        let area = leads(Preset::Chinese, Counting::Strict);
        assert_eq!(
            [strict.now, plain.now, area.now],
            [Way::Strict, Way::Plain, Way::Area]
        );
        for way in Way::ALL {
            assert_eq!(strict.by(way), plain.by(way));
            assert_eq!(strict.by(way), area.by(way));
        }
        assert_ne!(strict.by(Way::Strict), strict.by(Way::Plain));
    }
}
