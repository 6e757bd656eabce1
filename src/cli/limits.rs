//! The limits that hostile input meets, and the options that move them.
//!
//! This is the one list of them. `--help` takes its words from here, and a test holds
//! `docs/limits.md` to it. A new limit is a line in [`OPTIONS`] and a field of [`LimitArgs`]; one
//! that no option moves is a line in the test's list. Another test goes through the constants of
//! the source, so that none is forgotten.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use clap::Args;

use crate::finding::Code;
use crate::{input, sgf};

/// A limit that an option moves.
pub(super) struct LimitOption {
    /// The option, without its dashes.
    name: &'static str,
    /// What it bounds.
    bounds: &'static str,
    /// What happens at the limit.
    then: &'static str,
    /// The finding that says so.
    #[cfg_attr(not(test), expect(dead_code, reason = "only the page names it"))]
    code: Option<Code>,
}

const fn option(
    name: &'static str,
    code: Option<Code>,
    bounds: &'static str,
    then: &'static str,
) -> LimitOption {
    LimitOption {
        name,
        bounds,
        then,
        code,
    }
}

#[rustfmt::skip]
pub(super) const OPTIONS: &[LimitOption] = &[
    option("max-game-size", Some(Code::GameTooLarge),
        "Bytes of a game; a file may hold any number of games",
        "The game is left out, and the next game of the file is read"),
    option("max-unpacked-size", Some(Code::ArchiveLimit),
        "Bytes that an archive unpacks to",
        "The archive is left; what was read of it counts"),
    option("max-ratio", Some(Code::ArchiveLimit),
        "How many times its own size an archive unpacks to, from 16M on",
        "The archive is left; what was read of it counts"),
    option("max-members", Some(Code::ArchiveLimit),
        "Files in an archive",
        "The archive is left; what was read of it counts"),
    option("max-games", Some(Code::TooManyGames),
        "Games of a file",
        "The rest of the file is left out"),
    option("max-nodes", Some(Code::TooManyNodes),
        "Nodes of a game, and moves of a line",
        "The rest of the game is left out"),
    option("max-depth", Some(Code::TooDeep),
        "Variations that are open inside each other",
        "The rest of the file is left out"),
    option("max-setup-points", Some(Code::TooManySetups),
        "Points that a game sets up, with AB[] and the like; each node that does so counts as the \
         board and the points that it names",
        "The stones of the nodes beyond are not set; moves are read on"),
    option("max-game-time", Some(Code::TooSlow),
        "Seconds that a game may take to be replayed and judged",
        "The game is left where it is, and has no score"),
    option("max-findings", None,
        "Findings of one kind that are listed per game",
        "The others are counted"),
    option("max-variation-moves", Some(Code::TooManyVariations),
        "Moves of a game's variations, each variation played from the start of the game",
        "The variations beyond are not checked"),
];

/// The help of an option: what it bounds, and what happens then.
pub(super) fn help(name: &str) -> String {
    let limit = OPTIONS
        .iter()
        .find(|limit| limit.name == name)
        .expect("every limit is listed");
    format!("{}. {}.", limit.bounds, limit.then)
}

/// How long a game may take, in seconds: a thousand times as long as any that was ever played.
const MAX_GAME_TIME: u32 = 120;

/// The heading of the limits in `--help`.
pub(super) const LIMITS: &str = "Limits";

/// The limits of every command that reads records, as they were typed.
#[derive(Debug, Args)]
pub(super) struct LimitArgs {
    #[arg(long, value_name = "SIZE", help_heading = LIMITS, help = help("max-game-size"),
        default_value_t = Bytes(input::Limits::default().max_game_size))]
    max_game_size: Bytes,

    #[arg(long, value_name = "SIZE", help_heading = LIMITS, help = help("max-unpacked-size"),
        default_value_t = Bytes(input::Limits::default().max_unpacked_size))]
    max_unpacked_size: Bytes,

    #[arg(long, value_name = "N", help_heading = LIMITS, help = help("max-ratio"),
        default_value_t = input::Limits::default().max_ratio)]
    max_ratio: u64,

    #[arg(long, value_name = "N", help_heading = LIMITS, help = help("max-members"),
        default_value_t = input::Limits::default().max_members)]
    max_members: u64,

    #[arg(long, value_name = "N", help_heading = LIMITS, help = help("max-games"),
        default_value_t = sgf::Limits::default().games)]
    max_games: usize,

    #[arg(long, value_name = "N", help_heading = LIMITS, help = help("max-nodes"),
        default_value_t = sgf::Limits::default().nodes)]
    max_nodes: usize,

    #[arg(long, value_name = "N", help_heading = LIMITS, help = help("max-depth"),
        default_value_t = sgf::Limits::default().depth)]
    max_depth: usize,

    #[arg(long, value_name = "N", help_heading = LIMITS, help = help("max-setup-points"),
        default_value_t = sgf::Limits::default().setup_points)]
    max_setup_points: usize,

    #[arg(long, value_name = "SECONDS", help_heading = LIMITS, help = help("max-game-time"),
        default_value_t = MAX_GAME_TIME)]
    max_game_time: u32,

    #[arg(long, value_name = "N", help_heading = LIMITS, help = help("max-findings"),
        default_value_t = sgf::Limits::default().findings)]
    max_findings: usize,
}

