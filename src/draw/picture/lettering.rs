//! Our own lettering: a small single-stroke alphabet, so that pictures need no font.
//!
//! Each letter is drawn with a pen of one width, like the lettering on a technical drawing. A
//! glyph is written below as the way of the pen on a grid where capitals are 7 high, small
//! letters 5, and the base line is 0:
//!
//! - `M x y` lifts the pen and sets it down; `L x y` draws a line;
//! - `C x y x y x y` draws a Bézier curve;
//! - `A x y rx ry from to` draws an arc of the ellipse around (x, y), between two angles in
//!   degrees, anticlockwise when the second is larger (a line leads to its start when the pen is
//!   down); `O x y rx ry` draws the whole ellipse.
//!
//! Letters with accents are put together from a letter and a mark. What remains, Chinese
//! characters, Hangul, Kana, Cyrillic, and so on, can't be drawn: SVG leaves such a text to the
//! viewer's fonts, and PNG shows it in Latin letters ([`romanised`]): a name reads `Gu Li`
//! rather than as a row of boxes. Chinese characters are read in Mandarin there, so a Japanese
//! name comes out in its Chinese reading.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::shapes::{Anchor, Figure, Segment, Shape, Text, Xy};

/// How high a capital is in the table of glyphs.
const CAPITAL: f32 = 7.0;
/// The gap between two letters.
const GAP: f32 = 1.6;
const SPACE: f32 = 2.8;

