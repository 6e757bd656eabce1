//! A record written back, as clean FF[4] in UTF-8.
//!
//! [`Collection::to_sgf`] writes every game of a file from its tree: all variations in their
//! order, all properties, also those that nobody knows. What SGF leaves no choice in is put right:
//! brackets, names in capitals, escapes, moves as two letters, `FF`, `GM` and `CA` in front, the
//! size in the first node. What people wrote (names, dates, komi in words) is kept word for word.
//! Parsing the text again gives the same games.
//!
//! The tree is ours and so is the writer: `sgf-parse` writes points beyond `z` wrongly, and can't
//! hold values that are not what FF[4] says they should be.
//!
//! An [`Annotation`] goes with a game: territory and dead stones as markup of the last node of the
//! main line, and a line of its comment. A line that kifu wrote there before is replaced.

use super::values::{points, size};
use super::{Collection, Game, GameKind, Key, NodeId, Property, Target};
use crate::board::{Point, PointSet, Size};

/// What is to be added to a game when it is written.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Annotation {
    /// `TB[]`, with White's dead stones.
    pub black_territory: PointSet,
    /// `TW[]`, with Black's dead stones.
    pub white_territory: PointSet,
    /// `MA[]`.
    pub dead: PointSet,
    /// All stones of the last position. A cross on one of them, in territory, is taken for one
    /// that kifu set when it wrote the record before; all others are the user's, and stay.
    pub stones: PointSet,
    /// What the score is made up of, on one line; [`Annotation::OPENING`] is put in front.
    pub comment: String,
    /// `RE[]`, in place of any that there is; `None` to leave it as it is.
    pub result: Option<String>,
}

impl Annotation {
    /// What the line of the comment starts with, by which it is found and replaced the next time.
    pub const OPENING: &str = "Counted by kifu: ";

    /// Whether there is anything to mark; marks that the record has stay as they are if not.
    fn has_marks(&self) -> bool {
        [self.black_territory, self.white_territory, self.dead]
            .iter()
            .any(|points| !points.is_empty())
    }
}

impl Collection<'_> {
    /// Writes all games, each with its annotation if there is one for it.
    ///
    /// ```
    /// use kifu::sgf::{Limits, parse};
    ///
    /// let collection = parse(b"(;SZ[9x9]CoPyright[none];B[E5];W[pass](;B[cc])(;B[ dd ]", &Limits::default());
    /// assert_eq!(
    ///     collection.to_sgf(&[]),
    ///     "(;FF[4]GM[1]CA[UTF-8]SZ[9]CP[none];B[ee];W[]\n(;B[cc])\n(;B[dd]))\n",
    /// );
    /// ```
    pub fn to_sgf(&self, annotations: &[Option<Annotation>]) -> String {
        let mut writer = Writer {
            collection: self,
            sgf: String::with_capacity(self.text().len() + 1024),
            line_start: 0,
        };
        for (i, game) in self.games.iter().enumerate() {
            let annotation = annotations.get(i).and_then(Option::as_ref);
            writer.game(game, annotation);
        }
        writer.sgf
    }
}

/// Lines are broken before the first node that starts beyond this.
const LONG_LINE: usize = 72;

struct Writer<'a> {
    collection: &'a Collection<'a>,
    sgf: String,
    line_start: usize,
}

/// What is still to be written; the next is on top of a stack, as trees may be deeper than
/// a thread's own stack.
enum Next {
    Node(NodeId),
    Variation(NodeId),
    Close,
}

