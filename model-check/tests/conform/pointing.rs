//! Where each refusal points, on which earlier line it rests, and with what the line would have been taken. All of them
//! are one text, since what is wrong with one is best seen beside the others.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use outlive_model_check::conform::report::{Divergence, Shown};
use outlive_model_check::conform::{Input, Options, check};

/// The bytes of a line that are pointed at, with its number.
fn pointed(line: &Shown, span: &std::ops::Range<usize>) -> String {
    format!("line {}, {}", line.place.line, &line.text[span.clone()])
}

fn told(name: &str, divergence: &Divergence) -> String {
    let check = divergence.check.as_deref().unwrap_or("no guard");
    let mut out = format!("{name}\n  {check}: {}\n", pointed(&divergence.line, &divergence.span));
    let _written = writeln!(out, "  {}, against {}", divergence.found, divergence.against);
    if let Some(earlier) = &divergence.earlier {
        let _written = writeln!(out, "  {}: {}", earlier.label, pointed(&earlier.line, &earlier.span));
    }
    for edit in &divergence.edits {
        let _written = writeln!(out, "  {}", edit.sentence);
    }
    out
}

#[test]
fn each_refusal_points_as_reviewed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("traces/rejected");
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    let tell = |path: &PathBuf| {
        let text = fs::read(path).expect("the trace is there");
        let report = check(&[Input::text("trace.jsonl", text)], &Options::default());
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        told(&name, &report.divergence.expect("it is refused"))
    };
    insta::assert_snapshot!(paths.iter().map(tell).collect::<Vec<_>>().join("\n"));
}