/// Letter, width, way of the pen.
#[rustfmt::skip]
const GLYPHS: &[(char, f32, &str)] = &[
    ('A', 5.2, "M0 0 L2.6 7 L5.2 0 M0.85 2.2 L4.35 2.2"),
    ('B', 4.4, "M2.4 3.65 A2.4 5.33 1.7 1.67 -90 90 L0 7 L0 0 L2.5 0 A2.5 1.82 1.9 1.83 -90 90 L0 3.65"),
    ('C', 4.9, "A3 3.5 3 3.5 50 310"),
    ('D', 5.0, "M0 0 L0 7 L1.8 7 A1.8 3.5 3.2 3.5 90 -90 L0 0"),
    ('E', 3.8, "M3.8 7 L0 7 L0 0 L3.8 0 M0 3.6 L3.3 3.6"),
    ('F', 3.7, "M3.7 7 L0 7 L0 0 M0 3.5 L3.2 3.5"),
    ('G', 5.4, "A3 3.5 3 3.5 50 322 L5.4 3.3 L3.3 3.3"),
    ('H', 4.8, "M0 0 L0 7 M4.8 0 L4.8 7 M0 3.6 L4.8 3.6"),
    ('I', 0.0, "M0 0 L0 7"),
    ('J', 2.9, "M2.9 7 L2.9 1.8 A1.35 1.8 1.55 1.8 0 -155"),
    ('K', 4.5, "M0 0 L0 7 M4.2 7 L0 2.8 M1.6 4.4 L4.5 0"),
    ('L', 3.6, "M0 7 L0 0 L3.6 0"),
    ('M', 5.8, "M0 0 L0 7 L2.9 1.8 L5.8 7 L5.8 0"),
    ('N', 4.8, "M0 0 L0 7 L4.8 0 L4.8 7"),
    ('O', 5.8, "O2.9 3.5 2.9 3.5"),
    ('P', 4.2, "M0 0 L0 7 L2.3 7 A2.3 5.1 1.9 1.9 90 -90 L0 3.2"),
    ('Q', 5.8, "O2.9 3.5 2.9 3.5 M3.5 1.7 L5.6 -0.6"),
    ('R', 4.4, "M0 0 L0 7 L2.3 7 A2.3 5.1 1.9 1.9 90 -90 L0 3.2 M2.2 3.2 L4.4 0"),
    ('S', 4.3, "M3.9 5.9 C3.5 6.6 2.9 7 2.1 7 C0.9 7 0.2 6.3 0.2 5.3 C0.2 4.2 1.2 3.9 2.2 3.65 C3.3 3.35 4.3 2.95 4.3 1.8 C4.3 0.7 3.4 0 2.1 0 C1.2 0 0.4 0.4 0 1.2"),
    ('T', 4.8, "M0 7 L4.8 7 M2.4 7 L2.4 0"),
    ('U', 4.7, "M0 7 L0 2.35 A2.35 2.35 2.35 2.35 180 360 L4.7 7"),
    ('V', 5.0, "M0 7 L2.5 0 L5 7"),
    ('W', 7.4, "M0 7 L1.9 0 L3.7 6 L5.5 0 L7.4 7"),
    ('X', 4.6, "M0 0 L4.6 7 M0 7 L4.6 0"),
    ('Y', 4.8, "M0 7 L2.4 3.3 L4.8 7 M2.4 3.3 L2.4 0"),
    ('Z', 4.5, "M0 7 L4.5 7 L0 0 L4.5 0"),
    ('a', 4.2, "O2.1 2.5 2.1 2.5 M4.2 5 L4.2 0"),
    ('b', 4.2, "M0 7.2 L0 0 M0 2.5 O2.1 2.5 2.1 2.5"),
    ('c', 3.7, "A2.2 2.5 2.2 2.5 45 315"),
    ('d', 4.2, "M4.2 7.2 L4.2 0 O2.1 2.5 2.1 2.5"),
    ('e', 4.2, "M0.05 2.6 L4.2 2.6 A2.1 2.5 2.1 2.5 2 312"),
    ('f', 2.4, "M0.9 0 L0.9 5.6 A2.4 5.6 1.5 1.6 180 85 M0 4.8 L2.3 4.8"),
    ('g', 4.2, "O2.1 2.5 2.1 2.5 M4.2 5 L4.2 -0.1 A2.1 -0.1 2.1 2 0 -150"),
    ('h', 3.8, "M0 7.2 L0 0 M0 3.1 A1.9 3.1 1.9 1.9 180 0 L3.8 0"),
    ('i', 0.0, "M0 0 L0 5 M0 6.9 L0 7"),
    ('j', 1.0, "M1 5 L1 -0.6 A-0.3 -0.6 1.3 1.5 0 -90 M1 6.9 L1 7"),
    ('k', 3.6, "M0 7.2 L0 0 M3.4 5 L0 1.8 M1.3 3 L3.6 0"),
    ('l', 1.1, "M0 7.2 L0 1.1 A1.1 1.1 1.1 1.1 180 270"),
    ('m', 6.2, "M0 5 L0 0 M0 3.4 A1.55 3.4 1.55 1.6 180 0 L3.1 0 M3.1 3.4 A4.65 3.4 1.55 1.6 180 0 L6.2 0"),
    ('n', 3.8, "M0 5 L0 0 M0 3.1 A1.9 3.1 1.9 1.9 180 0 L3.8 0"),
    ('o', 4.4, "O2.2 2.5 2.2 2.5"),
    ('p', 4.2, "M0 5 L0 -2.1 O2.1 2.5 2.1 2.5"),
    ('q', 4.2, "M4.2 5 L4.2 -2.1 O2.1 2.5 2.1 2.5"),
    ('r', 2.2, "M0 5 L0 0 M0 3 A1.9 3 1.9 2 180 80"),
    ('s', 3.3, "M3 4.2 C2.7 4.7 2.2 5 1.6 5 C0.7 5 0.1 4.5 0.1 3.8 C0.1 3 0.8 2.75 1.6 2.6 C2.5 2.4 3.3 2.1 3.3 1.3 C3.3 0.5 2.6 0 1.6 0 C0.9 0 0.3 0.3 0 0.9"),
    ('t', 2.4, "M0.9 6.6 L0.9 1.3 A2.2 1.3 1.3 1.3 180 280 M0 5 L2.3 5"),
    ('u', 3.8, "M0 5 L0 1.9 A1.9 1.9 1.9 1.9 180 360 M3.8 5 L3.8 0"),
    ('v', 3.8, "M0 5 L1.9 0 L3.8 5"),
    ('w', 5.8, "M0 5 L1.5 0 L2.9 4.4 L4.3 0 L5.8 5"),
    ('x', 3.5, "M0 0 L3.5 5 M0 5 L3.5 0"),
    ('y', 3.8, "M0 5 L1.95 0.1 M3.8 5 L1.4 -1.3 C1.1 -2 0.7 -2.1 0.1 -2.1"),
    ('z', 3.3, "M0 5 L3.3 5 L0 0 L3.3 0"),
    ('0', 4.2, "O2.1 3.5 2.1 3.5"),
    ('1', 1.9, "M0 5.4 L1.9 7 L1.9 0"),
    ('2', 4.1, "A2.05 5 1.95 2 165 -30 L0 0 L4.1 0"),
    ('3', 4.1, "A2 5.3 1.75 1.7 150 -90 L1.5 3.6 M2 3.6 A2 1.8 2.1 1.8 90 -150"),
    ('4', 4.4, "M3.3 0 L3.3 7 L0 1.9 L4.4 1.9"),
    ('5', 4.1, "M3.7 7 L0.7 7 L0.45 3.85 A2 2.25 2.1 2.25 135 -150"),
    ('6', 4.2, "O2.1 2.15 2.1 2.15 M3.1 7 C1.4 5.7 0 4.2 0 2.15"),
    ('7', 4.2, "M0 7 L4.2 7 L1.4 0"),
    ('8', 4.2, "O2.1 5.35 1.75 1.65 O2.1 1.85 2.1 1.85"),
    ('9', 4.2, "O2.1 4.85 2.1 2.15 M1.1 0 C2.8 1.3 4.2 2.8 4.2 4.85"),
    ('.', 0.0, "M0 0 L0 0.1"),
    (',', 0.5, "M0.5 0.1 L0 -1.2"),
    (':', 0.0, "M0 0.2 L0 0.3 M0 4.2 L0 4.3"),
    (';', 0.5, "M0.5 0.1 L0 -1.2 M0.5 4.2 L0.5 4.3"),
    ('!', 0.0, "M0 0 L0 0.1 M0 2 L0 7"),
    ('?', 3.4, "A1.7 5.4 1.7 1.6 165 -45 C2.1 3.6 1.7 3.2 1.7 2.1 M1.7 0 L1.7 0.1"),
    ('\'', 0.0, "M0 7 L0 5.2"),
    ('"', 1.6, "M0 7 L0 5.2 M1.6 7 L1.6 5.2"),
    ('`', 1.2, "M0 7 L1.2 5.7"),
    ('-', 2.4, "M0 2.7 L2.4 2.7"),
    ('–', 3.6, "M0 2.7 L3.6 2.7"),
    ('—', 6.0, "M0 2.7 L6 2.7"),
    ('_', 4.4, "M0 -1 L4.4 -1"),
    ('+', 3.8, "M0 3 L3.8 3 M1.9 1.1 L1.9 4.9"),
    ('−', 3.8, "M0 3 L3.8 3"),
    ('=', 3.8, "M0 2.1 L3.8 2.1 M0 3.9 L3.8 3.9"),
    ('±', 3.8, "M0 3.6 L3.8 3.6 M1.9 1.7 L1.9 5.5 M0 0 L3.8 0"),
    ('×', 2.8, "M0 1.6 L2.8 4.4 M0 4.4 L2.8 1.6"),
    ('/', 2.8, "M0 -1 L2.8 7.5"),
    ('\\', 2.8, "M2.8 -1 L0 7.5"),
    ('|', 0.0, "M0 -1.5 L0 7.5"),
    ('(', 1.4, "M1.4 7.8 C-0.45 5 -0.45 1.5 1.4 -1.3"),
    (')', 1.4, "M0 7.8 C1.85 5 1.85 1.5 0 -1.3"),
    ('[', 1.4, "M1.4 7.7 L0 7.7 L0 -1.2 L1.4 -1.2"),
    (']', 1.4, "M0 7.7 L1.4 7.7 L1.4 -1.2 L0 -1.2"),
    ('{', 1.8, "M1.8 7.7 C0.2 7.7 1.5 3.6 0 3.25 C1.5 2.9 0.2 -1.2 1.8 -1.2"),
    ('}', 1.8, "M0 7.7 C1.6 7.7 0.3 3.6 1.8 3.25 C0.3 2.9 1.6 -1.2 0 -1.2"),
    ('<', 3.6, "M3.6 5 L0 3 L3.6 1"),
    ('>', 3.6, "M0 5 L3.6 3 L0 1"),
    ('«', 3.2, "M1.4 4.2 L0 2.5 L1.4 0.8 M3.2 4.2 L1.8 2.5 L3.2 0.8"),
    ('»', 3.2, "M0 4.2 L1.4 2.5 L0 0.8 M1.8 4.2 L3.2 2.5 L1.8 0.8"),
    ('#', 4.8, "M1.2 0 L2 7 M3 0 L3.8 7 M0.2 2.3 L4.6 2.3 M0.4 4.7 L4.8 4.7"),
    ('%', 5.8, "M0.8 0 L5 7 O1.3 5.5 1.3 1.5 O4.5 1.5 1.3 1.5"),
    ('&', 5.0, "M5 0 L1 5 C0.5 6.3 1.4 7 2.2 7 C3.2 7 3.8 6 3.2 5.1 C2.6 4.2 0 3.6 0 1.8 C0 0.7 0.9 0 2 0 C3.6 0 4.6 1.4 4.8 3.1"),
    ('*', 3.2, "M1.6 7 L1.6 3.4 M0 6.1 L3.2 4.3 M0 4.3 L3.2 6.1"),
    ('@', 6.6, "O3.4 2.9 1.5 1.6 M4.9 4.5 L4.9 2.2 A5.75 2.2 0.85 0.9 180 330 A3.3 2.9 3.3 3.9 -3 300"),
    ('$', 4.3, "M3.9 5.7 C3.5 6.3 2.9 6.6 2.1 6.6 C0.9 6.6 0.2 6 0.2 5.1 C0.2 4.1 1.2 3.8 2.2 3.6 C3.3 3.3 4.3 3 4.3 2 C4.3 1 3.4 0.4 2.1 0.4 C1.2 0.4 0.4 0.7 0 1.4 M2.15 7.6 L2.15 -0.6"),
    ('^', 3.2, "M0 5 L1.6 7 L3.2 5"),
    ('~', 3.8, "M0 2.6 C0.7 4.2 1.5 3.6 1.9 3 C2.3 2.4 3.1 1.8 3.8 3.4"),
    ('·', 0.0, "M0 2.7 L0 2.8"),
    ('•', 1.0, "O0.5 2.8 0.5 0.5"),
    ('…', 3.6, "M0 0 L0 0.1 M1.8 0 L1.8 0.1 M3.6 0 L3.6 0.1"),
    ('‘', 0.5, "M0 5.4 L0.5 6.9"),
    ('’', 0.5, "M0.5 6.9 L0 5.4"),
    ('“', 2.0, "M0 5.4 L0.5 6.9 M1.5 5.4 L2 6.9"),
    ('”', 2.0, "M0.5 6.9 L0 5.4 M2 6.9 L1.5 5.4"),
    ('„', 2.0, "M0.5 0.1 L0 -1.4 M2 0.1 L1.5 -1.4"),
    ('°', 1.8, "O0.9 6.1 0.9 0.9"),
    ('½', 5.6, "M0 6.1 L1 7 L1 3.6 M0.6 0 L4.6 7 A4.4 2.4 1.1 1.1 165 -30 L3.4 0 L5.6 0"),
    ('¼', 5.8, "M0 6.1 L1 7 L1 3.6 M0.6 0 L4.6 7 M5.1 0 L5.1 3.4 L3.3 1 L5.8 1"),
    ('¾', 6.2, "A1 6.2 0.9 0.8 150 -90 M1 5.4 A1 4.5 1.1 0.9 90 -150 M1 0 L5 7 M5.5 0 L5.5 3.4 L3.7 1 L6.2 1"),
    ('¡', 0.0, "M0 5 L0 4.9 M0 3 L0 -2"),
    ('¿', 3.4, "A1.7 -0.4 1.7 1.6 -15 -225 C1.3 1.4 1.7 1.8 1.7 2.9 M1.7 5 L1.7 4.9"),
    ('ı', 0.0, "M0 0 L0 5"),
    ('ȷ', 1.0, "M1 5 L1 -0.6 A-0.3 -0.6 1.3 1.5 0 -90"),
    ('ß', 4.0, "M0 0 L0 5.4 A1.7 5.4 1.7 1.8 180 -60 C1.6 3.9 1.6 3.6 2.2 3.3 C3.2 2.8 4 2.5 4 1.5 C4 0.6 3.3 0 2.3 0 C1.9 0 1.6 0.1 1.3 0.3"),
    ('Æ', 6.8, "M0 0 L3.2 7 L6.6 7 M3.2 7 L3.4 0 L6.8 0 M3.3 3.6 L6.2 3.6 M1 2.2 L3.35 2.2"),
    ('æ', 7.4, "O2 2.5 2 2.5 M3.9 5 L3.9 0 M3.9 2.6 L7.4 2.6 A5.65 2.5 1.75 2.5 2 312"),
    ('Œ', 7.4, "M7.4 7 L2.9 7 A2.9 3.5 2.9 3.5 90 270 L7.4 0 M4.2 0 L4.2 7 M4.2 3.6 L6.9 3.6"),
    ('œ', 7.6, "O2 2.5 2 2.5 M4 2.6 L7.6 2.6 A5.8 2.5 1.8 2.5 2 312"),
    ('Ø', 5.8, "O2.9 3.5 2.9 3.5 M0.5 -0.5 L5.3 7.5"),
    ('ø', 4.4, "O2.2 2.5 2.2 2.5 M0.3 -0.6 L4.1 5.6"),
    ('Đ', 5.5, "M0.5 0 L0.5 7 L2.3 7 A2.3 3.5 3.2 3.5 90 -90 L0.5 0 M-0.5 3.6 L2.4 3.6"),
    ('Ð', 5.5, "M0.5 0 L0.5 7 L2.3 7 A2.3 3.5 3.2 3.5 90 -90 L0.5 0 M-0.5 3.6 L2.4 3.6"),
    ('đ', 4.4, "M4.2 7.2 L4.2 0 O2.1 2.5 2.1 2.5 M2.6 6.1 L5 6.1"),
    ('ð', 4.2, "O2.1 2.2 2.1 2.2 M0.9 7 C2.6 6.4 4.2 4.6 4.2 2.2 M1 5.3 L3.4 6.9"),
    ('Ł', 3.9, "M0.3 7 L0.3 0 L3.9 0 M-0.6 2.6 L2.1 4.4"),
    ('ł', 1.4, "M0.4 7.2 L0.4 1.1 A1.4 1.1 1 1.1 180 270 M-0.6 3 L1.4 4.5"),
    ('Þ', 4.2, "M0 0 L0 7 M0 5.6 L2.3 5.6 A2.3 3.7 1.9 1.9 90 -90 L0 1.8"),
    ('þ', 4.2, "M0 7.2 L0 -2.1 O2.1 2.5 2.1 2.5"),
];