impl Writer<'_> {
    fn game(&mut self, game: &Game, annotation: Option<&Annotation>) {
        let tree = self.collection.tree();
        let last = tree.line_from(game.root).last();
        let mut main_line = Some(game.root);
        let mut waiting = vec![Next::Variation(game.root)];
        while let Some(next) = waiting.pop() {
            match next {
                Next::Close => self.sgf.push(')'),
                Next::Variation(node) => {
                    if self.sgf.len() > self.line_start {
                        self.new_line();
                    }
                    self.sgf.push('(');
                    waiting.push(Next::Close);
                    waiting.push(Next::Node(node));
                }
                Next::Node(node) => {
                    let mut properties = self.properties(game, node);
                    if let Some(annotation) = annotation {
                        if main_line == Some(node) && annotation.result.is_some() {
                            properties.retain(|property| property.key != Key::RE);
                        }
                        if node == game.root {
                            let result = annotation.result.iter();
                            properties
                                .extend(result.map(|result| Written::new("RE", escaped(result))));
                        }
                        if last == Some(node) {
                            annotate(&mut properties, annotation, game.size);
                        }
                    }
                    self.node(&properties);
                    if main_line == Some(node) {
                        main_line = tree.first_child(node);
                    }
                    let first = tree.first_child(node);
                    if tree.branches(node) {
                        let children = std::iter::successors(first, |&c| tree.next_sibling(c));
                        let from = waiting.len();
                        waiting.extend(children.map(Next::Variation));
                        waiting[from..].reverse();
                    } else {
                        waiting.extend(first.map(Next::Node));
                    }
                }
            }
        }
        self.new_line();
    }

    fn new_line(&mut self) {
        self.sgf.push('\n');
        self.line_start = self.sgf.len();
    }

    fn node(&mut self, properties: &[Written]) {
        if self.sgf.len() - self.line_start > LONG_LINE {
            self.new_line();
        }
        let from = self.sgf.len();
        self.sgf.push(';');
        for property in properties {
            self.sgf.push_str(&property.name);
            for value in &property.values {
                self.sgf.push('[');
                self.sgf.push_str(value);
                self.sgf.push(']');
            }
        }
        if let Some(line_break) = self.sgf[from..].rfind('\n') {
            self.line_start = from + line_break + 1;
        }
    }

    /// The properties of a node as they are to be written.
    fn properties(&self, game: &Game, node: NodeId) -> Vec<Written> {
        let is_root = node == game.root;
        let mut all: Vec<Written> = Vec::new();
        if is_root {
            all.push(Written::new("FF", "4".to_owned()));
            all.push(Written::new("GM", self.game_number(game)));
            all.push(Written::new("CA", "UTF-8".to_owned()));
            let said = self
                .collection
                .tree()
                .property(node, Key::SZ, self.collection.text());
            if game.kind == GameKind::Go && said.is_none() && game.size != Size::square(19) {
                all.push(Written::new("SZ", written_size(game.size)));
            }
        }
        for property in self.collection.properties(node) {
            let key = property.key();
            match key {
                // They speak of the file as a whole, and have been written.
                Key::FF | Key::GM | Key::CA => continue,
                Key::SZ if game.kind == GameKind::Go && !is_root => continue,
                _ => {}
            }
            let mut values = values(property, game);
            if key == Key::C {
                let earlier = all.iter().position(|other| other.key == key);
                let earlier = earlier.map(|at| all.remove(at).values);
                let lines = earlier.into_iter().flatten().chain(values);
                values = vec![lines.collect::<Vec<String>>().join("\n")];
            }
            match all.iter_mut().find(|other| other.key == key) {
                Some(other) if LISTS.contains(&key) => other.values.extend(values),
                _ => all.push(Written {
                    key,
                    name: name(property),
                    values,
                }),
            }
        }
        all
    }

    /// `GM[]`, which other readers need as a number.
    fn game_number(&self, game: &Game) -> String {
        // The first that says anything, as for the builder of the game.
        let line = self.collection.tree().line_from(game.root);
        let said = line
            .flat_map(|node| self.collection.properties(node))
            .filter(|property| property.key() == Key::GM)
            .map(|property| property.value().raw())
            .find(|raw| !raw.trim().is_empty())
            .map(clean);
        match (&game.kind, said) {
            (GameKind::Go | GameKind::GridlessGo, _) => "1".to_owned(),
            (GameKind::HasamiShogi, _) => "8".to_owned(),
            (GameKind::Other(_), said) => said.unwrap_or_default(),
        }
    }
}

/// A property, ready to be written: its values are escaped.
struct Written {
    key: Key,
    name: String,
    values: Vec<String>,
}

impl Written {
    fn new(name: &str, value: String) -> Written {
        Written {
            key: Key::new(name.as_bytes()),
            name: name.to_owned(),
            values: vec![value],
        }
    }

    fn points(name: &str, points: &PointSet) -> Option<Written> {
        let values: Vec<String> = points.iter().map(|point| point.to_sgf()).collect();
        (!values.is_empty()).then(|| Written {
            key: Key::new(name.as_bytes()),
            name: name.to_owned(),
            values,
        })
    }
}

const MA: Key = Key::new(b"MA");

/// Marks that FF[4] allows only one of on a point.
const OTHER_MARKS: [Key; 4] = [
    Key::new(b"CR"),
    Key::new(b"SQ"),
    Key::new(b"TR"),
    Key::new(b"SL"),
];

/// Lists of points, which are one list when a node gives them twice.
const LISTS: [Key; 10] = [
    Key::AB,
    Key::AW,
    Key::AE,
    Key::TB,
    Key::TW,
    MA,
    OTHER_MARKS[0],
    OTHER_MARKS[1],
    OTHER_MARKS[2],
    OTHER_MARKS[3],
];