impl LimitArgs {
    /// What an input may cost.
    pub(super) fn of_input(&self) -> input::Limits {
        input::Limits {
            max_game_size: self.max_game_size.0,
            max_unpacked_size: self.max_unpacked_size.0,
            max_ratio: self.max_ratio,
            max_members: self.max_members,
        }
    }

    /// What the records in it may cost.
    pub(super) fn of_records(&self) -> sgf::Limits {
        sgf::Limits {
            games: self.max_games,
            nodes: self.max_nodes,
            depth: self.max_depth,
            setup_points: self.max_setup_points,
            game_time: Some(Duration::from_secs(self.max_game_time.into())),
            findings: self.max_findings,
        }
    }
}

/// A size as people write it: `700`, `64K`, `32M`, `1G`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bytes(u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Bytes(bytes) = *self;
        let unit = [(40, "T"), (30, "G"), (20, "M"), (10, "K")]
            .into_iter()
            .find(|(shift, _)| bytes > 0 && bytes.is_multiple_of(1 << shift));
        match unit {
            Some((shift, unit)) => write!(f, "{}{unit}", bytes >> shift),
            None => write!(f, "{bytes}"),
        }
    }
}

impl FromStr for Bytes {
    type Err = String;

    fn from_str(text: &str) -> Result<Bytes, String> {
        let upper = text.to_ascii_uppercase();
        let number = upper.trim_end_matches("IB").trim_end_matches('B');
        let (digits, shift) = match number.as_bytes().last() {
            Some(b'K') => (&number[..number.len() - 1], 10),
            Some(b'M') => (&number[..number.len() - 1], 20),
            Some(b'G') => (&number[..number.len() - 1], 30),
            Some(b'T') => (&number[..number.len() - 1], 40),
            _ => (number, 0),
        };
        let units: u64 = digits
            .trim()
            .parse()
            .map_err(|_| "a size is a number such as 700, 64K, 32M or 1G")?;
        let bytes = units.checked_mul(1 << shift);
        bytes
            .map(Bytes)
            .ok_or_else(|| "that size is larger than any file".to_string())
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use clap::CommandFactory;

    use super::*;
    use crate::board::Size;
    use crate::finding::LONGEST_CELL;
    use crate::sgf::MOST_KOMI;

    /// A limit that no option moves: its value, what it bounds, what happens at it, and the
    /// finding that says so.
    type FixedLimit = (String, &'static str, &'static str, Option<Code>);

    #[rustfmt::skip]
    fn fixed_limits() -> Vec<FixedLimit> {
        vec![
            (format!("{0}×{0}", Size::MAX),
                "The board",
                "A larger one is taken to be of this size: SGF has no letters for the points beyond",
                Some(Code::BoardTooLarge)),
            (Bytes(input::Limits::RATIO_GRACE).to_string(),
                "Bytes that an archive may unpack to before `--max-ratio` is looked at",
                "From here on the ratio counts",
                None),
            (Bytes(input::Limits::WINDOW).to_string(),
                "Memory that the decoder of an archive may ask for, as `xz -9` or `zstd --long` do",
                "The archive is left",
                Some(Code::DamagedArchive)),
            (format!("{} bytes", input::Limits::LONGEST_PATH),
                "The name of a file in an archive",
                "The file is left out",
                Some(Code::ArchiveLimit)),
            ("1M".to_string(),
                "The long name, or the attributes, of a file in a tar",
                "The archive is left",
                Some(Code::DamagedArchive)),
            ("1000, and 4 for each K".to_string(),
                "The streams of a bzip2 file",
                "The file is left; what was read of it counts",
                Some(Code::ArchiveLimit)),
            (Bytes(input::Limits::LONGEST_LISTED).to_string(),
                "A name in a list of names",
                "The list is left",
                Some(Code::Unreadable)),
            (format!("{LONGEST_CELL} characters"),
                "A cell of a table",
                "It is cut, and ends in `…`",
                None),
            ("500 characters".to_string(),
                "The message of a finding",
                "It is cut, and ends in `…`",
                None),
            (format!("{MOST_KOMI} points"),
                "The komi of a record, to either side",
                "None is counted",
                Some(Code::KomiUnreadable)),
            ("400 characters".to_string(),
                "The result of a record",
                "It is not read",
                Some(Code::ResultUnreadable)),
            ("a quarter of the points, or 9".to_string(),
                "The handicap that `HA[]` announces",
                "The stones on the board decide",
                Some(Code::HandicapUnreadable)),
            ("1M".to_string(),
                "Bytes of a game or a file that are held before it is cut into its games; a file with more \
                 than 512 parentheses is cut as well",
                "It is read in pieces of 64K or 256 games",
                None),
            ("16M".to_string(),
                "Bytes, of files and of rows, that wait for a thread or for their turn",
                "No more is read until some are done",
                None),
            ("256 per thread".to_string(),
                "Files, or pieces of files, that are under way or wait",
                "No more is read until some are done",
                None),
            ("4096".to_string(),
                "`--threads`",
                "The command is refused",
                None),
            ("16384 pixels".to_string(),
                "The sides of a PNG",
                "It is not drawn",
                None),
            ("512M".to_string(),
                "Memory of the PNGs that are under way",
                "They are drawn one after the other",
                None),
            ("100 characters".to_string(),
                "A line under a diagram",
                "It is cut, and ends in `…`",
                None),
            ("200 bytes".to_string(),
                "The name of a file or folder that is written",
                "It is cut",
                None),
            ("1000".to_string(),
                "Partial files of one name beside an output",
                "The command is refused",
                None),
            ("100".to_string(),
                "Games to look at that a report lists at its top",
                "The others are found with the filter",
                None),
            ("50, of 200 players each".to_string(),
                "Events whose standings a report shows",
                "Smaller events, and players behind, are left out; `kifu standings` lists all",
                None),
            ("1048576 rows".to_string(),
                "A sheet of a workbook",
                "The table goes on on the next sheet",
                None),
            ("32767 characters".to_string(),
                "A cell of a workbook, also one that holds several sentences",
                "Its middle is left out, and the summary says so",
                None),
            ("5000".to_string(),
                "Boards in a workbook",
                "Further games have no picture, and the summary says so",
                None),
            ("4000 characters".to_string(),
                "The command that a workbook repeats",
                "Its middle is left out",
                None),
            ("100".to_string(),
                "Files that can't be written and are named",
                "The others are counted",
                None),
            ("256".to_string(),
                "Sources of records, servers or folders, for `--conventions auto`",
                "Those whose names come last are counted as their records say",
                None),
            ("512".to_string(),
                "Games of a source that are asked",
                "A sample of them is taken, the same in every run",
                None),
        ]
    }

    /// The constants behind the table: where each is, and what it is there. Whoever changes one
    /// changes the table.
    const LISTED: &[(&str, &str, &str)] = &[
        ("board/point.rs", "MAX", "52"),
        ("cli/run_config.rs", "MOST_THREADS", "4096"),
        ("cli/limits.rs", "MAX_GAME_TIME", "120"),
        ("cli/show.rs", "LONGEST", "100"),
        ("cli/show.rs", "MOST_PAINT", "512 << 20"),
        ("cli/unwritten.rs", "MOST_NAMED", "100"),
        ("draw/picture/png.rs", "LONGEST_SIDE", "16_384"),
        ("finding/limiter.rs", "MAX_FINDINGS", "10_000"),
        ("finding/shorten.rs", "LONGEST_CELL", "1000"),
        ("finding/shorten.rs", "LONGEST_MESSAGE", "500"),
        ("input/decoder.rs", "FREE_STREAMS", "1000"),
        ("input/decoder.rs", "STREAMS_PER_KILOBYTE", "4"),
        ("input/limits.rs", "LONGEST_LISTED", "1 << 16"),
        ("input/limits.rs", "LONGEST_PATH", "4096"),
        ("input/limits.rs", "RATIO_GRACE", "16 << 20"),
        ("input/limits.rs", "WINDOW", "65 << 20"),
        ("input/mod.rs", "LARGE", "1 << 20"),
        ("input/tar.rs", "MAX_DESCRIPTION", "1 << 20"),
        ("output/destination.rs", "MOST_PARTIALS", "1000"),
        ("output/folder.rs", "LONGEST_NAME", "200"),
        ("report/mod.rs", "MOST_LISTED", "100"),
        ("report/page.rs", "MOST_EVENTS", "50"),
        ("report/page.rs", "MOST_PLAYERS", "200"),
        ("output/workbook/mod.rs", "MOST_BOARDS", "5000"),
        ("output/workbook/sheet.rs", "LONGEST_TEXT", "32_767"),
        ("output/workbook/sheet.rs", "MOST_ROWS", "1_048_576"),
        ("output/workbook/summary.rs", "LONGEST_COMMAND", "4000"),
        ("pipeline/batch.rs", "AHEAD_PER_THREAD", "256"),
        ("pipeline/batch.rs", "MANY_PARENTHESES", "512"),
        ("pipeline/batch.rs", "MOST_BYTES", "16 << 20"),
        ("pipeline/sources.rs", "MOST_GROUPS", "256"),
        ("pipeline/sources.rs", "SAMPLE", "512"),
        ("replay/variations.rs", "MOST_VARIATION_MOVES", "20_000_000"),
        ("sgf/cut.rs", "MOST_GAMES", "256"),
        ("sgf/cut.rs", "PIECE", "64 << 10"),
        ("sgf/values/komi.rs", "MOST_KOMI", "1000.0"),
        ("sgf/values/result.rs", "LONGEST", "400"),
    ];

    /// Constants with such a name that bound no input: what is looked at when a text is repaired or
    /// quoted, how far ahead is read, and what a player would mean by a handicap or a snap.
    const NOT_LISTED: &[(&str, &str)] = &[
        ("board/point.rs", "LIMIT"),
        ("games/gridless/mod.rs", "LONGEST_SNAP"),
        ("games/other.rs", "LONGEST"),
        ("input/list.rs", "LOOK_AHEAD"),
        ("replay/handicap.rs", "MOST_HANDICAP_MOVES"),
        ("report/page.rs", "MOST_IN_CROSS_TABLE"),
        ("report/page.rs", "MOST_KINDS"),
        ("report/statistics.rs", "MOST_GROUPS"),
        ("rules/history.rs", "MOST_REPLAYS"),
        ("rules/ruleset.rs", "LONGEST"),
        ("sgf/charset.rs", "LONGEST_VALUE"),
        ("sgf/conformance/mod.rs", "MOST_NAMED"),
        ("sgf/conformance/mod.rs", "MOST_NAMES"),
        ("sgf/conformance/mod.rs", "MOST_SHAPES"),
        ("sgf/conformance/mod.rs", "MOST_TYPED"),
        ("sgf/cut.rs", "LARGE_GAME"),
        ("sgf/scan.rs", "LONGEST_LINE"),
    ];

    /// The constants of a file of the source outside of its tests: name and value.
    fn constants(text: &str) -> Vec<(&str, &str)> {
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
        let lines = code.lines().map(str::trim_start);
        lines
            .filter_map(|line| {
                let (_, constant) = line.split_once("const ")?;
                let (name, rest) = constant.split_once(':')?;
                let (_, value) = rest.split_once(" = ")?;
                let is_name = |c: char| c.is_ascii_uppercase() || c == '_';
                name.chars()
                    .all(is_name)
                    .then_some((name, value.trim_end_matches(';')))
            })
            .collect()
    }

    /// Whether this is the name of a limit.
    fn sounds_like_a_limit(name: &str) -> bool {
        name.split('_').any(|word| {
            let words = [
                "MAX", "MOST", "LONGEST", "LARGEST", "LARGE", "MANY", "FREE", "LIMIT",
            ];
            words.contains(&word) || ["GRACE", "WINDOW", "AHEAD", "SAMPLE"].contains(&word)
        })
    }

    #[test]
    fn every_constant_that_is_a_limit_is_listed() {
        let source = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
        for &(file, name, value) in LISTED {
            let text = std::fs::read_to_string(source.join(file)).unwrap();
            let found = constants(&text);
            assert!(found.contains(&(name, value)), "{file}: {name} = {value}");
        }
        let mut folders = vec![source.to_path_buf()];
        let mut seen = 0;
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let file = path.strip_prefix(source).unwrap();
                let file = file.to_str().unwrap().replace('\\', "/");
                // The depth of an analysis is no limit that an input meets: the game is judged.
                if path.is_dir() && !["life", "count", "influence"].contains(&file.as_str()) {
                    folders.push(path);
                } else if file.ends_with(".rs") {
                    let text = std::fs::read_to_string(&path).unwrap();
                    for (name, _) in constants(&text) {
                        if sounds_like_a_limit(name) {
                            let is_listed = LISTED.iter().any(|it| (it.0, it.1) == (&file, name));
                            let is_none = NOT_LISTED.contains(&(&file, name));
                            assert!(is_listed || is_none, "src/{file}: {name}");
                            seen += 1;
                        }
                    }
                }
            }
        }
        assert!(seen > 30, "{seen}");
    }

    #[test]
    fn sizes_are_read_as_people_write_them() {
        let size = |text: &str| text.parse().map(|Bytes(bytes)| bytes);
        assert_eq!(size("700"), Ok(700));
        assert_eq!(size("64k"), Ok(64 << 10));
        assert_eq!(size("32MB"), Ok(32 << 20));
        assert_eq!(size("1GiB"), Ok(1 << 30));
        assert!(size("many").is_err());
        assert!(size("99999999999T").is_err());
        for text in ["700", "64K", "32M", "1G"] {
            assert_eq!(
                size(text).map(|bytes| Bytes(bytes).to_string()),
                Ok(text.to_string())
            );
        }
    }

    /// The default of each limit in `--help`, by its option.
    fn defaults() -> Vec<(String, String)> {
        let mut defaults = Vec::new();
        for command in super::super::Args::command().get_subcommands() {
            for arg in command.get_arguments() {
                if arg.get_help_heading() == Some(LIMITS) {
                    let default = arg.get_default_values()[0].to_string_lossy().into_owned();
                    defaults.push((arg.get_long().unwrap().to_string(), default));
                }
            }
        }
        defaults.sort();
        defaults.dedup();
        defaults
    }

    fn cell(code: Option<Code>) -> String {
        code.map_or(String::new(), |code| format!("`{}`", code.as_str()))
    }

    /// The tables of `docs/limits.md`.
    fn tables() -> String {
        let defaults = defaults();
        let mut page = String::from(
            "| option | default | what it bounds | what happens at it | finding |\n\
             | --- | --- | --- | --- | --- |\n",
        );
        for limit in OPTIONS {
            let default = defaults.iter().find(|(name, _)| name == limit.name);
            let (_, default) = default.unwrap_or_else(|| panic!("no option --{}", limit.name));
            writeln!(
                page,
                "| `--{}` | {default} | {}. | {}. | {} |",
                limit.name,
                limit.bounds,
                limit.then,
                cell(limit.code),
            )
            .unwrap();
        }
        page.push_str(
            "\nThese are fixed:\n\n\
             | limit | what it bounds | what happens at it | finding |\n\
             | --- | --- | --- | --- |\n",
        );
        for (value, bounds, then, code) in fixed_limits() {
            writeln!(page, "| {value} | {bounds}. | {then}. | {} |", cell(code)).unwrap();
        }
        page
    }

    #[test]
    fn every_limit_in_the_help_is_listed() {
        for (name, _) in defaults() {
            assert!(OPTIONS.iter().any(|limit| limit.name == name), "--{name}");
        }
    }

    /// `KIFU_BLESS=1` writes the tables into the page.
    #[test]
    fn the_page_about_limits_holds_this_table() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/limits.md");
        let page = std::fs::read_to_string(path).unwrap();
        let (start, end) = ("<!-- limits -->\n", "<!-- end of limits -->\n");
        let (before, rest) = page.split_once(start).unwrap();
        let (written, after) = rest.split_once(end).unwrap();
        let tables = tables();
        if std::env::var_os("KIFU_BLESS").is_some() {
            std::fs::write(path, [before, start, &tables, end, after].concat()).unwrap();
        } else {
            assert_eq!(written, tables, "KIFU_BLESS=1 cargo test --lib limits");
        }
    }
}
