//! Rule sets: a few independent axes, and names for the well-known points on them.
//!
//! A rule set decides what may be played (ko, suicide) and how a finished position is counted
//! (area or territory, dead stones, seki, false eyes, group tax, button, compensation for handicap
//! stones).
//! The axes are those of [KataGo's rules page](https://lightvector.github.io/KataGo/rules.html)
//! with two more for servers that count less strictly than the rule book. A preset is nothing but
//! a set of values, so whoever needs Japanese counting with suicide just says so.
//!
//! A record names its rules in `RU[]`, in any language and spelling; [`Rules::from_record`] reads
//! those. Which rules a game is checked and counted by is decided in [`crate::replay`].

use std::fmt;
use std::str::FromStr;

/// Which repetitions a rule set forbids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KoRule {
    /// Nothing is forbidden.
    None,
    /// A single stone that just took a single stone can't be taken back at once.
    Simple,
    /// No earlier whole-board position may come back.
    Positional,
    /// No earlier whole-board position may come back with the same player to move.
    Situational,
    /// A player may not bring back a position that the same player made before by a play: like
    /// situational superko, but a position reached by passing does not count.
    NaturalSituational,
}

/// Whether a player may take the own last liberty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Suicide {
    /// Such a move is illegal.
    Forbidden,
    /// The stones come off the board.
    Allowed,
}

/// What scores: stones and what they surround, or what they surround and prisoners.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scoring {
    /// Stones and what they surround.
    Area,
    /// What stones surround, and prisoners.
    Territory,
}

/// What White gets for the stones Black starts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HandicapBonus {
    /// Nothing.
    None,
    /// A point for each stone but one: the stone Black would have played first anyway.
    AllButOne,
    /// A point for each stone.
    All,
}

/// Whether empty points of one kind are worth anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Points {
    /// They are.
    Counted,
    /// They are not.
    NotCounted,
}

/// Whether a group pays for the two eyes it can't fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupTax {
    /// It does not.
    None,
    /// Two points per group.
    TwoPoints,
}

/// Whether the first player to pass takes half a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Button {
    /// There is no button.
    None,
    /// It is worth half a point.
    HalfPoint,
}

/// What happens to dead stones when play has stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Removal {
    /// They are lifted.
    Dead,
    /// Nothing is lifted: a stone that should not count has to be taken in play.
    Nothing,
}

/// A rule set.
///
/// ```
/// use kifu::rules::{KoRule, Rules, Scoring};
///
/// let rules: Rules = "aga".parse().unwrap();
/// assert_eq!(rules.ko, KoRule::Situational);
/// assert_eq!(rules.scoring, Scoring::Area);
/// assert_eq!(rules.handicap_points(4), 3);
/// assert_eq!(rules.to_string(), "aga");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Rules {
    /// The rule set's name, where it is a preset or close to one: Korean and Japanese rules
    /// have the same axes and different names.
    pub base: Preset,
    /// Which repetitions are illegal.
    pub ko: KoRule,
    /// Whether a player may take the own last liberty.
    pub suicide: Suicide,
    /// What scores.
    pub scoring: Scoring,
    /// What White gets for handicap stones.
    pub handicap: HandicapBonus,
    /// Territory of groups in seki.
    pub seki: Points,
    /// Points where a group must connect in the end, because it has a shared liberty there.
    pub false_eyes: Points,
    /// Whether a group pays for its two eyes.
    pub group_tax: GroupTax,
    /// Whether the first player to pass takes half a point.
    pub button: Button,
    /// What happens to dead stones.
    pub removal: Removal,
}

/// The rule sets with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Preset {
    /// `japanese`: territory, strict about false eyes and seki.
    Japanese,
    /// `chinese`: area, positional superko.
    Chinese,
    /// `korean`: as Japanese rules.
    Korean,
    /// `aga`: area, situational superko.
    Aga,
    /// `nz`: area, situational superko, suicide.
    Nz,
    /// `ing`: area, suicide, 8 points of komi.
    Ing,
    /// `tromp-taylor`: area, every stone on the board stands.
    TrompTaylor,
    /// `stone-scoring`: area less the two eyes of each group.
    StoneScoring,
}