/// Puts the annotation into the node at the end of the main line.
fn annotate(properties: &mut Vec<Written>, annotation: &Annotation, size: Size) {
    let points_of = |properties: &[Written], keys: &[Key]| {
        let mut set = PointSet::EMPTY;
        for property in properties
            .iter()
            .filter(|property| keys.contains(&property.key))
        {
            for value in &property.values {
                if let Some((one, other)) = points::rectangle(value, size) {
                    set.insert_rectangle(one, other);
                }
            }
        }
        set & PointSet::full(size)
    };
    let comment = properties.iter().find(|property| property.key == Key::C);
    let comment = comment.map_or(String::new(), |property| property.values.join("\n"));
    let (ours, theirs): (Vec<&str>, Vec<&str>) = comment
        .lines()
        .partition(|line| line.starts_with(Annotation::OPENING));
    // Crosses that kifu set before go; others stay.
    let crosses = points_of(properties, &[MA]);
    let crosses = match ours.is_empty() {
        true => crosses,
        false => crosses - (annotation.stones & points_of(properties, &[Key::TB, Key::TW])),
    };
    properties.retain(|property| property.key != Key::C);
    if annotation.has_marks() {
        let dead = (annotation.dead | crosses) - points_of(properties, &OTHER_MARKS);
        properties.retain(|property| ![Key::TB, Key::TW, MA].contains(&property.key));
        properties.extend(Written::points("TB", &annotation.black_territory));
        properties.extend(Written::points("TW", &annotation.white_territory));
        properties.extend(Written::points("MA", &dead));
    }
    let mut comment = theirs.join("\n").trim_end().to_owned();
    if !comment.is_empty() {
        comment += "\n\n";
    }
    comment += Annotation::OPENING;
    comment += &escaped(&annotation.comment);
    properties.push(Written::new("C", comment));
}

/// The name in capitals, the short one of those that have two.
fn name(property: Property) -> String {
    const SHORT: [(Key, &str); 4] = [
        (Key::B, "B"),
        (Key::W, "W"),
        (Key::AB, "AB"),
        (Key::AW, "AW"),
    ];
    let short = SHORT.iter().find(|(key, _)| *key == property.key());
    let name = short.map_or_else(|| property.name(), |(_, name)| (*name).to_owned());
    match name.starts_with(|first: char| first.is_ascii_uppercase()) {
        true => name,
        false => property.written_name().to_ascii_uppercase(),
    }
}

/// The values of a property, escaped; those that Go gives a meaning to as FF[4] writes it.
fn values(property: Property, game: &Game) -> Vec<String> {
    let values = property.values().map(|value| value.raw());
    let plain = |raw: &str| vec![clean(raw)];
    match property.key() {
        _ if game.kind != GameKind::Go => values.flat_map(plain).collect(),
        Key::B | Key::W => values
            .map(|raw| match points::target(raw, game.size).0 {
                Target::Point(point) => point.to_sgf(),
                Target::Pass => String::new(),
                Target::Text(_) => clean(raw),
            })
            .collect(),
        Key::AB | Key::AW | Key::AE => values
            .flat_map(|raw| match points::rectangle(raw, game.size) {
                Some(corners) if !is_plain_list(raw) => vec![written_rectangle(corners)],
                _ => plain(raw),
            })
            .collect(),
        Key::SZ => match size::parse(&property.value().simple_text()) {
            Ok(size) if size == game.size => vec![written_size(size)],
            _ => values.flat_map(plain).collect(),
        },
        _ => values.flat_map(plain).collect(),
    }
}

/// `dd` or `dd:ff`, as nearly every list has them.
fn is_plain_list(raw: &str) -> bool {
    match raw.as_bytes() {
        [letters @ .., b':', x, y] | [letters @ .., x, y] => {
            let small = |letter: &u8| letter.is_ascii_lowercase();
            matches!(letters.len(), 0 | 2) && letters.iter().all(small) && small(x) && small(y)
        }
        _ => false,
    }
}

/// A point, or a rectangle by its upper left and lower right corner.
fn written_rectangle((one, other): (Point, Point)) -> String {
    let corner = |pick: fn(u8, u8) -> u8| {
        Point::new(pick(one.x(), other.x()), pick(one.y(), other.y())).to_sgf()
    };
    match one == other {
        true => one.to_sgf(),
        false => format!("{}:{}", corner(u8::min), corner(u8::max)),
    }
}

fn written_size(size: Size) -> String {
    match (size.width(), size.height()) {
        (width, height) if width == height => width.to_string(),
        (width, height) => format!("{width}:{height}"),
    }
}

/// A text of ours with what must be escaped escaped.
fn escaped(text: &str) -> String {
    clean(&text.replace('\\', "\\\\"))
}

