//! Colour, where it is wanted.

/// Whether to use colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Paint(pub bool);

impl Paint {
    /// What is wrong.
    pub fn bad(self, text: &str) -> String {
        self.wrap("31;1", text)
    }

    /// What holds.
    pub fn good(self, text: &str) -> String {
        self.wrap("32;1", text)
    }

    /// What matters.
    pub fn strong(self, text: &str) -> String {
        self.wrap("1", text)
    }

    /// What may be passed over.
    pub fn faint(self, text: &str) -> String {
        self.wrap("2", text)
    }

    fn wrap(self, code: &str, text: &str) -> String {
        if self.0 { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}
