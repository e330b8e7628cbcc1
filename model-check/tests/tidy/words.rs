//! One term for each idea: identifiers in the code are held against the glossary.

use crate::repository::{Source, sources};
use crate::tables::rows;

#[test]
fn no_identifier_uses_a_banned_word() {
    let banned = banned(&glossary());
    let wrong: Vec<String> = sources(&[".rs"]).iter().flat_map(|source| uses(source, &banned)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_glossary_has_a_word_for_each_idea() {
    let glossary = glossary();
    let terms: Vec<Vec<&str>> = rows(&glossary).into_iter().filter(|cells| cells.len() == 3).collect();
    assert!(terms.len() > 40, "only {} terms", terms.len());
    for cells in &terms {
        assert!(cells.iter().all(|cell| !cell.is_empty()), "{cells:?} leaves something out");
        assert_eq!(terms.iter().filter(|other| other[0] == cells[0]).count(), 1, "{} stands twice", cells[0]);
    }
    let synonyms: Vec<&str> = terms.iter().flat_map(|cells| cells[2].split([',', ';', ' '])).collect();
    for word in banned(&glossary) {
        assert!(synonyms.contains(&word.as_str()), "{word} is banned for no term");
    }
}

fn glossary() -> String {
    sources(&["glossary.md"]).pop().expect("docs/glossary.md").text
}

/// The words in backticks after the last heading.
fn banned(glossary: &str) -> Vec<String> {
    let (_, list) = glossary.rsplit_once("## Banned in identifiers").expect("the glossary ends with the banned words");
    let words: Vec<String> = list.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    assert!(words.len() >= 6, "the list of banned words is gone");
    words
}

/// Names that others gave.
const NOT_OURS: [&str; 1] = ["UNIX_EPOCH"];

/// The identifiers of a source that have a banned word in them, without comments and texts.
fn uses(source: &Source, banned: &[String]) -> Vec<String> {
    let mut wrong = Vec::new();
    for (at, line) in code_of(&source.text).lines().enumerate() {
        for name in line.split(|letter: char| !letter.is_alphanumeric() && letter != '_') {
            if !NOT_OURS.contains(&name) && parts(name).iter().any(|part| banned.contains(part)) {
                wrong.push(format!("{}:{}: {name}", source.path, at + 1));
            }
        }
    }
    wrong
}

/// `SandboxId`, `sandbox_id` and `SANDBOX_ID` are all made of `sandbox` and `id`. A plural counts as well.
fn parts(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut was_lower = false;
    for letter in name.chars() {
        if letter == '_' || (letter.is_uppercase() && was_lower) {
            parts.push(String::new());
        }
        was_lower = letter.is_lowercase();
        if letter != '_' {
            parts.last_mut().expect("there is a first").extend(letter.to_lowercase());
        }
    }
    let singular: Vec<String> = parts.iter().filter_map(|part| part.strip_suffix('s')).map(str::to_owned).collect();
    parts.extend(singular);
    parts
}

/// The text with its comments and literals blanked out. Lines stay where they are.
fn code_of(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let skipped = literal(rest, code.chars().next_back());
        if skipped == 0 {
            code.push(first);
            rest = &rest[first.len_utf8()..];
        } else {
            code.push(' ');
            code.extend(rest[..skipped].matches('\n').map(|_| '\n'));
            rest = &rest[skipped..];
        }
    }
    code
}

/// How many bytes of a comment or literal the text starts with.
fn literal(text: &str, before: Option<char>) -> usize {
    let until = |end: &str, from: usize| text[from..].find(end).map_or(text.len(), |at| from + at + end.len());
    if text.starts_with("//") {
        return text.find('\n').unwrap_or(text.len());
    }
    if text.starts_with("/*") {
        return until("*/", 2);
    }
    let is_word = before.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    let raw = text.strip_prefix('b').unwrap_or(text).strip_prefix('r').filter(|_| !is_word);
    if let Some(raw) = raw {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if raw[hashes..].starts_with('"') {
            return until(&format!("\"{}", "#".repeat(hashes)), text.len() - raw.len() + hashes + 1);
        }
    }
    match text.as_bytes()[0] {
        b'"' => quoted(text, '"'),
        b'\'' if text[1..].starts_with('\\') || text[1..].chars().nth(1) == Some('\'') => quoted(text, '\''),
        _ => 0,
    }
}

/// How long a text between quotes is, with escapes.
fn quoted(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            letter if letter == quote => return at + letter.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

#[test]
fn a_banned_word_is_noticed_in_any_case() {
    let banned: Vec<String> = ["session", "bot"].map(str::to_owned).into();
    let source = |text: &str| Source { path: "a.rs".to_owned(), text: text.to_owned() };
    for text in ["let session_id = 1;", "struct BotName;", "const SESSION: u8 = 1;", "fn all_sessions() {}"] {
        assert_eq!(uses(&source(text), &banned).len(), 1, "{text}");
    }
    for text in
        ["let both = bottom;", "// a session", "let x = \"session\";", "/* bot */ fn a() {}", "r#\"bot\"#;", "'b'"]
    {
        assert_eq!(uses(&source(text), &banned), [""; 0], "{text}");
    }
    assert_eq!(uses(&source("fn a<'x>() {\n    \"a\n \\\" b\";\n    bot();\n}"), &banned), ["a.rs:4: bot"]);
}