impl Preset {
    /// Every one of them.
    pub const ALL: [Preset; 8] = [
        Preset::Japanese,
        Preset::Chinese,
        Preset::Korean,
        Preset::Aga,
        Preset::Nz,
        Preset::Ing,
        Preset::TrompTaylor,
        Preset::StoneScoring,
    ];

    /// The word for it on the command line and in every output.
    pub fn as_str(self) -> &'static str {
        match self {
            Preset::Japanese => "japanese",
            Preset::Chinese => "chinese",
            Preset::Korean => "korean",
            Preset::Aga => "aga",
            Preset::Nz => "nz",
            Preset::Ing => "ing",
            Preset::TrompTaylor => "tromp-taylor",
            Preset::StoneScoring => "stone-scoring",
        }
    }

    /// The values of this rule set on every axis.
    pub fn rules(self) -> Rules {
        let territory = Rules {
            base: self,
            ko: KoRule::Simple,
            suicide: Suicide::Forbidden,
            scoring: Scoring::Territory,
            handicap: HandicapBonus::None,
            seki: Points::NotCounted,
            false_eyes: Points::NotCounted,
            group_tax: GroupTax::None,
            button: Button::None,
            removal: Removal::Dead,
        };
        let area = Rules {
            ko: KoRule::Positional,
            scoring: Scoring::Area,
            seki: Points::Counted,
            false_eyes: Points::Counted,
            ..territory
        };
        match self {
            Preset::Japanese | Preset::Korean => territory,
            Preset::Chinese => Rules {
                handicap: HandicapBonus::All,
                ..area
            },
            Preset::Aga => Rules {
                ko: KoRule::Situational,
                handicap: HandicapBonus::AllButOne,
                ..area
            },
            Preset::Nz => Rules {
                ko: KoRule::Situational,
                suicide: Suicide::Allowed,
                ..area
            },
            // Ing's own ko rule tells fighting from disturbing kos, which needs a judge who
            // reads. Both kinds agree on the ko itself, so that alone is an error; longer
            // repetitions are reported and left to the judge. The rule book is silent on
            // compensation for handicap stones.
            Preset::Ing => Rules {
                ko: KoRule::Simple,
                suicide: Suicide::Allowed,
                ..area
            },
            Preset::TrompTaylor => Rules {
                suicide: Suicide::Allowed,
                removal: Removal::Nothing,
                ..area
            },
            Preset::StoneScoring => Rules {
                ko: KoRule::Simple,
                seki: Points::NotCounted,
                group_tax: GroupTax::TwoPoints,
                ..area
            },
        }
    }
}

impl Default for Rules {
    /// Japanese rules. The likely rules of a record without `RU[]` are a question for whoever
    /// replays it: they depend on its komi.
    fn default() -> Rules {
        Preset::Japanese.rules()
    }
}

impl Rules {
    /// Reads the text of `RU[]`: the presets in the spellings and languages that records use,
    /// and KataGo's strings such as `koSIMPLEscoreTERRITORYtaxSEKIsui0`.
    pub fn from_record(text: &str) -> Option<Rules> {
        // Nearly every record names one of the presets by its own word.
        if let Some(preset) = Preset::ALL
            .into_iter()
            .find(|preset| preset.as_str().eq_ignore_ascii_case(text))
        {
            return Some(preset.rules());
        }
        let text = text.to_lowercase();
        if let Some(rules) = read_axes(&text) {
            return Some(rules);
        }
        let compact = without_separators(&text);
        let mut rules = match read_name(&text) {
            Some(preset) => preset.rules(),
            // Area counting, and nothing said of the rest.
            None if compact.contains("buttongo") => Rules {
                ko: KoRule::Simple,
                handicap: HandicapBonus::None,
                ..Preset::Chinese.rules()
            },
            None => return None,
        };
        if [
            "grouptax",
            "还棋头",
            "還棋頭",
            "切り賃",
            "切賃",
            "ancientterritory",
        ]
        .iter()
        .any(|word| compact.contains(word))
        {
            rules.group_tax = GroupTax::TwoPoints;
        }
        if compact.contains("button") {
            rules.button = Button::HalfPoint;
        }
        Some(rules)
    }

