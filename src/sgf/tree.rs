//! The tree of a file: nodes, their properties, and where in the text each value stands.
//!
//! Everything lies in three flat lists (nodes, properties, values) in the order of the file, and
//! values are spans of the text. So nothing is copied, a tree nested a million deep is dropped
//! without recursion, and a parent always comes before its children: whoever walks the nodes in
//! order meets every branch as the file tells it.

use std::borrow::Cow;

/// A node of a file's tree. Nodes count in the order in which the file writes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The capital letters of a property's name, packed for comparing: `B`, `AB`, `KGSDE`. Names of
/// more than eight capitals all have the same key, which equals no key of a known property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(u64);

impl Key {
    /// The key of a name. Small letters do not count (`GaMe` is `GM`, as `FF[1]` to `FF[3]` allow)
    /// unless there are no others (`b` is `B`).
    pub const fn new(name: &[u8]) -> Key {
        let mut capitals = 0u64;
        let mut all = 0u64;
        let (mut capital_count, mut count) = (0, 0);
        let mut i = 0;
        while i < name.len() {
            let letter = name[i];
            if letter.is_ascii_uppercase() || letter.is_ascii_digit() {
                capitals = capitals << 8 | letter as u64;
                capital_count += 1;
            }
            all = all << 8 | letter.to_ascii_uppercase() as u64;
            count += 1;
            i += 1;
        }
        match (capital_count, count) {
            (0, 0..=8) => Key(all),
            (1..=8, _) => Key(capitals),
            _ => Key(0),
        }
    }
}

/// The properties that the reader looks at.
#[rustfmt::skip]
impl Key {
    pub(crate) const B: Key = Key::new(b"B");
    pub(crate) const W: Key = Key::new(b"W");
    pub(crate) const C: Key = Key::new(b"C");
    pub(crate) const AB: Key = Key::new(b"AB");
    pub(crate) const AW: Key = Key::new(b"AW");
    pub(crate) const AE: Key = Key::new(b"AE");
    pub(crate) const PL: Key = Key::new(b"PL");
    pub(crate) const TB: Key = Key::new(b"TB");
    pub(crate) const TW: Key = Key::new(b"TW");
    pub(crate) const TC: Key = Key::new(b"TC");
    pub(crate) const TT: Key = Key::new(b"TT");
    pub(crate) const GM: Key = Key::new(b"GM");
    pub(crate) const FF: Key = Key::new(b"FF");
    pub(crate) const SZ: Key = Key::new(b"SZ");
    pub(crate) const CA: Key = Key::new(b"CA");
    pub(crate) const AP: Key = Key::new(b"AP");
    pub(crate) const RU: Key = Key::new(b"RU");
    pub(crate) const KM: Key = Key::new(b"KM");
    pub(crate) const HA: Key = Key::new(b"HA");
    pub(crate) const RE: Key = Key::new(b"RE");
    pub(crate) const PB: Key = Key::new(b"PB");
    pub(crate) const PW: Key = Key::new(b"PW");
    pub(crate) const BR: Key = Key::new(b"BR");
    pub(crate) const WR: Key = Key::new(b"WR");
    pub(crate) const DT: Key = Key::new(b"DT");
    pub(crate) const EV: Key = Key::new(b"EV");
    pub(crate) const RO: Key = Key::new(b"RO");
    pub(crate) const PC: Key = Key::new(b"PC");
    pub(crate) const GN: Key = Key::new(b"GN");
    pub(crate) const SO: Key = Key::new(b"SO");
    pub(crate) const KO: Key = Key::new(b"KO");
    pub(crate) const TM: Key = Key::new(b"TM");
    pub(crate) const OT: Key = Key::new(b"OT");
    pub(crate) const BT: Key = Key::new(b"BT");
    pub(crate) const WT: Key = Key::new(b"WT");
}

/// Marks "no such node" in links.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Node {
    parent: u32,
    first_child: u32,
    last_child: u32,
    next_sibling: u32,
    /// Where the node starts in the text.
    offset: u32,
    /// Its first property; its last is the one before the next node's first.
    properties: u32,
}

#[derive(Clone, Copy, Debug)]
struct PropertyEntry {
    key: Key,
    name: Span,
    /// Its first value; its last is the one before the next property's first.
    values: u32,
}

/// A stretch of the text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub start: u32,
    pub end: u32,
}

/// All games of a file as one forest, without the text itself.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    properties: Vec<PropertyEntry>,
    values: Vec<Span>,
    roots: Vec<NodeId>,
}

