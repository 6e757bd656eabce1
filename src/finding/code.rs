//! The codes of all findings, with their usual severity and their page.

use super::Severity;

/// Declares every code once: the variant, its word, its usual severity. The page is the file of
/// the same name, so a code without a page does not compile.
macro_rules! codes {
    ($($variant:ident $word:literal $severity:ident,)*) => {
        /// What kind of thing was found.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = concat!("`", $word, "`")] $variant,)*
        }

        impl Code {
            /// Every code there is, in the order of the list.
            pub const ALL: &'static [Code] = &[$(Code::$variant,)*];

            /// The word that stands for this code in every output format.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$variant => $word,)* }
            }

            /// The severity that this code has unless the rule set in force says otherwise.
            pub fn severity(self) -> Severity {
                match self { $(Code::$variant => Severity::$severity,)* }
            }

            /// The page that `kifu explain` prints: what it is, why it matters, an example,
            /// what kifu does next.
            pub fn page(self) -> &'static str {
                match self { $(Code::$variant => include_str!(concat!("pages/", $word, ".md")),)* }
            }
        }
    };
}

codes! {
    // The way in: files, folders, archives.
    Unreadable "unreadable" Error,
    EmptyFile "empty-file" Error,
    GameTooLarge "game-too-large" Error,
    NameNotUtf8 "name-not-utf8" Warning,
    NoRecords "no-records" Warning,
    FolderLoop "folder-loop" Note,
    DamagedArchive "damaged-archive" Error,
    ArchiveLimit "archive-limit" Error,
    UnsupportedArchive "unsupported-archive" Error,
    NestedArchive "nested-archive" Warning,
    InternalError "internal-error" Error,

    // The file and its text.
    NotSgf "not-sgf" Error,
    CharsetGuessed "charset-guessed" Note,
    CharsetWrong "charset-wrong" Warning,
    CharsetBroken "charset-broken" Warning,
    NulBytes "nul-bytes" Warning,
    TextBefore "text-before" Note,
    TextAfter "text-after" Note,

    // The structure of SGF.
    Truncated "truncated" Error,
    MissingOpen "missing-open" Warning,
    MissingClose "missing-close" Warning,
    ExtraClose "extra-close" Warning,
    MissingNode "missing-node" Warning,
    NodeAfterVariation "node-after-variation" Warning,
    MissingValue "missing-value" Warning,
    UnterminatedValue "unterminated-value" Warning,
    UnescapedBracket "unescaped-bracket" Warning,
    StrayText "stray-text" Warning,
    LongName "long-name" Note,
    DuplicateProperty "duplicate-property" Note,
    TooManyGames "too-many-games" Error,
    TooDeep "too-deep" Error,
    TooManyNodes "too-many-nodes" Error,
    TooManySetups "too-many-setups" Error,

    // What properties say.
    OtherGame "other-game" Note,
    SizeMissing "size-missing" Note,
    SizeUnreadable "size-unreadable" Warning,
    BoardTooLarge "board-too-large" Error,
    KomiConverted "komi-converted" Note,
    KomiUnreadable "komi-unreadable" Warning,
    HandicapConverted "handicap-converted" Note,
    HandicapUnreadable "handicap-unreadable" Warning,
    ResultUnreadable "result-unreadable" Warning,
    UnreadableMove "unreadable-move" Error,
    UnreadablePoint "unreadable-point" Warning,
    UnreadablePlayer "unreadable-player" Warning,
    SeveralValues "several-values" Warning,
    CapitalPoint "capital-point" Warning,
    LoosePoint "loose-point" Warning,

    // The course of a game, found by the rules.
    OccupiedPoint "occupied-point" Error,
    OffBoard "off-board" Error,
    Suicide "suicide" Error,
    KoRetaken "ko-retaken" Error,
    Superko "superko" Error,
    SituationalSuperko "situational-superko" Error,
    OutOfTurn "out-of-turn" Warning,
    WhiteFirst "white-first" Warning,
    MoveAfterEnd "move-after-end" Note,
    SeveralMoves "several-moves" Warning,
    SetupAfterPlay "setup-after-play" Warning,
    SetupAndMove "setup-and-move" Warning,
    SetupConflict "setup-conflict" Warning,
    SetupWithoutLiberty "setup-without-liberty" Warning,
    HandicapMismatch "handicap-mismatch" Warning,
    HandicapPlayed "handicap-played" Note,
    KomiDoubtful "komi-doubtful" Warning,
    KomiAgainstResult "komi-against-result" Warning,
    ResignerMovedLast "resigner-moved-last" Note,
    UnknownRules "unknown-rules" Warning,
    NoMoves "no-moves" Note,
    TooManyVariations "too-many-variations" Error,
    TooSlow "too-slow" Error,

    GridlessBadPlace "gridless-bad-place" Error,
    GridlessOffBoard "gridless-off-board" Error,
    GridlessOverlap "gridless-overlap" Error,
    HasamiBadMove "hasami-bad-move" Error,
    HasamiNotYourMan "hasami-not-your-man" Error,
    HasamiOccupiedSquare "hasami-occupied-square" Error,
    HasamiCrookedMove "hasami-crooked-move" Error,
    HasamiMenInTheWay "hasami-men-in-the-way" Error,

    // Conformance with FF[4]: only with `--strict`.
    Ff4Version "ff4-version" Note,
    Ff4UnknownProperty "ff4-unknown-property" Note,
    Ff4Value "ff4-value" Warning,
    Ff4OffBoard "ff4-off-board" Warning,
    Ff4Date "ff4-date" Warning,
    Ff4Result "ff4-result" Warning,
    Ff4PropertyTwice "ff4-property-twice" Warning,
    Ff4SeveralMoves "ff4-several-moves" Warning,
    Ff4SetupAndMove "ff4-setup-and-move" Warning,
    Ff4SetupTwice "ff4-setup-twice" Warning,
    Ff4MarkupTwice "ff4-markup-twice" Warning,
    Ff4MixedAnnotations "ff4-mixed-annotations" Warning,
    Ff4WithoutMove "ff4-without-move" Warning,
    Ff4RootProperty "ff4-root-property" Warning,
    Ff4GameInfoTwice "ff4-game-info-twice" Warning,
}

impl Code {
    /// The code that a word stands for.
    pub fn from_word(word: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.as_str() == word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_has_its_four_parts() {
        for code in Code::ALL {
            let page = code.page();
            let title = format!("# {} ({}", code.as_str(), code.severity().as_str());
            assert!(
                page.starts_with(&title),
                "{} does not start with {title:?}",
                code.as_str()
            );
            let mut rest = page;
            for part in [
                "\n## Why it matters\n\n",
                "\n## Example\n\n",
                "\n## What kifu does next\n\n",
            ] {
                let (before, after) = rest
                    .split_once(part)
                    .unwrap_or_else(|| panic!("{} has no {part:?} in its place", code.as_str()));
                assert!(
                    !before.trim().is_empty(),
                    "{} says nothing before {part:?}",
                    code.as_str()
                );
                rest = after;
            }
            assert!(
                !rest.trim().is_empty(),
                "{} does not say what kifu does next",
                code.as_str()
            );
        }
    }
}