    /// The komi that the rule book sets, where the record gives none: Ing's 8 points in an even
    /// game. Others leave it to the tournament.
    pub(crate) fn own_komi(&self, handicap: u32) -> Option<f64> {
        (self.base == Preset::Ing && handicap == 0).then_some(8.0)
    }

    /// Whether Black wins where both sides have the same score. It goes with Ing's komi.
    pub(crate) fn black_wins_ties(&self) -> bool {
        self.base == Preset::Ing
    }

    /// What White gets for this many handicap stones.
    pub fn handicap_points(&self, stones: u32) -> u32 {
        match self.handicap {
            HandicapBonus::None => 0,
            HandicapBonus::AllButOne => stones.saturating_sub(1),
            HandicapBonus::All => stones,
        }
    }
}

/// A text for a message: the beginning of it, if it is long.
pub(crate) fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= LONGEST {
        return line;
    }
    line.chars().take(LONGEST - 1).chain(['…']).collect()
}

/// Names whose parts mean something else: looked for first.
const COMPOUNDS: &[(&str, Preset)] = &[
    ("tromptaylor", Preset::TrompTaylor),
    ("stonescoring", Preset::StoneScoring),
    ("stonecounting", Preset::StoneScoring),
    ("oldchinese", Preset::StoneScoring),
    ("ancientchinese", Preset::StoneScoring),
    ("ancientarea", Preset::StoneScoring),
    ("traditionalchinese", Preset::StoneScoring),
    ("中国古", Preset::StoneScoring),
    ("中國古", Preset::StoneScoring),
    ("ancientterritory", Preset::Japanese),
    ("americangoassociation", Preset::Aga),
    ("inggoe", Preset::Ing),
];

/// Names that mean a rule set wherever they stand in the text; the first of them counts.
const NAMES: &[(&str, Preset)] = &[
    ("japan", Preset::Japanese),
    ("japon", Preset::Japanese),
    ("giappon", Preset::Japanese),
    ("nihon", Preset::Japanese),
    ("日本", Preset::Japanese),
    // The Korean rules are the Japanese ones.
    ("日韩", Preset::Japanese),
    ("日韓", Preset::Japanese),
    ("日规", Preset::Japanese),
    ("日規", Preset::Japanese),
    ("일본", Preset::Japanese),
    ("япон", Preset::Japanese),
    ("chines", Preset::Chinese),
    ("china", Preset::Chinese),
    ("chino", Preset::Chinese),
    ("cinese", Preset::Chinese),
    ("中国", Preset::Chinese),
    ("中國", Preset::Chinese),
    ("中规", Preset::Chinese),
    ("中規", Preset::Chinese),
    ("중국", Preset::Chinese),
    ("китай", Preset::Chinese),
    ("korea", Preset::Korean),
    ("coreen", Preset::Korean),
    ("coréen", Preset::Korean),
    ("韩国", Preset::Korean),
    ("韓国", Preset::Korean),
    ("韓國", Preset::Korean),
    ("한국", Preset::Korean),
    ("корей", Preset::Korean),
    // The British and the French rules are the American ones.
    ("american", Preset::Aga),
    ("british", Preset::Aga),
    ("french", Preset::Aga),
    ("français", Preset::Aga),
    ("newzealand", Preset::Nz),
    ("nouvellezelande", Preset::Nz),
    ("nouvellezélande", Preset::Nz),
    ("neuseeland", Preset::Nz),
    ("新西兰", Preset::Nz),
    ("紐西蘭", Preset::Nz),
    ("ニュージーランド", Preset::Nz),
    ("应氏", Preset::Ing),
    ("應氏", Preset::Ing),
    ("応氏", Preset::Ing),
    ("计点", Preset::Ing),
    ("計點", Preset::Ing),
    ("tromp", Preset::TrompTaylor),
];

