//! The few kinds of shapes that a picture is made of.

/// A colour with its opacity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Rgba {
    pub(crate) red: u8,
    pub(crate) green: u8,
    pub(crate) blue: u8,
    /// From 0, which is invisible, to 255.
    pub(crate) alpha: u8,
}

impl Rgba {
    pub(crate) const BLACK: Rgba = Rgba::rgb(0x000000);

    /// An opaque colour, written as on the web: `0xdcb35c`.
    pub(crate) const fn rgb(hex: u32) -> Rgba {
        Rgba {
            red: (hex >> 16) as u8,
            green: (hex >> 8) as u8,
            blue: hex as u8,
            alpha: 255,
        }
    }

    /// The same colour, this opaque, from 0 to 1.
    pub(crate) const fn opacity(self, opacity: f32) -> Rgba {
        Rgba {
            alpha: (opacity * 255.0 + 0.5) as u8,
            ..self
        }
    }
}

/// A place in a picture: right and down from its top left corner.
pub(crate) type Xy = (f32, f32);

/// What an area is filled with. Places and lengths of gradients are fractions of the box around
/// the shape, so that one gradient serves shapes of all sizes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Paint {
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
pub(crate) enum Segment {
    Move(Xy),
    Line(Xy),
    /// A cubic Bézier curve: two control points and the end.
    Curve(Xy, Xy, Xy),
    Close,
}

/// The form of a figure.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outline {
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
pub(crate) struct Figure {
    pub(crate) outline: Outline,
    pub(crate) fill: Option<Paint>,
    /// Colour and width of the line along the outline.
    pub(crate) stroke: Option<(Rgba, f32)>,
    /// Whether lines end and meet in half circles rather than in corners.
    pub(crate) round: bool,
}

/// How a text lies around its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
}

/// One line of text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Text {
    pub(crate) text: String,
    /// On the base line, at the text's start, middle or end.
    pub(crate) at: Xy,
    pub(crate) anchor: Anchor,
    /// The height of a capital letter.
    pub(crate) size: f32,
    pub(crate) color: Rgba,
    /// Width of the pen as a fraction of the height of a capital: 0.1 is light, 0.16 bold.
    pub(crate) weight: f32,
}

/// A figure that a picture can draw many times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp(pub(super) usize);

/// One thing in a picture.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shape {
    Figure(Figure),
    Text(Text),
    Stamp { stamp: Stamp, at: Xy, opacity: f32 },
}

impl Shape {
    pub(crate) fn circle(x: f32, y: f32, radius: f32) -> Figure {
        Figure::new(Outline::Circle {
            center: (x, y),
            radius,
        })
    }

    pub(crate) fn rect(x: f32, y: f32, width: f32, height: f32) -> Figure {
        Shape::rounded_rect(x, y, width, height, 0.0)
    }

    pub(crate) fn rounded_rect(x: f32, y: f32, width: f32, height: f32, rounding: f32) -> Figure {
        Figure::new(Outline::Rect {
            corner: (x, y),
            width,
            height,
            rounding,
        })
    }

    pub(crate) fn line(from: Xy, to: Xy) -> Figure {
        Shape::path(vec![Segment::Move(from), Segment::Line(to)])
    }

    /// A closed polygon with these corners.
    pub(crate) fn polygon(corners: impl IntoIterator<Item = Xy>) -> Figure {
        let mut path: Vec<Segment> = corners.into_iter().map(Segment::Line).collect();
        if let Some(Segment::Line(first)) = path.first().copied() {
            path[0] = Segment::Move(first);
            path.push(Segment::Close);
        }
        Shape::path(path)
    }

    pub(crate) fn path(path: Vec<Segment>) -> Figure {
        Figure::new(Outline::Path(path))
    }

    /// A line of text in the usual weight, centred on `at`, with capitals of this height.
    pub(crate) fn text(text: impl Into<String>, at: Xy, size: f32) -> Text {
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

    pub(crate) fn fill(mut self, paint: impl Into<Paint>) -> Figure {
        self.fill = Some(paint.into());
        self
    }

    pub(crate) fn stroke(mut self, color: Rgba, width: f32) -> Figure {
        self.stroke = Some((color, width));
        self
    }

    /// Lines end and meet in half circles.
    pub(crate) fn round(mut self) -> Figure {
        self.round = true;
        self
    }
}

impl Text {
    pub(crate) fn anchor(mut self, anchor: Anchor) -> Text {
        self.anchor = anchor;
        self
    }

    pub(crate) fn color(mut self, color: Rgba) -> Text {
        self.color = color;
        self
    }

    pub(crate) fn weight(mut self, weight: f32) -> Text {
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

/// A picture, ready to be written as [`svg`](super::svg) or [`png`](super::png).
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
    pub(crate) fn new(width: f32, height: f32, title: impl Into<String>) -> Picture {
        Picture {
            width,
            height,
            title: title.into(),
            stamps: Vec::new(),
            shapes: Vec::new(),
        }
    }

    /// The natural width, in pixels.
    pub fn width(&self) -> f32 {
        self.width
    }

    /// The natural height, in pixels.
    pub fn height(&self) -> f32 {
        self.height
    }

    pub(crate) fn draw(&mut self, shape: impl Into<Shape>) {
        self.shapes.push(shape.into());
    }

    /// Cuts a stamp of figures drawn around (0, 0).
    pub(crate) fn cut_stamp(&mut self, figures: Vec<Figure>) -> Stamp {
        self.stamps.push(figures);
        Stamp(self.stamps.len() - 1)
    }

    /// Stamps with (0, 0) of the stamp at `at`.
    pub(crate) fn stamp(&mut self, stamp: Stamp, at: Xy) {
        self.faint_stamp(stamp, at, 1.0);
    }

    /// Stamps so that what is below shines through.
    pub(crate) fn faint_stamp(&mut self, stamp: Stamp, at: Xy, opacity: f32) {
        self.draw(Shape::Stamp { stamp, at, opacity });
    }
}
