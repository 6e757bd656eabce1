//! How many eyes a side can make inside a space that it surrounds.
//!
//! The question is put as a small game. The wall around the space has no liberty outside; its
//! owner moves first, either side may pass, and the owner wins by reaching a position with two
//! (or one) *vital* spaces in Benson's sense: spaces whose every empty point is a liberty of the
//! wall. Such eyes need no further move, so a seki inside the space or a ko does not count.
//!
//! The owner moves first because the game is over: a side that needed a move here and could
//! still be killed without it would have played it, and if it did not, the other side would
//! have. What remains to ask is whether the shape can ever be two eyes. Three empty points in a
//! row can; a square of four can't, nor can three points of which the enemy holds two.
//!
//! Large spaces are not read out. Seven points with one enemy stone in them, or eight with three,
//! are taken for two eyes: where that is wrong in theory, it takes a shape that no game has.
//!
//! A space may have *cuttable* points: those by which a part of the wall hangs on, and the choke
//! points of an open eye. An enemy stone on a cuttable point can't be taken, because it takes the part
//! of the wall behind instead, or has come from outside.

use std::collections::HashMap;

use crate::life::benson::{self, Candidate, Link};

/// A set of points of a space, one bit per point.
type Bits = u16;

/// A space with its stones, small enough to search.
pub(super) struct EyeSpace {
    /// By point: the points beside it.
    beside: [Bits; EyeSpace::LIMIT],
    len: usize,
    /// Points beside the wall.
    wall: Bits,
    cuttable: Bits,
    enemy: Bits,
}

impl EyeSpace {
    /// The largest space that is searched.
    pub(super) const LIMIT: usize = 12;

    /// A space of this many points, at most [`LIMIT`](EyeSpace::LIMIT), with none connected yet.
    pub(super) fn new(len: usize) -> EyeSpace {
        debug_assert!(len <= EyeSpace::LIMIT);
        EyeSpace {
            beside: [0; EyeSpace::LIMIT],
            len,
            wall: 0,
            cuttable: 0,
            enemy: 0,
        }
    }

    pub(super) fn connect(&mut self, a: usize, b: usize) {
        self.beside[a] |= 1 << b;
        self.beside[b] |= 1 << a;
    }

    pub(super) fn set_wall(&mut self, point: usize) {
        self.wall |= 1 << point;
    }

    pub(super) fn set_cuttable(&mut self, point: usize) {
        self.cuttable |= 1 << point;
    }

    pub(super) fn set_enemy(&mut self, point: usize) {
        self.enemy |= 1 << point;
    }

    /// Whether the owner of the wall, moving first, gets this many eyes.
    pub(super) fn makes_eyes(&self, wanted: u32) -> bool {
        let mut search = EyeSearch {
            space: self,
            wanted,
            known: HashMap::new(),
        };
        let start = Stones {
            own: 0,
            enemy: self.enemy,
        };
        if search.has_eyes(start) {
            return true;
        }
        // A position met again while it is being looked at counts as lost, which may be wrong
        // for those on the way to it: whatever seemed lost is looked at again as long as new
        // wins turn up.
        let mut wins = 0;
        loop {
            if search.owner_moves(start) {
                return true;
            }
            search.known.retain(|_, won| *won);
            if search.known.len() == wins {
                return false;
            }
            wins = search.known.len();
        }
    }

    /// Every point beside one of these.
    fn around(&self, points: Bits) -> Bits {
        ones(points).fold(0, |around, point| around | self.beside[point])
    }

    /// The connected part of `within` that grows from `seed`.
    fn grow(&self, seed: Bits, within: Bits) -> Bits {
        let mut part = seed & within;
        loop {
            let grown = (part | self.around(part)) & within;
            if grown == part {
                return part;
            }
            part = grown;
        }
    }

    fn all(&self) -> Bits {
        ((1u32 << self.len) - 1) as Bits
    }
}

/// Whether a space of this many points is two eyes in spite of so many enemy stones in it.
pub(super) fn is_roomy(points: u32, stones: u32) -> bool {
    match points {
        0..=6 => false,
        7 => stones <= 1,
        _ => stones <= 3,
    }
}

/// The points of a set.
fn ones(mut bits: Bits) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (bits != 0).then(|| {
            let point = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            point
        })
    })
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Stones {
    own: Bits,
    enemy: Bits,
}

/// The search for a forced win of the owner.
struct EyeSearch<'a> {
    space: &'a EyeSpace,
    wanted: u32,
    /// Whether the owner wins, by position and whether it is the owner's turn. A position that
    /// is still being looked at counts as lost: nobody wins by going round in circles.
    known: HashMap<(Stones, bool), bool>,
}