/// A value as it stands in a file, made good: what is escaped stays so (a `\:` may be part of a
/// composed value), a `]` that the scanner took for text is escaped, line breaks are `\n`, and
/// there are no control characters.
///
/// A `[` behind a capital is escaped too: readers that repair a missing `]`, such as this one,
/// would take it for the next property.
fn clean(raw: &str) -> String {
    let mut value = String::with_capacity(raw.len() + 8);
    let mut rest = raw.chars().peekable();
    let other_half = |line_break: char| if line_break == '\n' { '\r' } else { '\n' };
    while let Some(c) = rest.next() {
        match c {
            '\\' => match rest.next() {
                Some(c @ ('\n' | '\r')) => drop(rest.next_if_eq(&other_half(c))),
                Some('\0') | None => {}
                Some(c) if c < ' ' => value.push(' '),
                Some(c) => value.extend(['\\', c]),
            },
            '\n' | '\r' => {
                rest.next_if_eq(&other_half(c));
                value.push('\n');
            }
            '\0' => {}
            c if c < ' ' => value.push(' '),
            ']' => value.push_str("\\]"),
            '[' if value.ends_with(|before: char| before.is_ascii_uppercase()) => {
                value.push_str("\\[");
            }
            c => value.push(c),
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sgf::{Collection, Limits, StepKind, parse};

    fn points(texts: &[&str]) -> PointSet {
        let mut set = PointSet::EMPTY;
        for text in texts {
            let (one, other) = points::rectangle(text, Size::square(9)).unwrap();
            set.insert_rectangle(one, other);
        }
        set
    }

    /// A record with an annotation in it.
    fn annotated(sgf: &str, annotation: &Annotation) -> String {
        let parsed = parse(sgf.as_bytes(), &Limits::default());
        parsed.to_sgf(&[Some(annotation.clone())])
    }

    #[test]
    fn crosses_of_the_user_stay_however_often_a_record_is_annotated() {
        // White's stone at cc is dead, with a cross of kifu's. The user crossed out an empty point
        // of Black's, bb, and a living stone, ee.
        let record = "(;FF[4]GM[1]CA[UTF-8]SZ[9];B[ee];W[cc];B[];W[]MA[bb][ee])";
        let first = Annotation {
            black_territory: points(&["bb", "cc"]),
            dead: points(&["cc"]),
            stones: points(&["cc", "ee"]),
            comment: "Black wins.".to_owned(),
            ..Annotation::default()
        };
        let once = annotated(record, &first);
        assert!(once.contains("MA[bb][cc][ee]"), "{once}");
        assert_eq!(annotated(&once, &first), once);
        // Another verdict: the stone lives.
        let second = Annotation {
            black_territory: points(&["bb"]),
            dead: PointSet::EMPTY,
            ..first
        };
        let twice = annotated(&once, &second);
        assert!(twice.contains("MA[bb][ee]"), "{twice}");
    }

    #[test]
    fn a_move_that_nobody_can_read_stays_the_same_move() {
        for value in [
            "gqB\u{1}",
            "x\ty z\0",
            "a\\b\r\nc",
            "\u{b}x\\",
            "e2-TR\\[CR\\[e4",
            "e2-TR[CR[e4",
        ] {
            let record = format!("(;GM[1]GM[3]SZ[9];B[{value}];W[ee])");
            let parsed = parse(record.as_bytes(), &Limits::default());
            let written = parsed.to_sgf(&[]);
            let again = parse(written.as_bytes(), &Limits::default());
            let moves = |collection: &Collection| -> Vec<StepKind> {
                let steps = collection.games[0].main_line.iter();
                steps.map(|step| step.kind.clone()).collect()
            };
            assert_eq!(moves(&parsed), moves(&again), "{record:?}");
        }
    }

    #[test]
    fn another_game_stays_that_game() {
        for record in [
            "(;GM[]GM[2];B[a1])",
            "(;GM[2]GM[];B[a1])",
            "(;GM[2]GM[1];B[a1[b2[c3])",
            "(;GM[3];Bb[cb][;]W[e2])",
        ] {
            let parsed = parse(record.as_bytes(), &Limits::default());
            let kind = parsed.games[0].kind.clone();
            assert_ne!(kind, GameKind::Go, "{record}");
            let written = parsed.to_sgf(&[]);
            let again = parse(written.as_bytes(), &Limits::default());
            assert_eq!(again.games[0].kind, kind, "{record} became {written}");
            let moves = |collection: &Collection| -> Vec<StepKind> {
                let steps = collection.games[0].main_line.iter();
                steps.map(|step| step.kind.clone()).collect()
            };
            assert_eq!(moves(&again), moves(&parsed), "{record} became {written}");
        }
    }
}
