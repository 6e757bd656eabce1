//! A final position without its dead stones: chains, and the empty regions between them.
//!
//! This is where every way of counting starts. The dead stones are lifted; what is left falls
//! into *chains* of one colour and *regions* of empty points, and a region that touches the
//! stones of one colour only belongs to it.

use crate::rules::{Board, Color, Point, PointSet, Size, Spot};

/// The position after the dead stones are lifted.
pub(super) struct Ground {
    size: Size,
    spots: Vec<Spot>,
    lifted: PointSet,
    /// The part of each point, an index into `parts`.
    part_of: Vec<u16>,
    parts: Vec<Part>,
    /// The points of all parts, one part after the other.
    points: Vec<Point>,
}

/// A chain or a region: a connected set of points that hold the same.
struct Part {
    spot: Spot,
    start: u16,
    end: u16,
    /// Whether it touches stones of Black, and of White.
    touches: [bool; 2],
}

impl Ground {
    pub(super) fn new(board: &Board, dead: &PointSet) -> Ground {
        let size = board.size();
        let mut spots = vec![Spot::Edge; size.padded()];
        let mut lifted = PointSet::EMPTY;
        for point in size.points() {
            let mut spot = board.spot(point);
            if spot != Spot::Empty && dead.contains(point) {
                lifted.insert(point);
                spot = Spot::Empty;
            }
            spots[point.index()] = spot;
        }
        let mut ground = Ground {
            size,
            spots,
            lifted,
            part_of: vec![u16::MAX; size.padded()],
            parts: Vec::with_capacity(64),
            points: Vec::with_capacity(size.area()),
        };
        for point in size.points() {
            if ground.part_of[point.index()] == u16::MAX {
                ground.fill(point);
            }
        }
        ground
    }

    /// Collects the part that this point belongs to.
    fn fill(&mut self, first: Point) {
        let number = self.parts.len() as u16;
        let spot = self.spot(first);
        let start = self.points.len();
        let mut touches = [false; 2];
        self.part_of[first.index()] = number;
        self.points.push(first);
        let mut next = start;
        while next < self.points.len() {
            for beside in self.points[next].neighbors() {
                let there = self.spot(beside);
                if there != spot {
                    if let Some(color) = there.color() {
                        touches[color.index()] = true;
                    }
                } else if self.part_of[beside.index()] == u16::MAX {
                    self.part_of[beside.index()] = number;
                    self.points.push(beside);
                }
            }
            next += 1;
        }
        self.parts.push(Part {
            spot,
            start: start as u16,
            end: self.points.len() as u16,
            touches,
        });
    }

    pub(super) fn size(&self) -> Size {
        self.size
    }

    #[inline]
    pub(super) fn spot(&self, point: Point) -> Spot {
        self.spots[point.index()]
    }

    /// Whether a dead stone was lifted from this empty point.
    #[inline]
    pub(super) fn was_lifted(&self, point: Point) -> bool {
        self.lifted.contains(point)
    }

    /// How many chains and regions there are.
    pub(super) fn len(&self) -> usize {
        self.parts.len()
    }

    /// The number of the chain or region of a point.
    #[inline]
    pub(super) fn part(&self, point: Point) -> usize {
        self.part_of[point.index()] as usize
    }

    pub(super) fn points(&self, part: usize) -> &[Point] {
        let Part { start, end, .. } = self.parts[part];
        &self.points[start as usize..end as usize]
    }

    /// The colour of a chain, `None` for a region.
    #[inline]
    pub(super) fn color(&self, part: usize) -> Option<Color> {
        self.parts[part].spot.color()
    }

    /// The numbers of the regions.
    pub(super) fn regions(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.len()).filter(|&part| self.color(part).is_none())
    }

    /// Whether a chain or region touches stones of this colour (for a chain: of the other).
    #[inline]
    pub(super) fn touches(&self, part: usize, color: Color) -> bool {
        self.parts[part].touches[color.index()]
    }

    /// Whose region it is: the only colour that it touches. An empty board is nobody's.
    #[inline]
    pub(super) fn owner(&self, region: usize) -> Option<Color> {
        match self.parts[region].touches {
            [true, false] => Some(Color::Black),
            [false, true] => Some(Color::White),
            _ => None,
        }
    }
}