/// Words that mean a rule set only when they stand alone: `ing` is also in "scoring", and
/// `corea` in "score area".
const WORDS: &[(&str, Preset)] = &[
    ("jp", Preset::Japanese),
    ("jpn", Preset::Japanese),
    ("jap", Preset::Japanese),
    ("ja", Preset::Japanese),
    ("j", Preset::Japanese),
    ("cn", Preset::Chinese),
    ("chn", Preset::Chinese),
    ("ch", Preset::Chinese),
    ("zh", Preset::Chinese),
    ("c", Preset::Chinese),
    ("kr", Preset::Korean),
    ("kor", Preset::Korean),
    ("k", Preset::Korean),
    ("corea", Preset::Korean),
    ("coreana", Preset::Korean),
    ("coreano", Preset::Korean),
    ("aga", Preset::Aga),
    ("bga", Preset::Aga),
    ("ffg", Preset::Aga),
    ("nz", Preset::Nz),
    ("ing", Preset::Ing),
    ("ings", Preset::Ing),
    ("goe", Preset::Ing),
    ("sst", Preset::Ing),
    ("tt", Preset::TrompTaylor),
];

/// Names of a way to count rather than of a rule set: looked for last.
const WAYS_TO_COUNT: &[(&str, Preset)] = &[
    ("area", Preset::Chinese),
    ("数子", Preset::Chinese),
    ("數子", Preset::Chinese),
    ("territor", Preset::Japanese),
    ("数目", Preset::Japanese),
    ("數目", Preset::Japanese),
];

