//! Findings as GitHub shows them: annotations in the log of a job, and a summary of the step in Markdown.

use super::findings::{Case, End, Findings, Place};

/// An annotation for each finding that does not hold.
pub fn annotations(findings: &Findings) -> String {
    findings.wrong().map(|(case, why)| annotation(case, why)).collect()
}

fn annotation(case: &Case, why: &str) -> String {
    let level = match case.end {
        End::Holds | End::Fails(_) => "error",
        End::Unknown(_) => "warning",
    };
    let place = case.place.as_ref().map_or_else(String::new, |Place { file, line, column }| {
        format!("file={},line={line},col={column},", property(file))
    });
    let title = property(&format!("{}: {}", case.group, case.rule));
    format!("::{level} {place}title={title}::{}\n", message(why))
}

/// A message ends with its line, and `%` begins an escape.
fn message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property ends with a comma or a colon besides.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

/// The summary of a step.
pub fn summary(findings: &Findings) -> String {
    let (all, wrong) = (findings.cases.len(), findings.wrong().count());
    let mut text = format!("### model-check {}: {} of {all} hold\n", cell(&findings.suite), all - wrong);
    if wrong > 0 {
        text += "\n| what | rule | |\n|---|---|---|\n";
    }
    for (case, why) in findings.wrong() {
        text += &format!("| {} | {} | {} |\n", cell(&case.group), cell(&case.rule), cell(why));
    }
    text + "\n"
}

/// Text that says what it says: what Markdown or HTML would read otherwise is written as an entity.
fn cell(text: &str) -> String {
    let mut cell = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\n' => cell += "<br>",
            '\r' => {}
            letter if letter.is_ascii_punctuation() && !",.:;-/()".contains(letter) => {
                cell += &format!("&#{};", u32::from(letter));
            }
            letter => cell.push(letter),
        }
    }
    cell
}
