//! `replay`: plays a counterexample back on the model of today, and shows it in whatever form is asked for.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Console, Failure, ReplayArgs, names, report};
use crate::exit::Exit;
use crate::registry::{Family, Profile};
use crate::report::counterexample::Counterexample;
use crate::report::subject::Subject;
use crate::report::{html, itf, mermaid, svg, text};

pub(super) fn run(args: &ReplayArgs, console: &mut Console) -> Result<Exit, Failure> {
    check_standard_output(args)?;
    let path = args.counterexample.display();
    let text = fs::read_to_string(&args.counterexample)
        .map_err(|error| Failure::Unreadable(format!("cannot read {path}: {error}")))?;
    let found: Counterexample = serde_json::from_str(&text)
        .map_err(|error| Failure::Unreadable(format!("{path} is no counterexample: {error}")))?;
    let family = names::protocol(&found.protocol).map_err(|error| Failure::Unreadable(format!("{path}: {error}")))?;
    let replayed =
        family.replay(&found).map_err(|error| Failure::Unreadable(format!("{path} cannot be played back: {error}")))?;
    let is_on_standard_output = write_forms(args, family, &replayed, console)?;
    if !is_on_standard_output {
        console.show(&replayed, None, |out, style| text::counterexample(out, &replayed, style.paint))?;
    }
    Ok(replayed.ending.exit())
}

/// Two documents on one stream are none.
fn check_standard_output(args: &ReplayArgs) -> Result<(), Failure> {
    let forms = [("--html", &args.html), ("--svg", &args.svg), ("--mermaid", &args.mermaid), ("--itf", &args.itf)];
    let forms = forms.into_iter().chain([("--jsonl", &args.jsonl)]);
    let there: Vec<&str> =
        forms.filter(|(_, path)| path.as_deref() == Some(Path::new("-"))).map(|(name, _)| name).collect();
    if there.len() > 1 {
        let message = format!("{} are all to be written on standard output: name a file for one", there.join(" and "));
        return Err(Failure::Usage(message));
    }
    Ok(())
}

/// Writes each form that was asked for. Says whether one of them went to standard output.
fn write_forms(
    args: &ReplayArgs,
    family: &dyn Family,
    found: &Counterexample,
    console: &mut Console,
) -> Result<bool, Failure> {
    let subject = subject(family, found)?;
    let mut is_on_standard_output = false;
    let forms: [(&Option<PathBuf>, Make); 5] = [
        (&args.html, page),
        (&args.svg, |form| Ok(svg::picture(form.found, &form.subject))),
        (&args.mermaid, |form| Ok(mermaid::sequence(form.found, &form.subject.lanes, form.subject.arrows))),
        (&args.itf, |form| json(&itf::trace(form.found)).map(|text| text + "\n")),
        (&args.jsonl, lines),
    ];
    for (path, make) in forms {
        let Some(path) = path else { continue };
        let form = Form { found, subject: subject.clone(), path };
        let text = make(&form)?;
        if path == Path::new("-") {
            is_on_standard_output = true;
            write!(console.out(), "{text}")?;
        } else {
            report::write(path, &text)?;
        }
    }
    Ok(is_on_standard_output)
}

type Make = fn(&Form<'_>) -> Result<String, Failure>;

/// What a form is made from, and where it goes.
struct Form<'a> {
    found: &'a Counterexample,
    subject: Subject,
    path: &'a Path,
}

fn subject(family: &dyn Family, found: &Counterexample) -> Result<Subject, Failure> {
    let variant = names::variant(family, &found.variant)?;
    let profile = <Profile as clap::ValueEnum>::from_str(&found.profile, false).map_err(Failure::Internal)?;
    Ok(family.subject(variant, profile))
}

fn page(form: &Form<'_>) -> Result<String, Failure> {
    let folder = form.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let links = report::make_links(folder, None)?;
    Ok(html::counterexample(form.found, &form.subject, &links, None))
}

/// One JSON object a line: the counterexample without its steps, and then each step.
fn lines(form: &Form<'_>) -> Result<String, Failure> {
    let head = Counterexample { steps: Vec::new(), ..form.found.clone() };
    let mut text = json(&head)? + "\n";
    for step in &form.found.steps {
        text += &(json(step)? + "\n");
    }
    Ok(text)
}

fn json(value: &impl serde::Serialize) -> Result<String, Failure> {
    serde_json::to_string(value).map_err(|error| Failure::Internal(error.to_string()))
}
