//! Random walks under the rules of one variant.

use std::time::Instant;

use outlive_spec::protocol::Protocol;

use super::Entry;
use crate::engine::simulate::{self, Progress, Walks, simulate};
use crate::engine::walk::walk;
use crate::registry::Profile;
use crate::report::counterexample::show;
use crate::report::simulated::{Harm, Simulated};

pub(super) fn simulated<E: Entry + ?Sized>(
    entry: &E,
    variant: usize,
    walks: Walks,
    watch: &mut dyn FnMut(&Progress),
) -> Simulated {
    let begun = Instant::now();
    let (protocol, right) = (entry.build(variant, Profile::Ci).far(), entry.build(0, Profile::Ci).far());
    let found = simulate(&protocol, walks, watch);
    let names = protocol.kinds().iter().map(|kind| (*kind).to_owned());
    let mut simulated = Simulated {
        exit: 0,
        protocol: protocol.name().to_owned(),
        variant: entry.variants()[variant].name.to_owned(),
        seed: walks.seed,
        walks: found.walks,
        steps: walks.steps,
        taken: found.taken,
        refused: found.refused,
        kinds: names.zip(found.kinds).collect(),
        seconds: begun.elapsed().as_secs_f64(),
        harm: found.harm.as_ref().map(|harm| shown(&protocol, &right, harm)),
    };
    simulated.exit = simulated.exit().code();
    simulated
}

fn shown<P: Protocol>(protocol: &P, right: &P, harm: &simulate::Harm<P::Action>) -> Harm {
    let property = &protocol.properties()[harm.property];
    let steps = walk(protocol, harm.start, &harm.actions).expect("the walk took these steps");
    Harm {
        seed: harm.seed,
        property: property.name.to_owned(),
        requirement: property.requirement.id().to_owned(),
        sentence: property.sentence.to_owned(),
        walked: harm.walked,
        steps: steps.iter().map(|step| show(protocol, right, step)).collect(),
    }
}
