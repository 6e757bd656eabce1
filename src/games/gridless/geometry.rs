//! Points and circles in the plane, and the one tolerance of gridless Go.
//!
//! All lengths are in grid units; a stone is a disc of diameter 1, so two stones touch when
//! their centres are 1 apart. Centres are kept as `f64`, which leaves errors near 10⁻¹⁵ on a
//! board, while people write perhaps six decimals. [`TOLERANCE`] stands between the two: stones
//! may overlap by so little, stick out over the edge by so little, or fall short of touching by
//! so little. [`ROUNDING`] covers the arithmetic alone and is small beside the tolerance, so
//! the tolerance's edge is itself sharp to a thousandth of it.

/// The diameter of a stone.
pub(super) const DIAMETER: f64 = 1.0;
/// The overlap, overhang or gap that is forgiven.
pub(super) const TOLERANCE: f64 = 1e-6;
/// More than the error that any computation here can make.
pub(super) const ROUNDING: f64 = 1e-9;

/// Centres closer than this belong to stones that overlap.
pub(super) const OVERLAP: f64 = DIAMETER - TOLERANCE - ROUNDING;
/// Centres closer than this belong to stones that touch.
pub(super) const TOUCH: f64 = DIAMETER + TOLERANCE + ROUNDING;

/// A point of the plane: `x` to the right and `y` down from the top left intersection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Location {
    pub x: f64,
    pub y: f64,
}

impl Location {
    pub(super) fn distance(self, other: Location) -> f64 {
        let (x, y) = (self.x - other.x, self.y - other.y);
        (x * x + y * y).sqrt()
    }

    /// Whether the other point is no further away than this.
    pub(super) fn is_within(self, reach: f64, other: Location) -> bool {
        let (x, y) = (self.x - other.x, self.y - other.y);
        x * x + y * y <= reach * reach
    }

    /// The point at this distance from here on the ray towards another point; to the right when
    /// the other point is this one.
    pub(super) fn towards(self, other: Location, distance: f64) -> Location {
        let apart = self.distance(other);
        let (x, y) = if apart > 0.0 {
            ((other.x - self.x) / apart, (other.y - self.y) / apart)
        } else {
            (1.0, 0.0)
        };
        Location {
            x: self.x + distance * x,
            y: self.y + distance * y,
        }
    }
}

/// A circle around a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Circle {
    pub center: Location,
    pub radius: f64,
}

impl Circle {
    /// Where stones touch a stone that stands here.
    pub(super) fn touching(center: Location) -> Circle {
        Circle {
            center,
            radius: DIAMETER,
        }
    }

    /// Where two circles meet: two points, which are one and the same where they touch, or
    /// none. Circles that fall short of touching by rounding alone touch.
    ///
    /// Both points are at a distance of exactly the two radii from the centres but for
    /// rounding, however flat the angle under which the circles meet: the error of `along` is
    /// that of the arithmetic, and `across` makes up for it.
    pub(super) fn meet(self, other: Circle) -> impl Iterator<Item = Location> + use<> {
        let apart = self.center.distance(other.center);
        let along = (apart * apart + self.radius * self.radius - other.radius * other.radius)
            / (2.0 * apart);
        let across = self.radius * self.radius - along * along;
        let meets = apart > 0.0 && across > -ROUNDING * ROUNDING;
        let across = across.max(0.0).sqrt();
        let foot = self.center.towards(other.center, along);
        let unit = (
            (other.center.x - self.center.x) / apart,
            (other.center.y - self.center.y) / apart,
        );
        let points = [across, -across].map(|across| Location {
            x: foot.x - across * unit.1,
            y: foot.y + across * unit.0,
        });
        points.into_iter().filter(move |_| meets)
    }

    /// Where the circle meets the upright line at this `x`.
    pub(super) fn meet_upright(self, x: f64) -> impl Iterator<Item = Location> + use<> {
        let ys = half_chord(self.radius, x - self.center.x);
        ys.map(move |half| Location {
            x,
            y: self.center.y + half,
        })
    }

