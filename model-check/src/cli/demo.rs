//! `demo`: the reference under load.

use super::{Console, DemoArgs, Failure};
use crate::exit::Exit;

pub(super) fn run(_: &DemoArgs, _: &mut Console) -> Result<Exit, Failure> {
    Err(Failure::Usage("this build has no demo".to_owned()))
}
