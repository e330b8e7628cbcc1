//! The command without arguments: every model and variant, then the reference under load, then its trace.

use super::{CheckArgs, Console, Failure, Format, check};
use crate::exit::Exit;
use crate::registry::Profile;

/// Runs everything.
///
/// # Errors
/// If something cannot be read or written.
pub fn run(console: &mut Console) -> Result<Exit, Failure> {
    let report = check::search(&every_variant(), console)?;
    match console.format {
        Format::Json => console.json(&report)?,
        Format::Text => check::print_table(&report, console)?,
    }
    Ok(Exit::of_code(report.exit))
}

fn every_variant() -> CheckArgs {
    CheckArgs {
        protocols: Vec::new(),
        variant: None,
        all_variants: true,
        profile: Profile::Ci,
        property: Vec::new(),
        threads: 2,
        timeout: None,
        max_states: None,
        max_depth: None,
        deny_unreached: true,
        out_dir: None,
    }
}
