//! The verdict for people: a divergence is shown as a compiler shows an error.

use std::fmt::Write;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::report::{Divergence, Edit, Minimised, Report, Shown, Verdict};

/// Whether the text may have colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colors {
    /// Plain text.
    Never,
    /// For a terminal.
    Always,
}

/// The whole report.
pub fn text(report: &Report, colors: Colors) -> String {
    let mut out = String::new();
    if let Some(divergence) = &report.divergence {
        out += &divergence_text(divergence, colors);
        out.push('\n');
    }
    if let Some(unreadable) = &report.unreadable {
        line(&mut out, format_args!("error: {unreadable}"));
    }
    for doubt in &report.doubts {
        line(&mut out, format_args!("warning: {doubt}"));
    }
    counts(&mut out, report);
    line(&mut out, format_args!("{}", verdict(report)));
    out
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _written = writeln!(out, "{text}");
}

fn counted(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

fn counts(out: &mut String, report: &Report) {
    let lines = report.lines;
    line(
        out,
        format_args!(
            "{} = {} matched + {} observed + {}; {}, {}",
            counted(lines.events, "event"),
            lines.matched,
            lines.observed,
            counted(lines.markers, "marker"),
            counted(lines.headers, "header"),
            counted(report.computers as u64, "computer")
        ),
    );
    if lines.unpaired > 0 {
        line(
            out,
            format_args!("{} events were judged without the name of their operation, which is too old", lines.unpaired),
        );
    }
    if lines.open > 0 {
        line(out, format_args!("{} calls are open at the end: whatever came of them, this is a behaviour", lines.open));
    }
    if lines.events == 0 {
        return;
    }
    line(out, format_args!("\n  action      outcome            times"));
    for fired in &report.coverage {
        line(out, format_args!("  {:<11} {:<18} {:>5}", fired.action.word(), fired.end(), fired.count));
    }
    line(out, format_args!("\n  times  danger"));
    for opened in &report.windows {
        line(out, format_args!("  {:>5}  {}", opened.count, opened.sentence));
    }
    out.push('\n');
}

/// In one line.
pub fn verdict(report: &Report) -> String {
    let files = report.files.join(", ");
    match report.verdict {
        Verdict::Conforms => format!("{files}: conforms to the model of {}", report.protocol),
        Verdict::Diverges => match &report.divergence {
            Some(Divergence { requirement: Some(requirement), line, .. }) => {
                format!("{files}: does not conform: {requirement} at {}", line.place)
            }
            Some(Divergence { line, .. }) => format!("{files}: does not conform: another row at {}", line.place),
            None => format!("{files}: does not conform"),
        },
        Verdict::DangerMissing => format!("{files}: conforms, but some danger that was required never occurred"),
        Verdict::Inconclusive => format!("{files}: inconclusive"),
        Verdict::NothingChecked => {
            format!("{files}: nothing was checked: no step of the store or of a computer is in it")
        }
        Verdict::Unreadable => format!("{files}: cannot be read as a trace"),
    }
}

fn divergence_text(divergence: &Divergence, colors: Colors) -> String {
    let title = match divergence.requirement {
        Some(requirement) => format!("{requirement}: {}", divergence.sentence),
        None => divergence.sentence.clone(),
    };
    let is_refusal = divergence.check.as_deref() == Some("RefusalHasThatCause");
    let label = match is_refusal {
        true => format!("refused because of {}, where the model has {}", divergence.found, divergence.against),
        false if divergence.against == "nothing" => format!("{}: there is no such thing", divergence.found),
        false => format!("{}, against {}", divergence.found, divergence.against),
    };
    let mut error = Level::ERROR.primary_title(&title).element(
        snippet(&divergence.line).annotation(AnnotationKind::Primary.span(divergence.span.clone()).label(&label)),
    );
    if let Some(earlier) = &divergence.earlier {
        error = error.element(
            snippet(&earlier.line).annotation(AnnotationKind::Context.span(earlier.span.clone()).label(&earlier.label)),
        );
    }
    let compares = match &divergence.check {
        Some(check) => format!("`{check}` compares {}", divergence.compares),
        None => divergence.compares.clone(),
    };
    let notes = notes(divergence);
    let help = help(divergence);
    error = error.element(Level::NOTE.message(&compares));
    error = error.elements(notes.iter().map(|note| Level::NOTE.message(note)));
    let renderer = match colors {
        Colors::Never => Renderer::plain(),
        Colors::Always => Renderer::styled(),
    };
    let edits: Vec<String> = divergence.edits.iter().map(edit).collect();
    error = error.element(Level::HELP.message(&help));
    let report: &[Group<'_>] = &[error.elements(edits.iter().map(|edit| Level::HELP.message(edit)))];
    let mut out = renderer.render(report);
    out.push('\n');
    context(&mut out, divergence);
    out
}

fn snippet<'a>(line: &'a Shown) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    Snippet::source(line.text.as_str()).line_start(line.place.line as usize).path(line.place.file.as_str())
}

