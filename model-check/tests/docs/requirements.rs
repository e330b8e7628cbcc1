//! The requirement pages: `### SAVE-3`, one sentence with MUST, `Origin:`, and `Exempt:` where a link is missing.

use std::collections::BTreeMap;

use crate::repository::Source;

/// What a requirement is linked to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Link {
    /// A property of a model, or a guard.
    Model,
    /// A comment at the deciding line of the code.
    Code,
    /// A test whose name begins with the id.
    Test,
}

impl Link {
    pub(crate) const ALL: [Link; 3] = [Link::Model, Link::Code, Link::Test];

    pub(crate) fn word(self) -> &'static str {
        match self {
            Link::Model => "model",
            Link::Code => "code",
            Link::Test => "test",
        }
    }
}

/// One requirement as its page has it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Paragraph {
    pub(crate) id: String,
    pub(crate) sentence: String,
    pub(crate) origins: Vec<String>,
    pub(crate) exempt: BTreeMap<Link, String>,
}

/// Whether this reads as an id, for instance `SAVE-3`.
pub(crate) fn is_id(text: &str) -> bool {
    let Some((area, number)) = text.split_once('-') else { return false };
    let is_area = area.len() >= 3 && area.bytes().all(|byte| byte.is_ascii_uppercase());
    is_area && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// Reads all requirement pages, and says what is wrong with them.
pub(crate) fn read(pages: &[Source]) -> (Vec<Paragraph>, Vec<String>) {
    let (mut all, mut wrong) = (Vec::<Paragraph>::new(), Vec::new());
    for page in pages.iter().filter(|page| page.path.starts_with("docs/requirements/")) {
        for section in page.text.split("\n### ").skip(1) {
            match paragraph(section) {
                Ok(paragraph) if all.iter().any(|known| known.id == paragraph.id) => {
                    wrong.push(format!("{}: {} is defined twice", page.path, paragraph.id));
                }
                Ok(paragraph) => all.push(paragraph),
                Err(what) => wrong.push(format!("{}: {what}", page.path)),
            }
        }
    }
    (all, wrong)
}

fn paragraph(section: &str) -> Result<Paragraph, String> {
    let (head, body) = section.split_once('\n').unwrap_or((section, ""));
    if !is_id(head) {
        return Err(format!("the heading `{head}` is no id"));
    }
    let mut paragraph = Paragraph { id: head.to_owned(), ..Paragraph::default() };
    for block in body.split("\n\n").map(|block| block.trim().replace('\n', " ")) {
        if let Some(rows) = block.strip_prefix("Origin: ") {
            paragraph.origins = rows.split(", ").map(str::to_owned).collect();
        } else if let Some(exemption) = block.strip_prefix("Exempt: ") {
            let (link, why) = exempt(exemption).ok_or_else(|| format!("{head}: `{exemption}` excuses nothing"))?;
            paragraph.exempt.insert(link, why.to_owned());
        } else if block.contains("MUST") {
            // One that is written small asks for as much.
            if !paragraph.sentence.is_empty() || block.to_uppercase().matches("MUST").count() != 1 {
                return Err(format!("{head}: more than one MUST"));
            }
            paragraph.sentence = block;
        }
    }
    match () {
        () if paragraph.sentence.is_empty() => Err(format!("{head}: no sentence with MUST")),
        () if paragraph.origins.is_empty() => Err(format!("{head}: no origin")),
        () => Ok(paragraph),
    }
}

fn exempt(text: &str) -> Option<(Link, &str)> {
    let (word, why) = text.split_once(" -- ")?;
    let link = Link::ALL.into_iter().find(|link| link.word() == word)?;
    (!why.is_empty()).then_some((link, why))
}

#[test]
fn a_page_is_read_as_it_is_meant() {
    let text = "# Save\n\n### SAVE-3\n\nA save MUST land\nonly once.\n\nOrigin: A01, A15\n\nWhy not.\n\nExempt: code -- it is far away.\n";
    let (all, wrong) = read(&[page(text)]);
    assert_eq!(wrong, [""; 0]);
    assert_eq!(all.len(), 1);
    assert_eq!(all[0].sentence, "A save MUST land only once.");
    assert_eq!(all[0].origins, ["A01", "A15"]);
    assert_eq!(all[0].exempt[&Link::Code], "it is far away.");
}

#[test]
fn what_a_page_must_not_do_is_noticed() {
    let good = "\n### SAVE-3\n\nIt MUST.\n\nOrigin: A01\n";
    let cases = [
        ("\n### Save 3\n\nIt MUST.\n\nOrigin: A01\n", "no id"),
        ("\n### SAVE-3\n\nIt should.\n\nOrigin: A01\n", "no sentence"),
        ("\n### SAVE-3\n\nIt MUST, and it MUST.\n\nOrigin: A01\n", "more than one MUST"),
        ("\n### SAVE-3\n\nIt MUST, and it must.\n\nOrigin: A01\n", "more than one MUST"),
        ("\n### SAVE-3\n\nIt MUST.\n\nIt MUST.\n\nOrigin: A01\n", "more than one MUST"),
        ("\n### SAVE-3\n\nIt MUST.\n", "no origin"),
        ("\n### SAVE-3\n\nIt MUST.\n\nOrigin: A01\n\nExempt: weather -- rain\n", "excuses nothing"),
        ("\n### SAVE-3\n\nIt MUST.\n\nOrigin: A01\n\nExempt: test\n", "excuses nothing"),
        (&format!("{good}{good}"), "defined twice"),
    ];
    for (text, expected) in cases {
        let (_, wrong) = read(&[page(text)]);
        assert!(wrong.len() == 1 && wrong[0].contains(expected), "{text:?}: {wrong:?} lacks `{expected}`");
    }
}

#[cfg(test)]
fn page(text: &str) -> Source {
    Source { path: "docs/requirements/save.md".to_owned(), text: text.to_owned() }
}