impl EyeSearch<'_> {
    /// No space that matters needs more positions than this; beyond it, the owner is not helped.
    const MAX_POSITIONS: usize = 20_000;

    /// The owner's stones that are one with the wall.
    fn joined(&self, position: Stones) -> Bits {
        self.space
            .grow(position.own & self.space.wall, position.own)
    }

    /// Whether the eyes are there and need no further move: Benson's proof, for the wall. Stones
    /// of the owner that are not joined to the wall hold its eyes together only if there are two
    /// beside them; where they fall, the spaces around them become one.
    fn has_eyes(&self, position: Stones) -> bool {
        let space = self.space;
        let joined = self.joined(position);
        let reach = space.wall | space.around(joined);
        let mut standing = position.own;
        loop {
            let mut eyes = [0; EyeSpace::LIMIT];
            let mut count = 0;
            let mut rest = space.all() & !standing;
            while rest != 0 {
                let part = space.grow(rest & rest.wrapping_neg(), rest);
                rest &= !part;
                let empty = part & !position.own & !position.enemy;
                // The enemy is to move, so reckon with one stone more.
                let stones = (part & position.enemy).count_ones() + 1;
                if part & space.cuttable == 0 && is_roomy(part.count_ones(), stones) {
                    return true;
                }
                if part & space.cuttable == 0 && empty != 0 && empty & !reach == 0 {
                    eyes[count] = part;
                    count += 1;
                }
            }
            if count < self.wanted as usize {
                return false;
            }
            let lone = standing & !joined;
            let fallen = self.fallen(lone, &eyes[..count]);
            if fallen == 0 {
                return true;
            }
            standing &= !fallen;
        }
    }

    /// Those of the stones that are not joined to the wall that have fewer than two of its eyes
    /// beside them.
    fn fallen(&self, lone: Bits, eyes: &[Bits]) -> Bits {
        if lone == 0 {
            return 0;
        }
        let space = self.space;
        let mut chains = [0; EyeSpace::LIMIT];
        let mut count = 0;
        let mut links = Vec::with_capacity(2 * EyeSpace::LIMIT);
        let mut rest = lone;
        while rest != 0 {
            let chain = space.grow(rest & rest.wrapping_neg(), lone);
            rest &= !chain;
            let around = space.around(chain);
            let beside = (0..).zip(eyes).filter(|&(_, &eye)| eye & around != 0);
            links.extend(beside.map(|(area, _)| Link {
                chain: count as u16,
                area,
                vital: true,
            }));
            chains[count] = chain;
            count += 1;
        }
        let mut candidates = [Candidate::new(2); EyeSpace::LIMIT];
        let candidates = &mut candidates[..count];
        benson::strike_once(candidates, &[true; EyeSpace::LIMIT], &links);
        let fallen = chains.iter().zip(candidates).filter(|(_, c)| !c.alive);
        fallen.fold(0, |sum, (chain, _)| sum | chain)
    }

    /// Whether the owner wins with the move. Passing is no use: the enemy would pass as well.
    fn owner_moves(&mut self, position: Stones) -> bool {
        if let Some(&won) = self.known.get(&(position, true)) {
            return won;
        }
        if self.known.len() > EyeSearch::MAX_POSITIONS {
            return false;
        }
        let empty = self.space.all() & !position.own & !position.enemy;
        // In most spaces that can be eyes, one move makes them.
        let at_once = ones(empty).any(|point| {
            self.owner_plays(position, point)
                .is_some_and(|next| self.has_eyes(next))
        });
        self.known.insert((position, true), at_once);
        if at_once {
            return true;
        }
        let won = ones(empty).any(|point| {
            self.owner_plays(position, point)
                .is_some_and(|next| self.enemy_moves(next))
        });
        self.known.insert((position, true), won);
        won
    }

    /// Whether the owner wins whatever the enemy does, a pass included.
    fn enemy_moves(&mut self, position: Stones) -> bool {
        if let Some(&won) = self.known.get(&(position, false)) {
            return won;
        }
        if self.known.len() > EyeSearch::MAX_POSITIONS {
            return false;
        }
        self.known.insert((position, false), false);
        let empty = self.space.all() & !position.own & !position.enemy;
        let won = ones(empty).all(|point| {
            self.enemy_plays(position, point)
                .is_none_or(|next| self.owner_moves(next))
        }) && self.owner_moves(position);
        self.known.insert((position, false), won);
        won
    }

    /// The position after the owner plays, unless that is suicide.
    fn owner_plays(&self, position: Stones, point: usize) -> Option<Stones> {
        let space = self.space;
        let own = position.own | 1 << point;
        let mut enemy = position.enemy;
        let mut rest = enemy;
        while rest != 0 {
            let chain = space.grow(rest & rest.wrapping_neg(), position.enemy);
            rest &= !chain;
            let empty = space.all() & !own & !position.enemy;
            if chain & space.cuttable == 0 && space.around(chain) & empty == 0 {
                enemy &= !chain;
            }
        }
        let next = Stones { own, enemy };
        let empty = space.all() & !own & !enemy;
        let joined = self.joined(next);
        let safe =
            joined >> point & 1 != 0 || space.around(space.grow(1 << point, own)) & empty != 0;
        safe.then_some(next)
    }

    fn enemy_plays(&self, position: Stones, point: usize) -> Option<Stones> {
        let space = self.space;
        let enemy = position.enemy | 1 << point;
        let mut own = position.own;
        let empty = space.all() & !own & !enemy;
        let joined = self.joined(position);
        let mut rest = own & !joined;
        while rest != 0 {
            let chain = space.grow(rest & rest.wrapping_neg(), position.own);
            rest &= !chain;
            if space.around(chain) & empty == 0 {
                own &= !chain;
            }
        }
        let empty = space.all() & !own & !enemy;
        let chain = space.grow(1 << point, enemy);
        if chain & space.cuttable == 0 && space.around(chain) & empty == 0 {
            return None;
        }
        Some(Stones { own, enemy })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The space of a drawing: `.` empty, `o` an enemy stone, `/` a cuttable point, `%` one with an
    /// enemy stone on it, anything else the wall.
    fn space(drawing: &str) -> EyeSpace {
        let rows: Vec<Vec<char>> = drawing
            .split_whitespace()
            .map(|r| r.chars().collect())
            .collect();
        let at = |x: i32, y: i32| -> char {
            let row = usize::try_from(y).ok().and_then(|y| rows.get(y));
            let sign = row.and_then(|row| row.get(usize::try_from(x).ok()?));
            *sign.unwrap_or(&'-')
        };
        let mut points = Vec::new();
        for (y, row) in rows.iter().enumerate() {
            for (x, &sign) in row.iter().enumerate() {
                if ".o/%".contains(sign) {
                    points.push((x as i32, y as i32));
                }
            }
        }
        let mut space = EyeSpace::new(points.len());
        for (number, &(x, y)) in points.iter().enumerate() {
            let sign = at(x, y);
            if "o%".contains(sign) {
                space.set_enemy(number);
            }
            if "/%".contains(sign) {
                space.set_cuttable(number);
            }
            for beside in [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)] {
                if let Some(other) = points.iter().position(|&p| p == beside) {
                    space.connect(number, other);
                } else if at(beside.0, beside.1) == 'X' {
                    space.set_wall(number);
                }
            }
        }
        space
    }

    fn eyes(drawing: &str) -> u32 {
        let space = space(drawing);
        match (space.makes_eyes(1), space.makes_eyes(2)) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => 2,
        }
    }

    #[test]
    fn empty_shapes() {
        assert_eq!(eyes("XXX X.X XXX"), 1);
        assert_eq!(eyes("XXXX X..X XXXX"), 1);
        assert_eq!(eyes("XXXXX X...X XXXXX"), 2);
        assert_eq!(eyes("XXXX X..X X.XX XXXX"), 2);
        assert_eq!(eyes("XXXX X..X X..X XXXX"), 1);
        assert_eq!(eyes("XXXXX X..XX X...X XXXXX"), 2);
    }

    #[test]
    fn stones_inside_take_the_second_eye() {
        assert_eq!(eyes("XXXXX X.o.X XXXXX"), 1);
        assert_eq!(eyes("XXXXX X.ooX XXXXX"), 1);
        assert_eq!(eyes("XXXXXX X.oo.X XXXXXX"), 1);
        assert_eq!(eyes("XXXXXXX X.ooo.X XXXXXXX"), 1);
        assert_eq!(eyes("XXXXXXXX X.oooo.X XXXXXXXX"), 2);
    }

    #[test]
    fn a_cuttable_point_is_lost_and_may_cost_the_eye() {
        assert_eq!(eyes("XXX X./ XXX"), 1);
        assert_eq!(eyes("XXX /./ XXX"), 0);
        assert_eq!(eyes("XXX X.% XXX"), 0);
        assert_eq!(eyes("XXXXX X.../ XXXXX"), 1);
        assert_eq!(eyes("XXXXXX X..../ XXXXXX"), 2);
    }
}
