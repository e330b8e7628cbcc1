//! `replay`: plays a counterexample back on the model of today.

use std::fs;

use super::{Console, Failure, Format, ReplayArgs, names};
use crate::exit::Exit;
use crate::report::counterexample::Counterexample;
use crate::report::{mermaid, text};

pub(super) fn run(args: &ReplayArgs, console: &mut Console) -> Result<Exit, Failure> {
    let path = args.counterexample.display();
    let text = fs::read_to_string(&args.counterexample)
        .map_err(|error| Failure::Unreadable(format!("cannot read {path}: {error}")))?;
    let found: Counterexample = serde_json::from_str(&text)
        .map_err(|error| Failure::Unreadable(format!("{path} is no counterexample: {error}")))?;
    let family = names::protocol(&found.protocol).map_err(|error| Failure::Unreadable(format!("{path}: {error}")))?;
    let replayed =
        family.replay(&found).map_err(|error| Failure::Unreadable(format!("{path} cannot be played back: {error}")))?;
    let paint = console.paint;
    if args.mermaid {
        let diagram = mermaid::sequence(&replayed, &family.lanes(), family.arrows());
        write!(console.out(), "{diagram}")?;
    } else if console.format == Format::Json {
        console.json(&replayed)?;
    } else {
        text::counterexample(console.out(), &replayed, paint)?;
    }
    Ok(replayed.ending.exit())
}