/// A mark, its way around the middle of the letter (0) and the letter's top (0), and letters with
/// the mark beside the bare ones.
#[rustfmt::skip]
const MARKS: &[(&str, &str, &str)] = &[
    // Grave, acute, circumflex, caron.
    ("M-1 2.2 L0.3 0.9", "ÀàÈèÌìÒòÙùǸǹẀẁỲỳ", "AaEeIıOoUuNnWwYy"),
    ("M1 2.2 L-0.3 0.9", "ÁáĆćÉéÍíĹĺŃńÓóŔŕŚśÚúÝýŹźǴǵ", "AaCcEeIıLlNnOoRrSsUuYyZzGg"),
    ("M-1.2 0.9 L0 2.1 L1.2 0.9", "ÂâĈĉÊêĜĝĤĥÎîĴĵÔôŜŝÛûŴŵŶŷ", "AaCcEeGgHhIıJȷOoSsUuWwYy"),
    ("M-1.2 2.1 L0 0.9 L1.2 2.1", "ČčĎĚěĽŇňŘřŠšŤŽžǍǎǏǐǑǒǓǔǦǧ", "CcDEeLNnRrSsTZzAaIıOoUuGg"),
    // Tilde, diaeresis, ring, macron, breve, dot, double acute.
    ("M-1.4 1 C-0.7 2.2 -0.3 1.8 0 1.5 C0.3 1.2 0.7 0.8 1.4 2", "ÃãÑñÕõĨĩŨũẼẽ", "AaNnOoIıUuEe"),
    ("M-1 1.5 L-1 1.6 M1 1.5 L1 1.6", "ÄäËëÏïÖöÜüŸÿ", "AaEeIıOoUuYy"),
    ("O0 1.7 0.85 0.85", "ÅåŮů", "AaUu"),
    ("M-1.3 1.4 L1.3 1.4", "ĀāĒēĪīŌōŪū", "AaEeIıOoUu"),
    ("M-1.2 2 C-0.9 0.8 0.9 0.8 1.2 2", "ĂăĔĕĞğĬĭŎŏŬŭ", "AaEeGgIıOoUu"),
    ("M0 1.5 L0 1.6", "ĊċĖėĠġİŻżḂḃ", "CcEeGgIZzBb"),
    ("M-0.3 2.2 L-1.2 0.9 M1.3 2.2 L0.4 0.9", "ŐőŰű", "OoUu"),
];

