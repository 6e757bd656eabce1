//! Property values with the types of SGF.
//!
//! The reader itself looks at few properties, and more tolerantly than SGF's grammar. For all
//! others (markup, timing, annotations) [`Property::typed`] gives what `sgf-parse` makes of the
//! values: points, numbers, texts, colours.

use sgf_parse::SgfProp;
use sgf_parse::go::Prop;

use super::Property;

impl Property<'_> {
    /// The property with typed values, as `sgf-parse` has them; [`Prop::Invalid`] when they are
    /// not what `FF[4]` says they should be, [`Prop::Unknown`] when `FF[4]` does not know the name.
    ///
    /// ```
    /// use kifu::sgf::{Limits, parse};
    /// use sgf_parse::go::Prop;
    ///
    /// let collection = parse(b"(;GM[1]SZ[9];B[ee]BL[12.5]LB[cc:first])", &Limits::default());
    /// let game = &collection.games[0];
    /// let node = collection.tree().first_child(game.root).unwrap();
    /// let typed: Vec<Prop> = collection.properties(node).map(|property| property.typed()).collect();
    /// assert_eq!(typed[1], Prop::BL(12.5));
    /// ```
    pub fn typed(self) -> Prop {
        let values = self.values().map(|value| value.text().into_owned());
        Prop::new(self.name(), values.collect())
    }
}