/// Text with letters and digits only.
fn without_separators(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// `cn2002`, `jp89`: a word without the year of the rules behind it.
fn without_year(word: &str) -> &str {
    let name = word.trim_end_matches(|c: char| c.is_ascii_digit());
    match (name.len(), word.len() - name.len()) {
        (2.., 2 | 4) => name,
        _ => word,
    }
}

/// The preset that a lower-case text names.
fn read_name(text: &str) -> Option<Preset> {
    let compact = without_separators(text);
    let anywhere = |names: &[(&str, Preset)]| {
        names
            .iter()
            .filter_map(|&(name, preset)| Some((compact.find(name)?, preset)))
            .min_by_key(|&(start, _)| start)
            .map(|(_, preset)| preset)
    };
    let alone = || {
        text.split(|c: char| !c.is_alphanumeric())
            .map(without_year)
            .find_map(|word| Some(WORDS.iter().find(|(name, _)| *name == word)?.1))
    };
    anywhere(COMPOUNDS)
        .or_else(|| anywhere(NAMES))
        .or_else(alone)
        .or_else(|| anywhere(WAYS_TO_COUNT))
}

/// Reads rules written axis by axis, as KataGo writes them: `koPOSITIONALscoreAREAtaxNONEsui1`,
/// or the same as a JSON object. The text is in lower case.
fn read_axes(text: &str) -> Option<Rules> {
    let compact: String = text
        .chars()
        .filter(|&c| c.is_alphanumeric() || c == '-')
        .collect();
    let mut rest = compact.as_str();
    let rest = &mut rest;
    take(rest, &[("ko", ())])?;
    let ko = take(rest, KO_WORDS)?;
    take(rest, &[("scoring", ()), ("score", ())])?;
    let scoring = take(rest, SCORING_WORDS)?;
    let mut rules = match scoring {
        // Dead stones have to be taken unless `friendlyPassOk` says otherwise.
        Scoring::Area => Preset::TrompTaylor.rules(),
        Scoring::Territory => Preset::Japanese.rules(),
    };
    rules.ko = ko;
    rules.suicide = Suicide::Forbidden;
    while !rest.is_empty() {
        if take(rest, &[("tax", ())]).is_some() {
            (rules.seki, rules.group_tax) = take(rest, TAX_WORDS)?;
        } else if take(rest, &[("suicide", ()), ("sui", ())]).is_some() {
            rules.suicide = match take(rest, YES_OR_NO)? {
                true => Suicide::Allowed,
                false => Suicide::Forbidden,
            };
        } else if take(rest, &[("hasbutton", ()), ("button", ())]).is_some() {
            rules.button = match take(rest, YES_OR_NO)? {
                true => Button::HalfPoint,
                false => Button::None,
            };
        } else if take(rest, &[("whitehandicapbonus", ()), ("whb", ())]).is_some() {
            rules.handicap = take(rest, HANDICAP_WORDS)?;
        } else if take(rest, &[("falseeyes", ())]).is_some() {
            rules.false_eyes = match take(rest, YES_OR_NO)? {
                true => Points::Counted,
                false => Points::NotCounted,
            };
        } else {
            take(rest, &[("friendlypassok", ()), ("fpok", ())])?;
            let may_pass = take(rest, YES_OR_NO)?;
            // Territory counting has no use for dead stones that stay: there it says nothing.
            if scoring == Scoring::Area && may_pass {
                rules.removal = Removal::Dead;
            }
        }
    }
    let twin = Preset::ALL
        .into_iter()
        .filter(|preset| !matches!(preset, Preset::Korean | Preset::Ing))
        .find(|preset| {
            preset.rules()
                == Rules {
                    base: *preset,
                    ..rules
                }
        });
    rules.base = twin.unwrap_or(rules.base);
    Some(rules)
}

/// Takes the first of these words that the text starts with off its front.
fn take<T: Copy>(text: &mut &str, words: &[(&str, T)]) -> Option<T> {
    words.iter().find_map(|&(word, meaning)| {
        *text = text.strip_prefix(word)?;
        Some(meaning)
    })
}

const KO_WORDS: &[(&str, KoRule)] = &[
    ("none", KoRule::None),
    ("simple", KoRule::Simple),
    ("positional", KoRule::Positional),
    ("situational", KoRule::Situational),
    ("natural", KoRule::NaturalSituational),
];
const SCORING_WORDS: &[(&str, Scoring)] =
    &[("area", Scoring::Area), ("territory", Scoring::Territory)];
const TAX_WORDS: &[(&str, (Points, GroupTax))] = &[
    ("none", (Points::Counted, GroupTax::None)),
    ("seki", (Points::NotCounted, GroupTax::None)),
    ("all", (Points::NotCounted, GroupTax::TwoPoints)),
    ("groups", (Points::Counted, GroupTax::TwoPoints)),
];
const HANDICAP_WORDS: &[(&str, HandicapBonus)] = &[
    ("0", HandicapBonus::None),
    ("n-1", HandicapBonus::AllButOne),
    ("n", HandicapBonus::All),
];
const YES_OR_NO: &[(&str, bool)] = &[("true", true), ("false", false), ("1", true), ("0", false)];

/// The word for a value, the reverse of [`take`].
fn word<T: PartialEq>(words: &[(&'static str, T)], value: T) -> String {
    words
        .iter()
        .find(|(_, meaning)| *meaning == value)
        .map_or(String::new(), |(word, _)| word.to_uppercase())
}

impl fmt::Display for Rules {
    /// The preset's name, or every axis where the rules are none of the presets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == self.base.rules() {
            return f.write_str(self.base.as_str());
        }
        write!(
            f,
            "ko{}score{}tax{}sui{}",
            word(KO_WORDS, self.ko),
            word(SCORING_WORDS, self.scoring),
            word(TAX_WORDS, (self.seki, self.group_tax)),
            (self.suicide == Suicide::Allowed) as u8,
        )?;
        if self.button == Button::HalfPoint {
            f.write_str("button1")?;
        }
        if self.handicap != HandicapBonus::None {
            write!(f, "whb{}", word(HANDICAP_WORDS, self.handicap))?;
        }
        let usual = match self.scoring {
            Scoring::Area => Points::Counted,
            Scoring::Territory => Points::NotCounted,
        };
        if self.scoring == Scoring::Area && self.removal == Removal::Dead {
            f.write_str("fpok1")?;
        }
        if self.false_eyes != usual {
            write!(f, "falseEyes{}", (self.false_eyes == Points::Counted) as u8)?;
        }
        Ok(())
    }
}

/// A text that names no rule set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRules(String);

impl fmt::Display for UnknownRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Preset::ALL.map(Preset::as_str).join(", ");
        write!(
            f,
            "there is no rule set \"{}\": choose one of {names}, or write each axis as in \
             koPOSITIONALscoreAREAtaxNONEsui1",
            shortened(&self.0)
        )
    }
}