/// Marks below the letter, or beside its top: around the middle of the letter and the base line.
#[rustfmt::skip]
const LOW_MARKS: &[(&str, &str, &str)] = &[
    // Cedilla, ogonek, comma below.
    ("M0 0 C0.2 -0.7 1 -0.7 0.8 -1.4 C0.6 -2 -0.2 -2 -0.7 -1.8", "ÇçŞşŢţ", "CcSsTt"),
    ("M1.2 0 C0.2 -0.7 0.4 -1.9 1.7 -1.7", "ĄąĘęĮįŲų", "AaEeIiUu"),
    ("M0.3 -1 L-0.1 -2.2", "ȘșȚțĢĶķĻļŅņŖŗ", "SsTtGKkLlNnRr"),
];

/// A letter as the pen draws it, in units of the table.
#[derive(Clone)]
struct Glyph {
    width: f32,
    strokes: Vec<Segment>,
}

static ALPHABET: LazyLock<BTreeMap<char, Glyph>> = LazyLock::new(|| {
    let mut alphabet = BTreeMap::from([(
        ' ',
        Glyph {
            // A space has gaps on both sides as well.
            width: SPACE - GAP,
            strokes: Vec::new(),
        },
    )]);
    alphabet.insert('\u{a0}', alphabet[&' '].clone());
    for &(letter, width, way) in GLYPHS {
        let strokes = pen_way(way);
        alphabet.insert(letter, Glyph { width, strokes });
    }
    let mut put_together = |mark: &str, marked: &str, bare: &str, low: bool| {
        for (letter, base) in marked.chars().zip(bare.chars()) {
            let mut glyph = alphabet[&base].clone();
            // A mark is wider than an i.
            let room = (1.8 - glyph.width).max(0.0) / 2.0;
            for segment in &mut glyph.strokes {
                *segment = segment.map(|(x, y)| (x + room, y));
            }
            glyph.width += 2.0 * room;
            let top = match base {
                _ if low => 0.0,
                'h' | 'l' | 'b' => 7.2,
                _ if base.is_lowercase() => 5.0,
                _ => 7.0,
            };
            // The stem of a dotless j stands at its right end.
            let middle = if base == 'ȷ' {
                1.0 + room
            } else {
                glyph.width / 2.0
            };
            let moved = |(x, y): Xy| (x + middle, y + top);
            glyph
                .strokes
                .extend(pen_way(mark).into_iter().map(|segment| segment.map(moved)));
            alphabet.insert(letter, glyph);
        }
    };
    for &(mark, marked, bare) in MARKS {
        put_together(mark, marked, bare, false);
    }
    for &(mark, marked, bare) in LOW_MARKS {
        put_together(mark, marked, bare, true);
    }
    alphabet
});

