//! Pictures as PNG, rendered by `tiny-skia`, which is Rust all the way down.
//!
//! Stamps are painted once and then copied: once for each quarter of a pixel that they are
//! shifted by, so that stones sit on their points at every scale. Text in scripts that our
//! [`lettering`](super::lettering) lacks is romanised.

use std::collections::HashMap;
use std::fmt;

use tiny_skia::{
    BlendMode, Color, FillRule, FilterQuality, GradientStop, LineCap, LineJoin, LinearGradient,
    Path, PathBuilder, Pixmap, PixmapMut, PixmapPaint, Point, RadialGradient, Rect, Shader,
    SpreadMode, Stroke, Transform,
};

use super::lettering;
use super::shapes::{Figure, Outline, Paint, Picture, Rgba, Segment, Shape};

/// The picture can't be painted at the size that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    width: u32,
    height: u32,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (width, height) = (self.width, self.height);
        write!(
            f,
            "a PNG of {width}×{height} pixels can't be painted: both sides must be from 1 to \
             {LONGEST_SIDE} pixels"
        )
    }
}

impl std::error::Error for TooLarge {}

/// Both sides of a picture stay below this: four bytes per pixel, a gigabyte at the very most.
const LONGEST_SIDE: u32 = 16_384;

/// Paints the picture `width` pixels wide and writes it as PNG.
pub fn png(picture: &Picture, width: u32) -> Result<Vec<u8>, TooLarge> {
    let scale = width as f32 / picture.width;
    let height = (picture.height * scale).round() as u32;
    let too_large = TooLarge { width, height };
    if width.max(height) > LONGEST_SIDE {
        return Err(too_large);
    }
    let pixmap = paint(picture, width, height, scale).ok_or(too_large)?;
    encode(pixmap).map_err(|_| too_large)
}

fn paint(picture: &Picture, width: u32, height: u32, scale: f32) -> Option<Pixmap> {
    let mut pixmap = Pixmap::new(width, height)?;
    let transform = Transform::from_scale(scale, scale);
    let mut stamps = Stamps {
        picture,
        scale,
        painted: HashMap::new(),
    };
    for shape in &picture.shapes {
        match shape {
            Shape::Figure(figure) => paint_figure(&mut pixmap.as_mut(), figure, transform),
            Shape::Text(text) => {
                let mut text = text.clone();
                text.text = lettering::romanised(&text.text).into_owned();
                if let Some(figure) = lettering::figure(&text) {
                    paint_figure(&mut pixmap.as_mut(), &figure, transform);
                }
            }
            Shape::Stamp { stamp, at, opacity } => {
                stamps.paint(&mut pixmap, stamp.0, *at, *opacity);
            }
        }
    }
    Some(pixmap)
}

/// Stamps that have been painted, by number and the quarters of a pixel that they are shifted by.
struct Stamps<'a> {
    picture: &'a Picture,
    scale: f32,
    painted: HashMap<(usize, i32, i32), Option<Pixmap>>,
}

impl Stamps<'_> {
    fn paint(&mut self, pixmap: &mut Pixmap, stamp: usize, at: (f32, f32), opacity: f32) {
        let quarters = |place: f32| (place * self.scale * 4.0).round() as i32;
        let (x, y) = (quarters(at.0), quarters(at.1));
        let reach = self.reach(stamp);
        let (right, down) = (x.rem_euclid(4), y.rem_euclid(4));
        let painted = self.painted.entry((stamp, right, down)).or_insert_with(|| {
            let side = 2 * reach as u32 + 1;
            let mut pixmap = Pixmap::new(side, side)?;
            let transform = Transform::from_scale(self.scale, self.scale).post_translate(
                reach as f32 + right as f32 / 4.0,
                reach as f32 + down as f32 / 4.0,
            );
            for figure in &self.picture.stamps[stamp] {
                paint_figure(&mut pixmap.as_mut(), figure, transform);
            }
            Some(pixmap)
        });
        if let Some(painted) = painted {
            let paint = PixmapPaint {
                opacity: opacity.clamp(0.0, 1.0),
                blend_mode: BlendMode::SourceOver,
                quality: FilterQuality::Nearest,
            };
            let (left, top) = (x.div_euclid(4) - reach, y.div_euclid(4) - reach);
            pixmap.draw_pixmap(
                left,
                top,
                painted.as_ref(),
                &paint,
                Transform::identity(),
                None,
            );
        }
    }

    /// How many pixels a stamp reaches from its centre.
    fn reach(&self, stamp: usize) -> i32 {
        let farthest = self.picture.stamps[stamp]
            .iter()
            .filter_map(|figure| {
                let bounds = path(&figure.outline)?.bounds();
                let line = figure.stroke.map_or(0.0, |(_, width)| width / 2.0);
                let sides = [bounds.left(), bounds.top(), bounds.right(), bounds.bottom()];
                sides
                    .map(f32::abs)
                    .into_iter()
                    .reduce(f32::max)
                    .map(|side| side + line)
            })
            .fold(0.0, f32::max);
        (farthest * self.scale).ceil() as i32 + 1
    }
}

