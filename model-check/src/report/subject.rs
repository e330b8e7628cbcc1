//! What a page says of a search besides the result: the lanes of the protocol, the variant, the bounds.

/// A variant of a protocol, searched within some bounds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subject {
    /// What the variant changes.
    pub change: String,
    /// Rows of `docs/origins.md`.
    pub origin: String,
    /// The bounds in words.
    pub bounds: String,
    /// The distinct states of the search; unknown if nobody has reviewed it.
    pub states: Option<usize>,
    /// The same of the search for what must come about.
    pub bounds_endless: String,
    /// The same of that search; unknown if it was not made just now.
    pub states_endless: Option<usize>,
    /// The participants in the order of the columns of a diagram.
    pub lanes: Vec<&'static str>,
    /// The kinds of actions that reach another lane: kind, from, to.
    pub arrows: &'static [(&'static str, &'static str, &'static str)],
}

impl Subject {
    /// The places of the lanes from which and to which a step goes: the same twice, if it reaches nobody else.
    pub fn ends(&self, kind: &str, lane: &str) -> (usize, usize) {
        let place = |name: &str| self.lanes.iter().position(|known| *known == name).unwrap_or_default();
        let own = (place(lane), place(lane));
        self.arrows.iter().find(|arrow| arrow.0 == kind).map_or(own, |arrow| (place(arrow.1), place(arrow.2)))
    }
}
