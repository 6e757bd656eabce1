//! A picture: a list of shapes that every renderer draws alike.
//!
//! What a board looks like is decided once, by whoever fills a [`Picture`] (the Go board in
//! `goban`, the boards of the other games in [`crate::games`]); [`svg`](super::svg) and
//! [`png`](super::png) only know how to draw the few kinds of shapes there are. Shapes are drawn
//! in the order in which they were added, over each other.
//!
//! A figure that comes many times, such as a stone, is drawn once as a [`Stamp`] and then
//! stamped: the SVG file stays small, and the PNG renderer shades each kind of stone once.
//!
//! ```
//! use kifu::draw::{picture::{Picture, Rgba, Shape}, png, svg};
//!
//! let mut picture = Picture::new(100.0, 100.0, "One black disc");
//! picture.draw(Shape::rect(0.0, 0.0, 100.0, 100.0).fill(Rgba::rgb(0xdcb35c)));
//! picture.draw(Shape::circle(50.0, 50.0, 30.0).fill(Rgba::BLACK));
//! assert!(svg(&picture).contains("<circle"));
//! assert!(png(&picture, 200).unwrap().starts_with(b"\x89PNG"));
//! ```

/// A colour with its opacity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rgba {
    pub red: u8,
    pub green: u8,
    pub blue: u8,
    /// From 0, which is invisible, to 255.
    pub alpha: u8,
}

impl Rgba {
    pub const BLACK: Rgba = Rgba::rgb(0x000000);
    pub const WHITE: Rgba = Rgba::rgb(0xffffff);

    /// An opaque colour, written as on the web: `0xdcb35c`.
    pub const fn rgb(hex: u32) -> Rgba {
        Rgba {
            red: (hex >> 16) as u8,
            green: (hex >> 8) as u8,
            blue: hex as u8,
            alpha: 255,
        }
    }

    /// The same colour, this opaque, from 0 to 1.
    pub const fn opacity(self, opacity: f32) -> Rgba {
        Rgba {
            alpha: (opacity * 255.0 + 0.5) as u8,
            ..self
        }
    }
}

/// A place in a picture: right and down from its top left corner.
pub type Xy = (f32, f32);

/// What an area is filled with. Places and lengths of gradients are fractions of the box around
/// the shape, so that one gradient serves shapes of all sizes.
#[derive(Clone, Debug, PartialEq)]
pub enum Paint {
    Flat(Rgba),
    /// Colours from one place to another; each stop lies between 0 and 1.
    Linear {
        from: Xy,
        to: Xy,
        stops: Vec<(f32, Rgba)>,
    },
    /// Colours from a centre outwards.
    Radial {
        center: Xy,
        radius: f32,
        stops: Vec<(f32, Rgba)>,
    },
}

impl From<Rgba> for Paint {
    fn from(color: Rgba) -> Paint {
        Paint::Flat(color)
    }
}

/// One step of a drawn line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Segment {
    Move(Xy),
    Line(Xy),
    /// A cubic Bézier curve: two control points and the end.
    Curve(Xy, Xy, Xy),
    Close,
}

/// The form of a figure.
#[derive(Clone, Debug, PartialEq)]
pub enum Outline {
    Circle {
        center: Xy,
        radius: f32,
    },
    Rect {
        corner: Xy,
        width: f32,
        height: f32,
        /// The radius of its rounded corners.
        rounding: f32,
    },
    Path(Vec<Segment>),
}

/// An area, a line, or both.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    pub outline: Outline,
    pub fill: Option<Paint>,
    /// Colour and width of the line along the outline.
    pub stroke: Option<(Rgba, f32)>,
    /// Whether lines end and meet in half circles rather than in corners.
    pub round: bool,
}

/// How a text lies around its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// One line of text.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    pub text: String,
    /// On the base line, at the text's start, middle or end.
    pub at: Xy,
    pub anchor: Anchor,
    /// The height of a capital letter.
    pub size: f32,
    pub color: Rgba,
    /// Width of the pen as a fraction of the height of a capital: 0.1 is light, 0.16 bold.
    pub weight: f32,
}

/// A figure that a picture can draw many times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp(pub(super) usize);

/// One thing in a picture.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    Figure(Figure),
    Text(Text),
    Stamp { stamp: Stamp, at: Xy, opacity: f32 },
}

