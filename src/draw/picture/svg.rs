//! Pictures as SVG.
//!
//! The file stands alone: gradients and stamps are defined once, text is drawn as strokes by our
//! own [`lettering`](super::lettering) and so looks the same everywhere, with no font installed.
//! Only text in a script that the lettering lacks, such as a name in Chinese characters, is left
//! to the viewer's own sans-serif font.
//!
//! Numbers are written to a hundredth of a unit: finer than any screen, and the same bytes on
//! every machine.

use std::fmt::Write;

use super::lettering;
use super::shapes::{Anchor, Figure, Outline, Paint, Picture, Rgba, Segment, Shape, Text};

/// Writes the picture as an SVG document.
pub fn svg(picture: &Picture) -> String {
    let mut writer = Writer {
        out: String::with_capacity(32 * 1024),
        gradients: gradients(picture),
    };
    writer.document(picture);
    writer.out
}

/// The shapes of a picture without gradients and stamps, to be put into another document.
pub(super) fn shapes_svg(picture: &Picture) -> String {
    let mut writer = Writer {
        out: String::new(),
        gradients: Vec::new(),
    };
    for shape in &picture.shapes {
        match shape {
            Shape::Figure(figure) => writer.figure(figure),
            Shape::Text(text) => writer.text(text),
            Shape::Stamp { .. } => {}
        }
    }
    writer.out
}

/// A figure in one colour, to be put into another document.
pub(super) fn figure_svg(figure: &Figure) -> String {
    let mut writer = Writer {
        out: String::new(),
        gradients: Vec::new(),
    };
    writer.figure(figure);
    writer.out
}

/// Every gradient of the picture once, in the order of its first use.
fn gradients(picture: &Picture) -> Vec<&Paint> {
    let drawn = picture.shapes.iter().filter_map(|shape| match shape {
        Shape::Figure(figure) => Some(figure),
        _ => None,
    });
    let mut gradients = Vec::new();
    for figure in picture.stamps.iter().flatten().chain(drawn) {
        match &figure.fill {
            Some(paint) if !matches!(paint, Paint::Flat(_)) && !gradients.contains(&paint) => {
                gradients.push(paint);
            }
            _ => {}
        }
    }
    gradients
}

struct Writer<'a> {
    out: String,
    gradients: Vec<&'a Paint>,
}

impl Writer<'_> {
    fn document(&mut self, picture: &Picture) {
        let (width, height) = (Number(picture.width), Number(picture.height));
        self.raw(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>{}</title>\n",
            Escaped(&picture.title)
        ));
        if !self.gradients.is_empty() || !picture.stamps.is_empty() {
            self.raw(format_args!("<defs>\n"));
            for number in 0..self.gradients.len() {
                self.gradient(number);
            }
            for (number, figures) in picture.stamps.iter().enumerate() {
                self.raw(format_args!("<g id=\"s{number}\">\n"));
                figures.iter().for_each(|figure| self.figure(figure));
                self.raw(format_args!("</g>\n"));
            }
            self.raw(format_args!("</defs>\n"));
        }
        for shape in &picture.shapes {
            match shape {
                Shape::Figure(figure) => self.figure(figure),
                Shape::Text(text) => self.text(text),
                Shape::Stamp { stamp, at, opacity } => {
                    let (x, y) = (Number(at.0), Number(at.1));
                    self.raw(format_args!(
                        "<use href=\"#s{}\" x=\"{x}\" y=\"{y}\"",
                        stamp.0
                    ));
                    if *opacity < 1.0 {
                        self.raw(format_args!(" opacity=\"{}\"", Number(*opacity)));
                    }
                    self.raw(format_args!("/>\n"));
                }
            }
        }
        self.raw(format_args!("</svg>\n"));
    }

    fn gradient(&mut self, number: usize) {
        let (kind, stops) = match self.gradients[number] {
            Paint::Flat(_) => return,
            Paint::Linear { from, to, stops } => {
                self.raw(format_args!(
                    "<linearGradient id=\"g{number}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\">",
                    Number(from.0),
                    Number(from.1),
                    Number(to.0),
                    Number(to.1)
                ));
                ("linearGradient", stops)
            }
            Paint::Radial {
                center,
                radius,
                stops,
            } => {
                self.raw(format_args!(
                    "<radialGradient id=\"g{number}\" cx=\"{}\" cy=\"{}\" r=\"{}\">",
                    Number(center.0),
                    Number(center.1),
                    Number(*radius)
                ));
                ("radialGradient", stops)
            }
        };
        for &(offset, color) in stops {
            self.raw(format_args!("<stop offset=\"{}\"", Number(offset)));
            self.color("stop-color", "stop-opacity", color);
            self.raw(format_args!("/>"));
        }
        self.raw(format_args!("</{kind}>\n"));
    }

    fn figure(&mut self, figure: &Figure) {
        match &figure.outline {
            Outline::Circle { center, radius } => self.raw(format_args!(
                "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"",
                Number(center.0),
                Number(center.1),
                Number(*radius)
            )),
            Outline::Rect {
                corner,
                width,
                height,
                rounding,
            } => {
                self.raw(format_args!(
                    "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"",
                    Number(corner.0),
                    Number(corner.1),
                    Number(*width),
                    Number(*height)
                ));
                if *rounding > 0.0 {
                    self.raw(format_args!(" rx=\"{}\"", Number(*rounding)));
                }
            }
            Outline::Path(path) => {
                self.raw(format_args!("<path d=\""));
                self.segments(path);
                self.raw(format_args!("\""));
            }
        }
        match &figure.fill {
            None => self.raw(format_args!(" fill=\"none\"")),
            Some(Paint::Flat(color)) => self.color("fill", "fill-opacity", *color),
            Some(gradient) => {
                let number = self.gradients.iter().position(|paint| *paint == gradient);
                self.raw(format_args!(
                    " fill=\"url(#g{})\"",
                    number.expect("all gradients were collected")
                ));
            }
        }
        if let Some((color, width)) = figure.stroke {
            self.color("stroke", "stroke-opacity", color);
            self.raw(format_args!(" stroke-width=\"{}\"", Number(width)));
            if figure.round {
                self.raw(format_args!(
                    " stroke-linecap=\"round\" stroke-linejoin=\"round\""
                ));
            }
        }
        self.raw(format_args!("/>\n"));
    }

    fn text(&mut self, text: &Text) {
        if let Some(figure) = lettering::figure(text) {
            return self.figure(&figure);
        }
        let anchor = match text.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
        };
        // Capitals of common sans-serif fonts are 0.72 em high.
        let (x, y, size) = (
            Number(text.at.0),
            Number(text.at.1),
            Number(text.size / 0.72),
        );
        self.raw(format_args!(
            "<text x=\"{x}\" y=\"{y}\" font-family=\"sans-serif\" font-size=\"{size}\" \
             text-anchor=\"{anchor}\""
        ));
        self.color("fill", "fill-opacity", text.color);
        self.raw(format_args!(">{}</text>\n", Escaped(&text.text)));
    }

    fn segments(&mut self, path: &[Segment]) {
        for segment in path {
            match *segment {
                Segment::Move((x, y)) => {
                    self.raw(format_args!("M{} {}", Number(x), Number(y)));
                }
                Segment::Line((x, y)) => {
                    self.raw(format_args!("L{} {}", Number(x), Number(y)));
                }
                Segment::Curve(a, b, end) => self.raw(format_args!(
                    "C{} {} {} {} {} {}",
                    Number(a.0),
                    Number(a.1),
                    Number(b.0),
                    Number(b.1),
                    Number(end.0),
                    Number(end.1)
                )),
                Segment::Close => self.raw(format_args!("Z")),
            }
        }
    }

    fn color(&mut self, name: &str, opacity: &str, color: Rgba) {
        self.raw(format_args!(
            " {name}=\"#{:02x}{:02x}{:02x}\"",
            color.red, color.green, color.blue
        ));
        if color.alpha < 255 {
            let alpha = Number(color.alpha as f32 / 255.0);
            self.raw(format_args!(" {opacity}=\"{alpha}\""));
        }
    }

    fn raw(&mut self, text: std::fmt::Arguments<'_>) {
        self.out
            .write_fmt(text)
            .expect("a string can always be written to");
    }
}

