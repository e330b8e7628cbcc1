//! `simulate`: random walks, far beyond what a search can visit.

use super::progress::ProgressLine;
use super::{Console, Failure, SimulateArgs, names};
use crate::engine::simulate::Walks;
use crate::exit::Exit;
use crate::report::findings::{Case, End, Findings};
use crate::report::simulated::{Simulated, simulated};

/// Runs `simulate`.
///
/// # Errors
/// If a name is unknown, or a result cannot be written.
pub(super) fn run(args: &SimulateArgs, console: &mut Console) -> Result<Exit, Failure> {
    let family = names::protocol(&args.protocol)?;
    let variant = args.variant.as_deref().map_or(Ok(0), |name| names::variant(family, name))?;
    let mut line = ProgressLine::new(!console.quiet);
    let walks = Walks { seed: args.seed, walks: args.walks, steps: args.steps };
    let found = family.simulate(variant, walks, &mut |progress| line.show_walks(args.walks, progress));
    line.clear();
    let findings = Findings { suite: "simulate".to_owned(), cases: vec![case(&found)] };
    console.show(&found, Some(findings), |out, style| match style.quiet && found.harm.is_none() {
        true => Ok(()),
        false => simulated(out, &found, style.paint, style.verbose),
    })?;
    Ok(found.exit())
}

fn case(found: &Simulated) -> Case {
    let end = match &found.harm {
        None => End::Holds,
        Some(harm) => {
            End::Fails(format!("{} is broken in {} steps: {}", harm.requirement, harm.steps.len(), harm.sentence))
        }
    };
    Case {
        group: format!("{} / {}", found.protocol, found.variant),
        rule: "walks".to_owned(),
        sentence: "no random walk breaks a property".to_owned(),
        end,
        place: None,
    }
}
