//! `induct`: whether an invariant is kept by every step from every state of which it is true.

use super::progress::ProgressLine;
use super::{Console, Failure, InductArgs, names};
use crate::exit::Exit;
use crate::registry::{Family, Profile};
use crate::report::findings::{Case, End, Findings};
use crate::report::inducted::{Inducted, inducted};

/// Runs `induct`.
///
/// # Errors
/// If a name is unknown, the protocol has no invariant, or a result cannot be written.
pub(super) fn run(args: &InductArgs, console: &mut Console) -> Result<Exit, Failure> {
    let family = names::protocol(&args.protocol)?;
    let variant = args.variant.as_deref().map_or(Ok(0), |name| names::variant(family, name))?;
    let found = induct(family, variant, args.profile, console)?;
    let findings = Findings { suite: "induct".to_owned(), cases: vec![case(&found)] };
    console.show(&found, Some(findings), |out, style| match style.quiet && found.leads_out.is_none() {
        true => Ok(()),
        false => inducted(out, &found, style.paint, style.verbose),
    })?;
    Ok(found.exit())
}

/// Tries the invariant of one variant.
///
/// # Errors
/// If the protocol has none.
pub(super) fn induct(
    family: &dyn Family,
    variant: usize,
    profile: Profile,
    console: &Console,
) -> Result<Inducted, Failure> {
    let found = tried(family, variant, profile, console);
    found.ok_or_else(|| Failure::Usage(format!("`{}` has no invariant that is meant to be inductive", family.name())))
}

/// The same; nothing, if the protocol has no invariant.
pub(super) fn tried(family: &dyn Family, variant: usize, profile: Profile, console: &Console) -> Option<Inducted> {
    let mut line = ProgressLine::new(!console.quiet);
    let found = family.induct(variant, profile, &mut |progress| line.show_induction(progress));
    line.clear();
    found
}

pub(super) fn case(found: &Inducted) -> Case {
    let end = match &found.leads_out {
        None => End::Holds,
        Some(leads_out) => End::Fails(format!(
            "a step leads out of the invariant: {} is not kept by `{}`",
            leads_out.what,
            leads_out.action.as_deref().unwrap_or("a start")
        )),
    };
    Case {
        group: format!("{} / {}", found.protocol, found.variant),
        rule: "invariant".to_owned(),
        sentence: "every step from every state of which the invariant is true keeps it true".to_owned(),
        end,
        place: None,
    }
}