/// Reads a way of the pen as the table writes it. The table is ours: a slip in it is a bug that
/// the tests find, and what can't be read is left out.
fn pen_way(way: &str) -> Vec<Segment> {
    let mut strokes = Vec::new();
    let starts = way
        .char_indices()
        .filter(|(_, letter)| letter.is_ascii_alphabetic())
        .map(|(index, _)| index);
    let ends = starts.clone().skip(1).chain([way.len()]);
    for (start, end) in starts.zip(ends) {
        let numbers: Vec<f32> = way[start + 1..end]
            .split_ascii_whitespace()
            .filter_map(|number| number.parse().ok())
            .collect();
        match (&way[start..=start], numbers.as_slice()) {
            ("M", &[x, y]) => strokes.push(Segment::Move((x, y))),
            ("L", &[x, y]) => strokes.push(Segment::Line((x, y))),
            ("C", &[ax, ay, bx, by, x, y]) => {
                strokes.push(Segment::Curve((ax, ay), (bx, by), (x, y)));
            }
            ("A", &[x, y, rx, ry, from, to]) => arc(&mut strokes, (x, y), (rx, ry), from, to),
            ("O", &[x, y, rx, ry]) => {
                strokes.push(Segment::Move((x + rx, y)));
                arc(&mut strokes, (x, y), (rx, ry), 0.0, 360.0);
                strokes.push(Segment::Close);
            }
            _ => debug_assert!(false, "the pen can't draw {way:?}"),
        }
    }
    strokes
}