impl std::error::Error for UnknownRules {}

impl FromStr for Rules {
    type Err = UnknownRules;

    /// Reads what a user typed, in any spelling that records use.
    fn from_str(text: &str) -> Result<Rules, UnknownRules> {
        Rules::from_record(text).ok_or_else(|| UnknownRules(text.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> String {
        Rules::from_record(text).map_or("unknown".to_string(), |rules| rules.to_string())
    }

    #[test]
    fn every_spelling_found_in_records_is_read() {
        let spellings: &[(&str, &[&str])] = &[
            (
                "japanese",
                &[
                    "Japanese",
                    "japanese",
                    " JAPANESE ",
                    "JP",
                    "jp",
                    "Jap.",
                    "J",
                    "日本規則",
                    "日本规则",
                    "日本棋院囲碁規約",
                    "Japanese rules",
                    "Nihon Ki-in",
                    "Japonaise",
                    "Territory",
                    "territory scoring",
                    "数目法",
                    "Japanese, Pair Go",
                    "JP89",
                    "jp1989",
                    "日韩规则",
                ],
            ),
            (
                "chinese",
                &[
                    "Chinese",
                    "chinese",
                    "CN",
                    "中国规则",
                    "中國規則",
                    "中国ルール",
                    "China",
                    "Chinese, Pair Go",
                    "Chinese (Pair Go)",
                    "chinese-ogs",
                    "Area",
                    "area scoring",
                    "数子法",
                    "Chinesisch",
                    "Règle chinoise",
                    "Китайские",
                    "cn2002",
                ],
            ),
            (
                "korean",
                &[
                    "Korean",
                    "korean",
                    "KR",
                    "Korea",
                    "한국",
                    "韩国规则",
                    "韓國規則",
                ],
            ),
            (
                "aga",
                &[
                    "AGA",
                    "aga",
                    "AGA rules",
                    "American Go Association",
                    "BGA",
                    "French",
                ],
            ),
            (
                "nz",
                &[
                    "NZ",
                    "nz",
                    "New Zealand",
                    "new-zealand",
                    "newzealand",
                    "新西兰规则",
                ],
            ),
            (
                "ing",
                &[
                    "Ing",
                    "GOE",
                    "Goe",
                    "Ing Goe",
                    "Ing's",
                    "SST Ing",
                    "应氏规则",
                    "應氏計點制",
                ],
            ),
            (
                "tromp-taylor",
                &[
                    "Tromp-Taylor",
                    "tromp-taylor",
                    "Tromp Taylor",
                    "tromp/taylor",
                    "TT",
                    "tromptaylor",
                    "TT--",
                ],
            ),
            (
                "stone-scoring",
                &[
                    "stone-scoring",
                    "Stone scoring",
                    "Old Chinese",
                    "ancient chinese",
                    "中国古棋",
                ],
            ),
            ("koSIMPLEscoreAREAtaxNONEsui0button1fpok1", &["Button Go"]),
            // A server and a federation, not rule sets.
            ("unknown", &["ogs", "EGF"]),
            (
                "unknown",
                &["", "?", "Calvinball", "5 + 0", "scoring", "k19", "button"],
            ),
        ];
        for (name, texts) in spellings {
            for text in *texts {
                assert_eq!(named(text), *name, "RU[{text}]");
            }
        }
    }

    #[test]
    fn words_added_to_a_preset_change_its_axes() {
        let tang = Rules::from_record("Tang (Japanese + group tax)").unwrap();
        assert_eq!(tang.scoring, Scoring::Territory);
        assert_eq!(tang.group_tax, GroupTax::TwoPoints);
        assert_eq!(
            named("AGA with button"),
            "koSITUATIONALscoreAREAtaxNONEsui0button1whbN-1fpok1"
        );
    }

    #[test]
    fn katago_writes_every_axis() {
        assert_eq!(named("koPOSITIONALscoreAREAtaxNONEsui1"), "tromp-taylor");
        assert_eq!(
            named("koSIMPLEscoreTERRITORYtaxSEKIsui0button0whb0fpok1"),
            "japanese"
        );
        assert_eq!(named("koSITUATIONALscoreAREAtaxNONEsui0whbN-1fpok1"), "aga");
        let json = r#"{"ko":"POSITIONAL","scoring":"AREA","tax":"NONE","suicide":false,
            "hasButton":false,"whiteHandicapBonus":"N","friendlyPassOk":true}"#;
        assert_eq!(named(json), "chinese");
        // Without `friendlyPassOk` dead stones have to be taken.
        assert_eq!(
            named("koSIMPLEscoreAREAtaxNONEsui0whbN"),
            "koSIMPLEscoreAREAtaxNONEsui0whbN"
        );
        let removal = |text: &str| Rules::from_record(text).unwrap().removal;
        assert_eq!(
            removal("koSIMPLEscoreAREAtaxNONEsui0whbN"),
            Removal::Nothing
        );
        assert_eq!(
            removal("koSIMPLEscoreAREAtaxNONEsui0whbNfpok1"),
            Removal::Dead
        );
        assert_eq!(removal("koSIMPLEscoreTERRITORYtaxSEKIsui0"), Removal::Dead);
        assert_eq!(named("koPOSITIONALscoreAREAtaxWINE"), "chinese");
    }

    #[test]
    fn what_is_written_is_read_back() {
        for ko in KO_WORDS {
            for scoring in SCORING_WORDS {
                for tax in TAX_WORDS {
                    for handicap in HANDICAP_WORDS {
                        for bits in 0..16 {
                            let either = |bit: u8| bits >> bit & 1 != 0;
                            let base = match scoring.1 {
                                Scoring::Area => Preset::TrompTaylor,
                                Scoring::Territory => Preset::Japanese,
                            };
                            let rules = Rules {
                                base,
                                ko: ko.1,
                                suicide: if either(0) {
                                    Suicide::Allowed
                                } else {
                                    Suicide::Forbidden
                                },
                                scoring: scoring.1,
                                handicap: handicap.1,
                                seki: tax.1.0,
                                false_eyes: if either(1) {
                                    Points::Counted
                                } else {
                                    Points::NotCounted
                                },
                                group_tax: tax.1.1,
                                button: if either(2) {
                                    Button::HalfPoint
                                } else {
                                    Button::None
                                },
                                removal: if either(3) && scoring.1 == Scoring::Area {
                                    Removal::Nothing
                                } else {
                                    Removal::Dead
                                },
                            };
                            let read = Rules::from_record(&rules.to_string()).unwrap();
                            assert_eq!(Rules { base, ..read }, rules);
                        }
                    }
                }
            }
        }
        for preset in Preset::ALL {
            assert_eq!(preset.as_str().parse(), Ok(preset.rules()));
        }
    }

    #[test]
    fn an_unknown_rule_set_is_answered_with_the_known_ones() {
        let error = "Calvinball".parse::<Rules>().unwrap_err().to_string();
        assert!(error.contains("tromp-taylor"), "{error}");
    }
}