impl Tree {
    /// An empty tree with room for what a text of this length usually holds.
    pub(crate) fn with_room_for(bytes: usize) -> Tree {
        Tree {
            nodes: Vec::with_capacity(bytes / 6 + 4),
            properties: Vec::with_capacity(bytes / 6 + 24),
            values: Vec::with_capacity(bytes / 6 + 24),
            roots: Vec::with_capacity(1),
        }
    }

    /// The first node of each game.
    pub fn roots(&self) -> &[NodeId] {
        &self.roots
    }

    /// How many nodes there are in all games.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the file holds no node at all.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The node before this one; `None` for the root of a game.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        link(self.nodes[node.index()].parent)
    }

    /// The next node of the line that this node belongs to: its first child.
    pub fn first_child(&self, node: NodeId) -> Option<NodeId> {
        link(self.nodes[node.index()].first_child)
    }

    /// The next variation: the following child of the same parent.
    pub fn next_sibling(&self, node: NodeId) -> Option<NodeId> {
        link(self.nodes[node.index()].next_sibling)
    }

    /// Whether more than one line goes on from here.
    pub fn branches(&self, node: NodeId) -> bool {
        let node = &self.nodes[node.index()];
        node.first_child != node.last_child
    }

    /// The node and what follows it, always by the first child.
    pub fn line_from(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(node), |&node| self.first_child(node))
    }

    /// Every node of the game that starts at a root, parents before children, in the order of
    /// the file.
    pub fn game_nodes(&self, root: NodeId) -> impl ExactSizeIterator<Item = NodeId> + use<> {
        let at = self.roots.partition_point(|&other| other <= root);
        let end = self
            .roots
            .get(at)
            .map_or(self.nodes.len() as u32, |next| next.0);
        (root.0..end).map(NodeId)
    }

    /// The properties of a node, in the order of the file.
    pub fn properties<'a>(
        &'a self,
        node: NodeId,
        text: &'a str,
    ) -> impl Iterator<Item = Property<'a>> {
        self.property_range(node).map(move |index| Property {
            tree: self,
            text,
            index,
        })
    }

    /// The first property of the node with this key.
    pub fn property<'a>(&'a self, node: NodeId, key: Key, text: &'a str) -> Option<Property<'a>> {
        self.properties(node, text)
            .find(|property| property.key() == key)
    }

    /// The move of a node that holds nothing else, as nearly every node does: its property, and
    /// the two small letters of its point.
    #[inline]
    pub(crate) fn plain_move(&self, node: NodeId, text: &str) -> Option<PlainMove> {
        let properties = self.property_range(node);
        let property = self.properties.get(properties.start)?;
        let values = self.value_range(properties.start);
        if properties.len() != 1 || values.len() != 1 || !matches!(property.key, Key::B | Key::W) {
            return None;
        }
        let Span { start, end } = self.values[values.start];
        match text.as_bytes().get(start as usize..end as usize) {
            Some(&[x @ b'a'..=b'z', y @ b'a'..=b'z']) => Some(PlainMove {
                key: property.key,
                letters: [x, y],
                offset: property.name.start,
            }),
            _ => None,
        }
    }

    pub(crate) fn offset(&self, node: NodeId) -> u32 {
        self.nodes[node.index()].offset
    }

    #[inline]
    fn property_range(&self, node: NodeId) -> std::ops::Range<usize> {
        let start = self.nodes[node.index()].properties as usize;
        let next = self.nodes.get(node.index() + 1);
        start..next.map_or(self.properties.len(), |next| next.properties as usize)
    }

    #[inline]
    fn value_range(&self, property: usize) -> std::ops::Range<usize> {
        let start = self.properties[property].values as usize;
        let next = self.properties.get(property + 1);
        start..next.map_or(self.values.len(), |next| next.values as usize)
    }

    #[inline]
    pub(crate) fn push_node(&mut self, parent: Option<NodeId>, offset: u32) -> NodeId {
        let id = self.nodes.len() as u32;
        self.nodes.push(Node {
            parent: parent.map_or(NONE, |parent| parent.0),
            first_child: NONE,
            last_child: NONE,
            next_sibling: NONE,
            offset,
            properties: self.properties.len() as u32,
        });
        match parent {
            Some(parent) => {
                let last = std::mem::replace(&mut self.nodes[parent.index()].last_child, id);
                match last {
                    NONE => self.nodes[parent.index()].first_child = id,
                    last => self.nodes[last as usize].next_sibling = id,
                }
            }
            None => self.roots.push(NodeId(id)),
        }
        NodeId(id)
    }

    /// Adds a node before the children that its parent has already.
    pub(crate) fn push_first_child(&mut self, parent: NodeId, offset: u32) -> NodeId {
        let last = self.nodes[parent.index()].last_child;
        let first = self.nodes[parent.index()].first_child;
        let node = self.push_node(Some(parent), offset);
        // It was put behind the others: unhook it there and put it in front.
        if last != NONE {
            self.nodes[last as usize].next_sibling = NONE;
            self.nodes[node.index()].next_sibling = first;
            self.nodes[parent.index()].first_child = node.0;
            self.nodes[parent.index()].last_child = last;
        }
        node
    }

    #[inline]
    pub(crate) fn push_property(&mut self, key: Key, name: Span) {
        let values = self.values.len() as u32;
        self.properties.push(PropertyEntry { key, name, values });
    }

    #[inline]
    pub(crate) fn push_value(&mut self, value: Span) {
        self.values.push(value);
    }
}

