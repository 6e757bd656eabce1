//! Whose each point is, as the playouts of a position ended.
//!
//! Where the borders are closed nobody needs this: a region that touches one colour is its
//! territory. But records stop while a border is still open, and then the playouts know which side
//! of it a point will be on.

use super::playout::Survey;
#[cfg(test)]
use crate::board::PointSet;
use crate::board::{Color, Point, Size};

/// How much more often the owner of a point has to end up with it than the other side, as a share
/// of the playouts, for the point to be clearly its.
const CLEAR_LEAD: f32 = 0.8;

/// By point: how much more often Black ended up with it than White.
#[derive(Clone, Debug, Default)]
pub struct Ownership {
    lead: Vec<i8>,
    playouts: u32,
}

impl Ownership {
    /// What the playouts of some surveys say.
    pub(super) fn new<const N: usize>(size: Size, surveys: [&Survey; N]) -> Ownership {
        let mut lead = vec![0; size.padded()];
        for point in size.points() {
            let owned = |color| -> u32 {
                let surveys = surveys.iter();
                let owned = surveys.map(|survey| survey.owned(color, point).count_ones());
                owned.sum()
            };
            lead[point.index()] = owned(Color::Black) as i8 - owned(Color::White) as i8;
        }
        let playouts = surveys.iter().map(|survey| survey.all().count_ones()).sum();
        Ownership { lead, playouts }
    }

    /// A made-up one: Black's points and White's, each after ten playouts.
    #[cfg(test)]
    pub(crate) fn drawn(size: Size, black: &PointSet, white: &PointSet) -> Ownership {
        let mut lead = vec![0; size.padded()];
        for point in size.points() {
            let ahead = i8::from(black.contains(point)) - i8::from(white.contains(point));
            lead[point.index()] = 10 * ahead;
        }
        Ownership { lead, playouts: 10 }
    }

    /// How much more often Black ended up with the point than White: 1 for always, -1 for never.
    pub fn lead(&self, point: Point) -> f32 {
        match self.playouts {
            0 => 0.0,
            playouts => f32::from(self.lead[point.index()]) / playouts as f32,
        }
    }

    /// Who ended up with the point more often.
    pub fn likely_owner(&self, point: Point) -> Option<Color> {
        match self.lead(point) {
            lead if lead > 0.0 => Some(Color::Black),
            lead if lead < 0.0 => Some(Color::White),
            _ => None,
        }
    }

    /// How many points either side may still end up with.
    pub fn undecided(&self, size: Size) -> usize {
        const LEANING: f32 = 0.5;
        let points = size.points();
        points
            .filter(|&point| self.lead(point).abs() < LEANING)
            .count()
    }

    /// Whose the point clearly is.
    pub fn clear_owner(&self, point: Point) -> Option<Color> {
        let owner = self.likely_owner(point);
        owner.filter(|_| self.lead(point).abs() >= CLEAR_LEAD)
    }
}