/// An arc as Bézier curves of at most a quarter turn each.
fn arc(strokes: &mut Vec<Segment>, center: Xy, radii: Xy, from: f32, to: f32) {
    let at = |angle: f32| {
        let (sin, cos) = angle.to_radians().sin_cos();
        (center.0 + radii.0 * cos, center.1 + radii.1 * sin)
    };
    let start = at(from);
    match strokes.last() {
        None | Some(Segment::Close) => strokes.push(Segment::Move(start)),
        Some(_) => strokes.push(Segment::Line(start)),
    }
    let pieces = ((to - from).abs() / 90.0).ceil().max(1.0);
    let step = (to - from) / pieces;
    // The length of the handles with which a Bézier curve follows a circle.
    let handle = 4.0 / 3.0 * (step.to_radians() / 4.0).tan();
    for piece in 0..pieces as u32 {
        let (a, b) = (from + step * piece as f32, from + step * (piece + 1) as f32);
        let along = |angle: f32, sign: f32| {
            let (sin, cos) = angle.to_radians().sin_cos();
            let (x, y) = at(angle);
            (
                x - sign * handle * radii.0 * sin,
                y + sign * handle * radii.1 * cos,
            )
        };
        strokes.push(Segment::Curve(along(a, 1.0), along(b, -1.0), at(b)));
    }
}