impl Shape {
    pub fn circle(x: f32, y: f32, radius: f32) -> Figure {
        Figure::new(Outline::Circle {
            center: (x, y),
            radius,
        })
    }

    pub fn rect(x: f32, y: f32, width: f32, height: f32) -> Figure {
        Shape::rounded_rect(x, y, width, height, 0.0)
    }

    pub fn rounded_rect(x: f32, y: f32, width: f32, height: f32, rounding: f32) -> Figure {
        Figure::new(Outline::Rect {
            corner: (x, y),
            width,
            height,
            rounding,
        })
    }

    pub fn line(from: Xy, to: Xy) -> Figure {
        Shape::path(vec![Segment::Move(from), Segment::Line(to)])
    }

    /// A closed polygon with these corners.
    pub fn polygon(corners: impl IntoIterator<Item = Xy>) -> Figure {
        let mut path: Vec<Segment> = corners.into_iter().map(Segment::Line).collect();
        if let Some(Segment::Line(first)) = path.first().copied() {
            path[0] = Segment::Move(first);
            path.push(Segment::Close);
        }
        Shape::path(path)
    }

    pub fn path(path: Vec<Segment>) -> Figure {
        Figure::new(Outline::Path(path))
    }

    /// A line of text in the usual weight, centred on `at`, with capitals of this height.
    pub fn text(text: impl Into<String>, at: Xy, size: f32) -> Text {
        Text {
            text: text.into(),
            at,
            anchor: Anchor::Middle,
            size,
            color: Rgba::BLACK,
            weight: 0.12,
        }
    }
}

impl Figure {
    fn new(outline: Outline) -> Figure {
        Figure {
            outline,
            fill: None,
            stroke: None,
            round: false,
        }
    }

    pub fn fill(mut self, paint: impl Into<Paint>) -> Figure {
        self.fill = Some(paint.into());
        self
    }

    pub fn stroke(mut self, color: Rgba, width: f32) -> Figure {
        self.stroke = Some((color, width));
        self
    }

    /// Lines end and meet in half circles.
    pub fn round(mut self) -> Figure {
        self.round = true;
        self
    }
}

impl Text {
    pub fn anchor(mut self, anchor: Anchor) -> Text {
        self.anchor = anchor;
        self
    }

    pub fn color(mut self, color: Rgba) -> Text {
        self.color = color;
        self
    }

    pub fn weight(mut self, weight: f32) -> Text {
        self.weight = weight;
        self
    }
}

impl From<Figure> for Shape {
    fn from(figure: Figure) -> Shape {
        Shape::Figure(figure)
    }
}

impl From<Text> for Shape {
    fn from(text: Text) -> Shape {
        Shape::Text(text)
    }
}

/// A picture, ready to be rendered.
#[derive(Clone, Debug)]
pub struct Picture {
    pub(super) width: f32,
    pub(super) height: f32,
    pub(super) title: String,
    pub(super) stamps: Vec<Vec<Figure>>,
    pub(super) shapes: Vec<Shape>,
}

impl Picture {
    /// An empty, transparent picture. Its title is for those who can't see it.
    pub fn new(width: f32, height: f32, title: impl Into<String>) -> Picture {
        Picture {
            width,
            height,
            title: title.into(),
            stamps: Vec::new(),
            shapes: Vec::new(),
        }
    }

    pub fn width(&self) -> f32 {
        self.width
    }

    pub fn height(&self) -> f32 {
        self.height
    }

    pub fn draw(&mut self, shape: impl Into<Shape>) {
        self.shapes.push(shape.into());
    }

    /// Cuts a stamp of figures drawn around (0, 0).
    pub fn cut_stamp(&mut self, figures: Vec<Figure>) -> Stamp {
        self.stamps.push(figures);
        Stamp(self.stamps.len() - 1)
    }

    /// Stamps with (0, 0) of the stamp at `at`.
    pub fn stamp(&mut self, stamp: Stamp, at: Xy) {
        self.faint_stamp(stamp, at, 1.0);
    }

    /// Stamps so that what is below shines through.
    pub fn faint_stamp(&mut self, stamp: Stamp, at: Xy, opacity: f32) {
        self.draw(Shape::Stamp { stamp, at, opacity });
    }
}
