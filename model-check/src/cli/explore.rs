//! `explore`: stateright's Explorer on one of our models.

use std::net::TcpListener;

use super::{Console, ExploreArgs, Failure, names};
use crate::exit::Exit;

pub(super) fn run(args: &ExploreArgs, console: &mut Console) -> Result<Exit, Failure> {
    let family = names::protocol(&args.protocol)?;
    let variant = args.variant.as_deref().map_or(Ok(0), |name| names::variant(family, name))?;
    // The Explorer panics where it cannot listen.
    let listener = TcpListener::bind(args.bind);
    drop(listener.map_err(|error| Failure::Usage(format!("cannot listen on {}: {error}", args.bind)))?);
    writeln!(console.out(), "the Explorer listens on http://{}/ until it is interrupted", args.bind)?;
    console.flush()?;
    family.explore(variant, args.profile, args.bind);
    Ok(Exit::Holds)
}
