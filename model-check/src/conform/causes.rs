//! Why an action can be refused. The model decides whether it is; this is only the list of what is asked of it.

use outlive_spec::requirement::Requirement::{self, *};
use outlive_spec::trace::Verb;

/// The requirements for which an action can be refused. `docs/trace-format.md` shows them, and walks of the model meet
/// each of them and no other.
pub fn causes(verb: Verb) -> &'static [Requirement] {
    match verb {
        Verb::Register => &[Restart1],
        Verb::Answer => &[Restart3],
        Verb::Save => &[Reset2, Save3, Save4],
        Verb::Claim => &[Reset1],
        Verb::Wipe => &[Reset3],
        Verb::Finish => &[Reset4],
        Verb::Resolve => &[Reset6],
        Verb::Perform => &[Restart5],
        Verb::Rollback => &[Reset2, Save7, Save8],
        Verb::Restart | Verb::Ask | Verb::Learn | Verb::Begin | Verb::SendWipe | Verb::Load | Verb::Crash => &[],
        Verb::Start => &[Reconcile1],
        Verb::Stop => &[Reconcile9],
        Verb::Delete => &[Reconcile10],
        Verb::Recover => &[Reconcile7, Reconcile8],
        Verb::Arrive => &[Reconcile6],
        Verb::Settle => &[Reconcile2],
        Verb::Conclude => &[Reconcile4, Reconcile3, Reconcile5],
        Verb::Revive => &[Reconcile14],
        Verb::Deliver => &[Reconcile12, Reconcile4, Reconcile5, Reconcile11],
        Verb::StartUnclaimed | Verb::Send | Verb::Admit | Verb::Hear | Verb::Fail => &[],
        Verb::Read | Verb::Get | Verb::Exit | Verb::Vanish | Verb::Report => &[],
    }
}

/// Every action of a protocol with each requirement for which it can be refused.
pub fn refusals(protocol: &str) -> impl Iterator<Item = (Verb, Requirement)> {
    Verb::of(protocol).flat_map(|verb| causes(verb).iter().map(move |because| (verb, *because)))
}