/// A number with at most two decimals and no more characters than it needs.
struct Number(f32);

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A number that is none can't be drawn; `as` makes it 0 and keeps the file valid.
        let hundredths = (self.0 * 100.0).round() as i64;
        if hundredths < 0 {
            f.write_char('-')?;
        }
        let (whole, rest) = (
            hundredths.unsigned_abs() / 100,
            hundredths.unsigned_abs() % 100,
        );
        match rest {
            0 => write!(f, "{whole}"),
            _ if rest % 10 == 0 => write!(f, "{whole}.{}", rest / 10),
            _ => write!(f, "{whole}.{rest:02}"),
        }
    }
}

/// Text in which nothing is taken for markup, and without the characters that XML can't hold.
struct Escaped<'a>(&'a str);

impl std::fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for letter in self.0.chars() {
            match letter {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                _ if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => {
                    f.write_char(' ')?;
                }
                _ => f.write_char(letter)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let shown = |number: f32| Number(number).to_string();
        assert_eq!(shown(12.0), "12");
        assert_eq!(shown(-0.5), "-0.5");
        assert_eq!(shown(3.456), "3.46");
        assert_eq!(shown(0.004), "0");
        assert_eq!(shown(-0.004), "0");
        assert_eq!(shown(f32::NAN), "0");
    }

    #[test]
    fn names_are_no_markup() {
        let picture = Picture::new(10.0, 10.0, "<script>&\u{7}");
        assert!(svg(&picture).contains("<title>&lt;script&gt;&amp; </title>"));
    }

    #[test]
    fn latin_is_drawn_and_chinese_is_left_to_the_viewer() {
        let mut picture = Picture::new(100.0, 20.0, "");
        picture.draw(Shape::text("Čech", (50.0, 10.0), 8.0));
        assert!(!svg(&picture).contains("<text"));
        picture.draw(Shape::text("柯洁", (50.0, 10.0), 8.0));
        assert!(svg(&picture).contains(">柯洁</text>"));
    }

    #[test]
    fn a_stamp_is_defined_once() {
        let mut picture = Picture::new(100.0, 20.0, "");
        let stone = picture.cut_stamp(vec![Shape::circle(0.0, 0.0, 5.0).fill(Rgba::BLACK)]);
        picture.stamp(stone, (10.0, 10.0));
        picture.faint_stamp(stone, (30.0, 10.0), 0.5);
        let text = svg(&picture);
        assert_eq!(text.matches("<circle").count(), 1);
        assert!(text.contains("<use href=\"#s0\" x=\"30\" y=\"10\" opacity=\"0.5\"/>"));
    }
}