fn paint_figure(pixmap: &mut PixmapMut<'_>, figure: &Figure, transform: Transform) {
    // A figure without extent, or with coordinates that are no numbers, has no path.
    let Some(path) = path(&figure.outline) else {
        return;
    };
    let mut paint = tiny_skia::Paint {
        anti_alias: true,
        ..tiny_skia::Paint::default()
    };
    if let Some(shader) = figure
        .fill
        .as_ref()
        .and_then(|fill| shader(fill, path.bounds()))
    {
        paint.shader = shader;
        pixmap.fill_path(&path, &paint, FillRule::Winding, transform, None);
    }
    if let Some((color, width)) = figure.stroke {
        paint.shader = Shader::SolidColor(skia_color(color));
        let stroke = Stroke {
            width,
            line_cap: if figure.round {
                LineCap::Round
            } else {
                LineCap::Butt
            },
            line_join: if figure.round {
                LineJoin::Round
            } else {
                LineJoin::Miter
            },
            ..Stroke::default()
        };
        pixmap.stroke_path(&path, &paint, &stroke, transform, None);
    }
}

fn path(outline: &Outline) -> Option<Path> {
    match outline {
        Outline::Circle { center, radius } => PathBuilder::from_circle(center.0, center.1, *radius),
        Outline::Rect {
            corner,
            width,
            height,
            rounding,
        } => {
            let rect = Rect::from_xywh(corner.0, corner.1, *width, *height)?;
            if *rounding <= 0.0 {
                return Some(PathBuilder::from_rect(rect));
            }
            rounded(rect, rounding.min(width / 2.0).min(height / 2.0))
        }
        Outline::Path(segments) => {
            let mut builder = PathBuilder::new();
            for segment in segments {
                match *segment {
                    Segment::Move((x, y)) => builder.move_to(x, y),
                    Segment::Line((x, y)) => builder.line_to(x, y),
                    Segment::Curve(a, b, end) => {
                        builder.cubic_to(a.0, a.1, b.0, b.1, end.0, end.1);
                    }
                    Segment::Close => builder.close(),
                }
            }
            builder.finish()
        }
    }
}

fn rounded(rect: Rect, radius: f32) -> Option<Path> {
    let (left, top, right, bottom) = (rect.left(), rect.top(), rect.right(), rect.bottom());
    // Where the handles of a curve that follows a quarter circle end, from the corner.
    let near = radius * 0.4477;
    let mut builder = PathBuilder::new();
    builder.move_to(left + radius, top);
    builder.line_to(right - radius, top);
    builder.cubic_to(right - near, top, right, top + near, right, top + radius);
    builder.line_to(right, bottom - radius);
    builder.cubic_to(
        right,
        bottom - near,
        right - near,
        bottom,
        right - radius,
        bottom,
    );
    builder.line_to(left + radius, bottom);
    builder.cubic_to(
        left + near,
        bottom,
        left,
        bottom - near,
        left,
        bottom - radius,
    );
    builder.line_to(left, top + radius);
    builder.cubic_to(left, top + near, left + near, top, left + radius, top);
    builder.close();
    builder.finish()
}

