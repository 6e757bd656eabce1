//! The properties of `FF[4]`: what each takes, and where it may stand.
//!
//! `sgf-parse` knows all this too, and its word decides. This table is what a finding needs to
//! say it in a sentence and at a place; a test holds the two together.

use sgf_parse::PropertyType;

use crate::sgf::Key;

/// What `FF[4]` says about one property.
#[derive(Debug)]
pub(super) struct Definition {
    pub name: &'static str,
    pub key: Key,
    pub takes: Takes,
    pub role: Option<PropertyType>,
}

/// What the values of a property are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    Nothing,
    Move,
    Number,
    Real,
    Double,
    Color,
    Text,
    /// `DT`: a text in the form of ISO 8601.
    Date,
    /// `RE`: a text in one of a few forms.
    Result,
    /// `list of point`.
    Points,
    /// `elist of point`: points, or one empty value.
    PointsOrNothing,
    /// `AR`, `LN`: from a point to a point.
    Pairs,
    /// `LB`: a point and a text.
    Labels,
    /// `AP`: a name and a version.
    Application,
    /// `FF`: 1 to 4.
    Format,
    /// `ST`: 0 to 3.
    Style,
    Size,
    /// `FG`: nothing, or flags and a name.
    Figure,
    /// `PM`: 0 to 2.
    PrintMode,
    /// `HA`: from 2 on.
    Handicap,
}

impl Takes {
    /// The words for it in a sentence: "KM takes …".
    pub(crate) fn words(self) -> &'static str {
        match self {
            Takes::Nothing => "no value",
            Takes::Move => "a point of two letters, or nothing for a pass",
            Takes::Number => "a whole number",
            Takes::Real => "a number such as 6 or 6.5",
            Takes::Double => "1 or 2",
            Takes::Color => "B or W",
            Takes::Text => "a text",
            Takes::Date => "a date such as 2024-05-31",
            Takes::Result => "a result such as B+3.5, W+R or 0",
            Takes::Points => "points of two letters, or rectangles such as aa:cc",
            Takes::PointsOrNothing => {
                "points of two letters, or rectangles such as aa:cc, or nothing"
            }
            Takes::Pairs => "pairs of two different points such as aa:cc",
            Takes::Labels => "points with a text each, such as aa:x",
            Takes::Application => "a name and a version such as CGoban:3",
            Takes::Format => "a number from 1 to 4",
            Takes::Style => "a number from 0 to 3",
            Takes::Size => "a number from 1 to 52, or two different ones such as 13:9",
            Takes::Figure => "nothing, or a number and a text such as 257:Figure 1",
            Takes::PrintMode => "0, 1 or 2",
            Takes::Handicap => "a number from 2 on",
        }
    }

    /// Whether there may be several values.
    pub(crate) fn is_list(self) -> bool {
        matches!(
            self,
            Takes::Points | Takes::PointsOrNothing | Takes::Pairs | Takes::Labels
        )
    }
}

/// What is known about the property with this key in Go; in other games (`go` is false), where
/// the properties of Go may mean something else, only what they share.
pub(super) fn definition(key: Key, go: bool) -> Option<&'static Definition> {
    let index = PROPERTIES.binary_search_by_key(&key, |property| property.key);
    let definition = &PROPERTIES[index.ok()?];
    (go || !OF_GO.contains(&definition.key)).then_some(definition)
}

/// The properties that are Go's own.
const OF_GO: [Key; 4] = [Key::HA, Key::KM, Key::TB, Key::TW];

macro_rules! properties {
    ($($name:ident $takes:ident $role:ident,)*) => {
        [$(Definition {
            name: stringify!($name),
            key: Key::new(stringify!($name).as_bytes()),
            takes: Takes::$takes,
            role: properties!(@ $role),
        },)*]
    };
    (@ Any) => { None };
    (@ $role:ident) => { Some(PropertyType::$role) };
}

/// Every property of `FF[4]`, in the order of their keys: short names first, then by letters.
#[rustfmt::skip]
const PROPERTIES: [Definition; 67] = properties! {
    B Move Move,             C Text Any,              N Text Any,
    V Real Any,              W Move Move,
    AB Points Setup,         AE Points Setup,         AN Text GameInfo,
    AP Application Root,     AR Pairs Any,            AW Points Setup,
    BL Real Move,            BM Double Move,          BR Text GameInfo,
    BT Text GameInfo,        CA Text Root,            CP Text GameInfo,
    CR Points Any,           DD PointsOrNothing Inherit,
    DM Double Any,           DO Nothing Move,         DT Date GameInfo,
    EV Text GameInfo,        FF Format Root,          FG Figure Any,
    GB Double Any,           GC Text GameInfo,        GM Number Root,
    GN Text GameInfo,        GW Double Any,           HA Handicap GameInfo,
    HO Double Any,           IT Nothing Move,         KM Real GameInfo,
    KO Nothing Move,         LB Labels Any,           LN Pairs Any,
    MA Points Any,           MN Number Move,          OB Number Move,
    ON Text GameInfo,        OT Text GameInfo,        OW Number Move,
    PB Text GameInfo,        PC Text GameInfo,        PL Color Setup,
    PM PrintMode Inherit,    PW Text GameInfo,        RE Result GameInfo,
    RO Text GameInfo,        RU Text GameInfo,        SL Points Any,
    SO Text GameInfo,        SQ Points Any,           ST Style Root,
    SZ Size Root,            TB PointsOrNothing Any,  TE Double Move,
    TM Real GameInfo,        TR Points Any,           TW PointsOrNothing Any,
    UC Double Any,           US Text GameInfo,        VW PointsOrNothing Inherit,
    WL Real Move,            WR Text GameInfo,        WT Text GameInfo,
};
