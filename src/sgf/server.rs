//! Which server a record comes from.
//!
//! Servers have ways of their own: how they count, which repetitions they allow, in what they
//! write the komi. A record that names its server in `PC[]`, `SO[]` or `AP[]` is read and counted
//! by those.
//!
//! Records are passed on, and programs on the way put their own name into `AP[]`. What is left of
//! Fox then is how it writes the clock: the number of byo-yomi periods in `TC[]` and their length
//! in `TT[]`, which nobody else does. Tom is a name that many people have, and its web site has
//! shown professional games as well, so that only a record whose place is Tom was played there.

/// A server with ways of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Server {
    /// The KGS Go Server.
    Kgs,
    /// The Online Go Server.
    Ogs,
    /// Tygem, 타이젬.
    Tygem,
    /// Fox, 野狐.
    Fox,
    /// Tom, a server in China.
    Tom,
    /// The Computer Go Server.
    Cgos,
}

impl Server {
    /// The first server, in the order of the list, that one of these texts names.
    ///
    /// ```
    /// use kifu::sgf::Server;
    ///
    /// let named = |text| Server::named_in(&[text]);
    /// assert_eq!(named("OGS: https://online-go.com/game/10048035"), Some(Server::Ogs));
    /// assert_eq!(named("Dogs' Go Club"), None);
    /// ```
    pub fn named_in(texts: &[&str]) -> Option<Server> {
        if texts.iter().all(|text| text.is_empty()) {
            return None;
        }
        let said = texts.join(" ").to_lowercase();
        let names = |name: &str| match name.is_ascii() && name.len() <= 4 {
            // Short names are also parts of other words.
            true => said
                .split(|c: char| !c.is_ascii_alphanumeric())
                .any(|word| word == name),
            false => said.contains(name),
        };
        NAMES
            .iter()
            .find(|(_, known)| known.iter().any(|name| names(name)))
            .map(|&(server, _)| server)
    }

    /// The server that is named as the place where the game was played.
    ///
    /// ```
    /// use kifu::sgf::Server;
    ///
    /// assert_eq!(Server::named_as_place("Tom"), Some(Server::Tom));
    /// assert_eq!(Server::named_as_place("Tom's house"), None);
    /// ```
    pub fn named_as_place(place: &str) -> Option<Server> {
        let place = place.trim().to_lowercase();
        let is_tom = ["tom", "tom.com", "tom go server"].contains(&place.as_str())
            || place.starts_with("tom围棋")
            || place.starts_with("tom棋圣道场");
        is_tom.then_some(Server::Tom)
    }

    /// The name for sentences.
    pub fn name(self) -> &'static str {
        match self {
            Server::Kgs => "KGS",
            Server::Ogs => "OGS",
            Server::Tygem => "Tygem",
            Server::Fox => "Fox",
            Server::Tom => "Tom",
            Server::Cgos => "CGOS",
        }
    }
}

const NAMES: [(Server, &[&str]); 5] = [
    (Server::Kgs, &["kgs", "kiseido", "cgoban"]),
    (Server::Ogs, &["ogs", "online-go"]),
    (
        Server::Tygem,
        &["tygem", "wbaduk", "dashn", "eweiqi", "弈城", "타이젬"],
    ),
    (Server::Fox, &["foxwq", "foxgo", "fox weiqi", "野狐"]),
    (Server::Cgos, &["cgos", "computer go server"]),
];