/// The paint for a shape whose box is `bounds`.
fn shader(paint: &Paint, bounds: Rect) -> Option<Shader<'static>> {
    // Gradients are given in fractions of the box.
    let boxed = Transform::from_scale(bounds.width(), bounds.height())
        .post_translate(bounds.left(), bounds.top());
    let stops = |stops: &[(f32, Rgba)]| {
        stops
            .iter()
            .map(|&(offset, color)| GradientStop::new(offset, skia_color(color)))
            .collect()
    };
    match paint {
        Paint::Flat(color) => Some(Shader::SolidColor(skia_color(*color))),
        Paint::Linear {
            from,
            to,
            stops: colors,
        } => LinearGradient::new(
            Point::from_xy(from.0, from.1),
            Point::from_xy(to.0, to.1),
            stops(colors),
            SpreadMode::Pad,
            boxed,
        ),
        Paint::Radial {
            center,
            radius,
            stops: colors,
        } => {
            let center = Point::from_xy(center.0, center.1);
            RadialGradient::new(
                center,
                0.0,
                center,
                *radius,
                stops(colors),
                SpreadMode::Pad,
                boxed,
            )
        }
    }
}

fn skia_color(color: Rgba) -> Color {
    Color::from_rgba8(color.red, color.green, color.blue, color.alpha)
}

/// Writes the pixels, without transparency when there is none.
fn encode(pixmap: Pixmap) -> Result<Vec<u8>, png::EncodingError> {
    let (width, height) = (pixmap.width(), pixmap.height());
    let mut pixels = pixmap.take_demultiplied();
    let opaque = pixels.chunks_exact(4).all(|pixel| pixel[3] == 255);
    if opaque {
        pixels = pixels
            .chunks_exact(4)
            .flat_map(|pixel| [pixel[0], pixel[1], pixel[2]])
            .collect();
    }
    let mut file = Vec::with_capacity(pixels.len() / 4);
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(if opaque {
        png::ColorType::Rgb
    } else {
        png::ColorType::Rgba
    });
    encoder.set_depth(png::BitDepth::Eight);
    // Equal stones make long repeats, which the lightest true deflate finds; more effort costs
    // more than the painting and saves little.
    encoder.set_deflate_compression(png::DeflateCompression::Level(1));
    encoder.set_filter(png::Filter::Up);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&pixels)?;
    writer.finish()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pixel(pixmap: &Pixmap, x: u32, y: u32) -> [u8; 4] {
        let pixel = pixmap.pixel(x, y).unwrap().demultiply();
        [pixel.red(), pixel.green(), pixel.blue(), pixel.alpha()]
    }

    #[test]
    fn stamps_land_where_they_are_stamped() {
        let mut picture = Picture::new(100.0, 50.0, "");
        picture.draw(Shape::rect(0.0, 0.0, 100.0, 50.0).fill(Rgba::rgb(0xffffff)));
        let stone = picture.cut_stamp(vec![Shape::circle(0.0, 0.0, 10.0).fill(Rgba::BLACK)]);
        picture.stamp(stone, (25.0, 25.0));
        picture.faint_stamp(stone, (75.0, 25.0), 0.5);
        let pixmap = paint(&picture, 200, 100, 2.0).unwrap();
        assert_eq!(pixel(&pixmap, 50, 50), [0, 0, 0, 255]);
        assert_eq!(pixel(&pixmap, 50, 71), [255, 255, 255, 255]);
        assert_eq!(pixel(&pixmap, 50, 68), [0, 0, 0, 255]);
        let faint = pixel(&pixmap, 150, 50);
        assert!((125..=130).contains(&faint[0]), "{faint:?}");
    }

    #[test]
    fn impossible_sizes_are_refused() {
        let picture = Picture::new(100.0, 50.0, "");
        assert!(png(&picture, 0).is_err());
        let error = png(&picture, 40_000).unwrap_err();
        assert!(error.to_string().starts_with("a PNG of 40000×20000 pixels"));
    }

    #[test]
    fn shapes_that_are_none_are_left_out() {
        let mut picture = Picture::new(10.0, 10.0, "");
        picture.draw(Shape::circle(f32::NAN, 1.0, f32::INFINITY).fill(Rgba::BLACK));
        picture.draw(Shape::polygon([]).fill(Rgba::BLACK));
        assert!(png(&picture, 10).is_ok());
    }
}