#[inline]
fn link(node: u32) -> Option<NodeId> {
    (node != NONE).then_some(NodeId(node))
}

/// See [`Tree::plain_move`].
pub(crate) struct PlainMove {
    pub key: Key,
    pub letters: [u8; 2],
    pub offset: u32,
}

/// A property of a node: a name and one value or more.
#[derive(Clone, Copy)]
pub struct Property<'a> {
    tree: &'a Tree,
    text: &'a str,
    index: usize,
}

impl<'a> Property<'a> {
    /// The packed name, for comparing.
    #[inline]
    pub fn key(self) -> Key {
        self.tree.properties[self.index].key
    }

    /// The name as `FF[4]` writes it, in capitals.
    pub fn name(self) -> String {
        let written = self.written_name();
        let capitals: String = written
            .chars()
            .filter(|c| !c.is_ascii_lowercase())
            .collect();
        if capitals.is_empty() {
            written.to_ascii_uppercase()
        } else {
            capitals
        }
    }

    /// The name as the file writes it.
    pub fn written_name(self) -> &'a str {
        let name = self.tree.properties[self.index].name;
        &self.text[name.start as usize..name.end as usize]
    }

    /// The values, in the order of the file.
    pub fn values(self) -> impl ExactSizeIterator<Item = Value<'a>> {
        let values = &self.tree.values[self.tree.value_range(self.index)];
        values.iter().map(move |span| Value {
            raw: &self.text[span.start as usize..span.end as usize],
            offset: span.start,
        })
    }

    /// The first value.
    #[inline]
    pub fn value(self) -> Value<'a> {
        let span = self.tree.values[self.tree.properties[self.index].values as usize];
        Value {
            raw: &self.text[span.start as usize..span.end as usize],
            offset: span.start,
        }
    }

    pub(crate) fn offset(self) -> u32 {
        self.tree.properties[self.index].name.start
    }
}

/// One value of a property.
#[derive(Clone, Copy, Debug)]
pub struct Value<'a> {
    raw: &'a str,
    offset: u32,
}

impl<'a> Value<'a> {
    /// What stands between the brackets, escapes and all.
    #[inline]
    pub fn raw(self) -> &'a str {
        self.raw
    }

    pub(crate) fn offset(self) -> u32 {
        self.offset
    }

    /// The value read as text: escapes resolved, escaped line breaks taken out, other line
    /// breaks kept as `\n`, other white space as blanks, NULs dropped.
    pub fn text(self) -> Cow<'a, str> {
        self.unescape('\n')
    }

    /// The value read as simple text: as [`text`](Value::text), but on one line, without white
    /// space around it.
    pub fn simple_text(self) -> Cow<'a, str> {
        match self.unescape(' ') {
            Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
            Cow::Owned(text) if text.trim().len() == text.len() => Cow::Owned(text),
            Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
        }
    }

    fn unescape(self, line_break: char) -> Cow<'a, str> {
        let plain =
            |byte: u8| byte != b'\\' && (byte >= b' ' || byte == b'\n' && line_break == '\n');
        if self.raw.bytes().all(plain) {
            return Cow::Borrowed(self.raw);
        }
        let mut text = String::with_capacity(self.raw.len());
        let mut rest = self.raw.chars().peekable();
        // A line break may be written as two characters, `\r\n` or `\n\r`.
        let second_half = |first: char, rest: &mut std::iter::Peekable<std::str::Chars>| {
            let other = if first == '\n' { '\r' } else { '\n' };
            rest.next_if_eq(&other);
        };
        while let Some(c) = rest.next() {
            match c {
                '\\' => match rest.next() {
                    Some(c @ ('\n' | '\r')) => second_half(c, &mut rest),
                    Some('\0') | None => {}
                    Some(c) if c < ' ' => text.push(' '),
                    Some(c) => text.push(c),
                },
                '\n' | '\r' => {
                    second_half(c, &mut rest);
                    text.push(line_break);
                }
                '\0' => {}
                c if c < ' ' => text.push(' '),
                c => text.push(c),
            }
        }
        Cow::Owned(text)
    }
}