impl Segment {
    fn map(self, moved: impl Fn(Xy) -> Xy) -> Segment {
        match self {
            Segment::Move(at) => Segment::Move(moved(at)),
            Segment::Line(at) => Segment::Line(moved(at)),
            Segment::Curve(a, b, at) => Segment::Curve(moved(a), moved(b), moved(at)),
            Segment::Close => Segment::Close,
        }
    }
}

/// The text as lines drawn by a pen; `None` when it has a letter that the alphabet lacks.
pub(super) fn figure(text: &Text) -> Option<Figure> {
    let scale = text.size / CAPITAL;
    let start = match text.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => width(&text.text, text.size) / 2.0,
    };
    let mut pen = text.at.0 - start;
    let mut strokes = Vec::new();
    for letter in text.text.chars() {
        let glyph = ALPHABET.get(&letter)?;
        strokes.extend(
            glyph
                .strokes
                .iter()
                .map(|segment| segment.map(|(x, y)| (pen + x * scale, text.at.1 - y * scale))),
        );
        pen += (glyph.width + GAP) * scale;
    }
    Some(
        Shape::path(strokes)
            .stroke(text.color, text.size * text.weight)
            .round(),
    )
}

/// How wide a text is when its capitals are `size` high. Letters that the alphabet lacks are
/// taken to be as wide as Chinese characters are in common fonts.
pub(super) fn width(text: &str, size: f32) -> f32 {
    let foreign = CAPITAL / 0.72;
    let letters = text.chars().map(|letter| match ALPHABET.get(&letter) {
        Some(glyph) => glyph.width + GAP,
        None => foreign,
    });
    (letters.sum::<f32>() - GAP).max(0.0) * size / CAPITAL
}