    /// Where the circle meets the level line at this `y`.
    pub(super) fn meet_level(self, y: f64) -> impl Iterator<Item = Location> + use<> {
        let xs = half_chord(self.radius, y - self.center.y);
        xs.map(move |half| Location {
            x: self.center.x + half,
            y,
        })
    }
}

/// The two offsets along a line at this distance from the centre at which the circle meets it.
fn half_chord(radius: f64, offset: f64) -> impl Iterator<Item = f64> {
    let square = radius * radius - offset * offset;
    let half = square.max(0.0).sqrt();
    [half, -half]
        .into_iter()
        .filter(move |_| square > -ROUNDING * ROUNDING)
}

/// An upright rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rectangle {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Rectangle {
    /// The rectangle with every side moved outwards.
    pub(super) fn grown(self, by: f64) -> Rectangle {
        Rectangle {
            left: self.left - by,
            top: self.top - by,
            right: self.right + by,
            bottom: self.bottom + by,
        }
    }

    pub(super) fn contains(self, point: Location) -> bool {
        (self.left..=self.right).contains(&point.x) && (self.top..=self.bottom).contains(&point.y)
    }

    /// The nearest point of the rectangle.
    pub(super) fn nearest(self, point: Location) -> Location {
        Location {
            x: point.x.clamp(self.left, self.right),
            y: point.y.clamp(self.top, self.bottom),
        }
    }

    /// Where a circle meets the four sides, drawn out to whole lines.
    pub(super) fn meet(self, circle: Circle) -> impl Iterator<Item = Location> {
        let upright = [self.left, self.right].into_iter();
        let level = [self.top, self.bottom].into_iter();
        upright
            .flat_map(move |x| circle.meet_upright(x))
            .chain(level.flat_map(move |y| circle.meet_level(y)))
    }

    pub(super) fn corners(self) -> [Location; 4] {
        [
            (self.left, self.top),
            (self.right, self.top),
            (self.right, self.bottom),
            (self.left, self.bottom),
        ]
        .map(|(x, y)| Location { x, y })
    }

    #[cfg(test)]
    pub(super) fn area(self) -> f64 {
        (self.right - self.left) * (self.bottom - self.top)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circle(x: f64, y: f64, radius: f64) -> Circle {
        let center = Location { x, y };
        Circle { center, radius }
    }

    #[test]
    fn circles_meet_twice_once_or_not_at_all() {
        let here = circle(0.0, 0.0, 1.0);
        let points: Vec<_> = here.meet(circle(1.0, 0.0, 1.0)).collect();
        for point in &points {
            assert!((point.x - 0.5).abs() < 1e-15);
            assert!((point.y.abs() - 0.75f64.sqrt()).abs() < 1e-15);
        }
        assert_eq!(points.len(), 2);
        assert!(
            here.meet(circle(2.0, 0.0, 1.0))
                .all(|p| p.distance(Location { x: 1.0, y: 0.0 }) < 1e-7)
        );
        assert_eq!(here.meet(circle(2.0, 0.0, 1.0)).count(), 2);
        assert_eq!(here.meet(circle(2.0 + 1e-9, 0.0, 1.0)).count(), 0);
        assert_eq!(here.meet(circle(0.0, 0.0, 1.0)).count(), 0);
    }

    #[test]
    fn a_flat_meeting_keeps_both_distances() {
        for short in [0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3] {
            let (a, b) = (circle(3.1, 4.7, 1.0), circle(3.1 + 2.0 - short, 4.7, 1.0));
            for point in a.meet(b) {
                assert!((point.distance(a.center) - 1.0).abs() < 1e-14, "{short}");
                assert!((point.distance(b.center) - 1.0).abs() < 1e-14, "{short}");
            }
        }
    }

    #[test]
    fn a_circle_meets_lines() {
        let here = circle(2.0, 3.0, 1.0);
        let ys: Vec<f64> = here.meet_upright(2.6).map(|point| point.y).collect();
        assert!((ys[0] - 3.8).abs() < 1e-12 && (ys[1] - 2.2).abs() < 1e-12);
        let xs: Vec<f64> = here.meet_level(4.0).map(|point| point.x).collect();
        assert_eq!(xs, [2.0, 2.0]);
        assert_eq!(here.meet_level(4.001).count(), 0);
    }
}