fn notes(divergence: &Divergence) -> Vec<String> {
    let mut notes: Vec<String> = divergence
        .explained_by
        .iter()
        .map(|explanation| {
            let origin = match explanation.origin.as_str() {
                "" => String::new(),
                rows => format!(" (rows {rows})"),
            };
            format!("the whole trace is a behaviour of `{}`{origin}: {}", explanation.variant, explanation.change)
        })
        .collect();
    if notes.is_empty() {
        notes.push("no known rule explains the whole trace".to_owned());
    }
    notes
}

fn help(divergence: &Divergence) -> String {
    let mut help = "here the model would have taken:".to_owned();
    for action in &divergence.allowed {
        help += "\n  ";
        help += action;
    }
    if divergence.allowed_more > 0 {
        help += &format!("\n  and {} more", divergence.allowed_more);
    }
    if divergence.allowed.is_empty() {
        help += "\n  nothing";
    }
    help
}

/// A difference with which the line would be taken, and how far the trace would then go on.
pub(crate) fn edit(edit: &Edit) -> String {
    let Edit { sentence, goes_on, of, .. } = edit;
    match (goes_on, of) {
        (_, 0) => sentence.clone(),
        (goes_on, of) if goes_on == of => {
            format!("{sentence}, and so would be all {of} lines of the computer behind it")
        }
        (goes_on, of) => format!("{sentence}, and so would be {goes_on} of {of} lines of the computer behind it"),
    }
}

fn context(out: &mut String, divergence: &Divergence) {
    line(out, format_args!("\nthe step, in the words of the model: {}", divergence.step));
    line(out, format_args!("`{}` before it:", divergence.computer));
    for field in &divergence.state {
        if field.value != "none" {
            line(out, format_args!("  {}: {}", field.name, field.value));
        }
    }
    let names: Vec<String> = divergence.names.iter().map(|it| format!("{} is `{}`", it.name, it.value)).collect();
    if !names.is_empty() {
        line(out, format_args!("names: {}", names.join(", ")));
    }
    line(out, format_args!("its last lines:"));
    for shown in divergence.recent.iter().chain([&divergence.line]) {
        line(out, format_args!("  {}:{}: {}", shown.place.file, shown.place.line, shown.text));
    }
    let (Some(minimised), Some(test)) = (&divergence.minimised, &divergence.test) else { return };
    line(out, format_args!("\n{}; as a test:\n\n{test}", shorter(minimised)));
}

/// How much shorter a trace is that is refused for the same.
pub(crate) fn shorter(minimised: &Minimised) -> String {
    let Minimised { lines, of, is_minimal } = minimised;
    let events = lines.len() - 1;
    let how = if *is_minimal { "none of which can be left out" } else { "where the search was given up" };
    format!("of the computer's {of} events {events} are refused for the same, {how}")
}