/// The text in letters that the alphabet has: other scripts are romanised, and what can't be
/// romanised becomes a question mark.
pub(super) fn romanised(text: &str) -> Cow<'_, str> {
    if text.chars().all(|letter| ALPHABET.contains_key(&letter)) {
        return Cow::Borrowed(text);
    }
    let mut roman = String::with_capacity(text.len() * 2);
    for letter in text.chars() {
        if ALPHABET.contains_key(&letter) {
            roman.push(letter);
        } else if letter.is_control() {
            roman.push(' ');
        } else {
            roman.push_str(deunicode::deunicode_char(letter).unwrap_or("?"));
        }
    }
    // Syllables of Chinese characters come with a space behind each.
    Cow::Owned(roman.trim_end().replace("  ", " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_of_the_pen_can_be_read() {
        // A slip in the table fails the assertion inside `pen_way`.
        for (letter, glyph) in ALPHABET.iter() {
            assert!(
                letter.is_whitespace() || !glyph.strokes.is_empty(),
                "{letter} is empty"
            );
        }
        for letter in ' '..='~' {
            assert!(ALPHABET.contains_key(&letter), "{letter} is missing");
        }
    }

    #[test]
    fn marked_and_bare_letters_pair_up() {
        for (mark, marked, bare) in MARKS.iter().chain(LOW_MARKS) {
            assert_eq!(marked.chars().count(), bare.chars().count(), "{mark}");
        }
    }

    #[test]
    fn letters_stay_between_the_lines() {
        for (letter, glyph) in ALPHABET.iter() {
            for segment in &glyph.strokes {
                if let Segment::Move(at) | Segment::Line(at) | Segment::Curve(_, _, at) = segment {
                    assert!((-2.5..=9.8).contains(&at.1), "{letter}: {at:?}");
                    assert!(
                        (-1.5..=glyph.width + 1.8).contains(&at.0),
                        "{letter}: {at:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn other_scripts_are_romanised() {
        assert_eq!(romanised("Łukasz Müller"), "Łukasz Müller");
        assert_eq!(romanised("古力"), "Gu Li");
        assert_eq!(romanised("Иван"), "Ivan");
        assert!(romanised("이세돌").is_ascii());
    }
}
