//! Where pages lead: to the requirement, the incident, the code and the tests in the repository.
//!
//! A page may be read far from the repository, so that a link is made only where somebody says where that is; elsewhere
//! the path stands as text.

/// What `docs/traceability.md` says; a test holds it against the repository.
const TRACEABILITY: &str = include_str!("../../../docs/traceability.md");

/// Where the repository is, seen from a page.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Links {
    base: Option<String>,
}

impl Links {
    /// Nobody knows where.
    pub const fn nowhere() -> Links {
        Links { base: None }
    }

    /// Below this folder or address.
    pub fn below(base: &str) -> Links {
        Links { base: Some(format!("{}/", base.trim_end_matches('/'))) }
    }

    /// The way to a path of the repository, if it is known.
    pub fn to(&self, path: &str) -> Option<String> {
        self.base.as_ref().map(|base| format!("{base}{path}"))
    }
}

/// What stands for one requirement, in the words of `docs/traceability.md`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evidence<'a> {
    /// The normative sentence.
    pub sentence: &'a str,
    /// The guards and properties.
    pub model: &'a str,
    /// The files that decide, from the root of the repository. None where that is excused.
    pub code: Vec<&'a str>,
    /// The names of the tests. None where that is excused.
    pub tests: Vec<&'a str>,
}

/// What stands for the requirement with this id.
pub fn evidence(id: &str) -> Option<Evidence<'static>> {
    let head = format!("**{id}** ");
    let (_, rest) = TRACEABILITY.split_once(&head)?;
    let paragraph = rest.split("\n**").next()?;
    let line = |word: &str| {
        let lines = paragraph.lines().find_map(|line| line.strip_prefix("- ")?.strip_prefix(word)?.strip_prefix(": "));
        lines.unwrap_or_default()
    };
    Some(Evidence {
        sentence: paragraph.lines().next()?,
        model: line("model"),
        code: quoted(line("code")),
        tests: quoted(line("test")),
    })
}

/// What stands between backticks, unless the line says why there is nothing.
fn quoted(line: &str) -> Vec<&str> {
    if line.starts_with("none: ") {
        return Vec::new();
    }
    line.split('`').skip(1).step_by(2).collect()
}

/// The page of a requirement.
pub fn requirement(id: &str) -> String {
    let area = id.split('-').next().unwrap_or_default().to_lowercase();
    format!("docs/requirements/{area}.md#{}", id.to_lowercase())
}

/// The page that tells the story of a row of `docs/origins.md`: its incident, if that has one of its own.
pub fn origin(row: &str) -> &'static str {
    if row.starts_with('A') { "docs/incidents/a.md" } else { "docs/origins.md" }
}
