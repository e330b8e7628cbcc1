//! A test that holds on to a refusal, ready to be pasted beside a fix.

use std::fmt::Write;

use super::report::{Divergence, Minimised};

/// The test as Rust. It checks the shortest trace that was found, and expects it to be refused at its last line.
pub(super) fn test(divergence: &Divergence, minimised: &Minimised) -> String {
    let (id, name, title) = match divergence.requirement {
        Some(requirement) => {
            let id = requirement.id();
            (format!("Some(\"{id}\")"), id.to_lowercase().replace('-', "_"), format!("{id}: "))
        }
        None => ("None".to_owned(), "trace".to_owned(), String::new()),
    };
    let trace = minimised.lines.join("\n") + "\n";
    let fence = "#".repeat(longest_run_of_hashes(&trace) + 1);
    let mut text = String::new();
    let mut line = |it: std::fmt::Arguments<'_>| {
        // Writing to a string cannot fail.
        let _written = writeln!(text, "{it}");
    };
    line(format_args!("/// {title}{}.", divergence.sentence));
    line(format_args!("#[test]"));
    line(format_args!("fn {name}_refuses_this_{}() {{", divergence.action.word().replace('-', "_")));
    line(format_args!("    use outlive_model_check::conform::{{Input, Options, check}};"));
    line(format_args!("    let trace = r{fence}\"{trace}\"{fence};"));
    line(format_args!("    let report = check(&[Input::text(\"trace\", trace)], &Options::default());"));
    line(format_args!("    let divergence = report.divergence.expect(\"the trace is no behaviour of the model\");"));
    line(format_args!("    assert_eq!(divergence.requirement.map(|it| it.id()), {id});"));
    line(format_args!("    assert_eq!(divergence.line.place.line, {});", minimised.lines.len()));
    line(format_args!("}}"));
    text
}

/// How many `#` a raw string must have at least that holds this text: those behind a quotation mark end it.
fn longest_run_of_hashes(text: &str) -> usize {
    let runs = text.match_indices('"').map(|(at, _)| text[at + 1..].chars().take_while(|it| *it == '#').count());
    runs.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_hashes_does_not_end_the_string() {
        assert_eq!(longest_run_of_hashes(r###"{"a":"#","b":"##"}"###), 2);
        assert_eq!(longest_run_of_hashes("no quotation ## mark"), 0);
    }
}
