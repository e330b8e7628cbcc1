//! One variant's invariant, tried by induction.

use std::time::Instant;

use outlive_spec::induction::{Inductive, Scope};

use crate::engine::induction::{self, Progress, induct};
use crate::report::counterexample::{changes, fields};
use crate::report::inducted::{Inducted, LeadsOut};

pub(super) fn inducted<P: Inductive<State: 'static>>(
    protocol: &P,
    variant: &str,
    scope: Scope,
    watch: &mut dyn FnMut(&Progress),
) -> Inducted {
    let begun = Instant::now();
    let found = induct(protocol, protocol.clauses(), scope, watch);
    let leads_out = found.broken.as_ref().map(|broken| shown(protocol, broken));
    let mut inducted = Inducted {
        exit: 0,
        protocol: protocol.name().to_owned(),
        variant: variant.to_owned(),
        world: in_words(scope),
        states: found.states,
        steps: found.steps,
        seconds: begun.elapsed().as_secs_f64(),
        clauses: protocol.clauses().iter().map(|it| (it.name.replace('_', "-"), it.sentence.to_owned())).collect(),
        leads_out,
    };
    inducted.exit = inducted.exit().code();
    inducted
}

fn in_words(Scope { ids, counts, messages }: Scope) -> String {
    format!("ids up to {ids}, counts up to {counts}, {messages} messages at once")
}

fn shown<P: Inductive>(protocol: &P, found: &induction::LeadsOut<P>) -> LeadsOut {
    LeadsOut {
        what: found.what.replace('_', "-"),
        action: found.action.map(|action| action.to_string()),
        before: fields(protocol, &found.before),
        changes: changes(&protocol.describe(&found.before), &protocol.describe(&found.after)),
    }
}
