//! What a schedule is made of: steps that name no value, so that any sequence of them can be played.

use proptest::collection::vec;
use proptest::prelude::*;

pub(crate) const COMPUTERS: usize = 2;
pub(crate) const GATEWAYS: usize = 2;

/// Chooses one of the messages that are held, whatever their number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pick(pub(crate) u8);

/// Whether a message that was delivered stays under way, to be delivered again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Copies {
    One,
    Another,
}

/// On what a decision is made.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Seen {
    /// The current incarnation.
    Now,
    /// One that was current at some time.
    Before(Pick),
}

/// One step of somebody.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// A process dies, and another starts.
    Restart { computer: usize },
    /// The living process asks, is registered, and learns.
    Register { computer: usize },
    /// The living process asks, and its question is under way.
    Ask { computer: usize },
    /// A question arrives; the reply is lost.
    Question { pick: Pick, copies: Copies },
    /// A gateway calls for a snapshot, and the call is under way.
    Begin { gateway: usize, computer: usize },
    /// A call arrives, and its answer is under way.
    Call { pick: Pick, copies: Copies },
    /// A save arrives.
    Save { gateway: usize, pick: Pick, copies: Copies },
    /// A snapshot from its beginning to its end.
    Snapshot { gateway: usize, computer: usize },
    /// An agent is shown the page.
    Load { gateway: usize, computer: usize },
    /// An agent refers to a page that it was shown.
    Resolve { gateway: usize, pick: Pick },
    /// An act arrives.
    Act { pick: Pick, copies: Copies },
    /// A reset begins.
    Claim { gateway: usize, computer: usize, seen: Seen },
    /// A gateway finds a reset under way, and its wipe is under way.
    SendWipe { gateway: usize, computer: usize },
    /// A wipe arrives.
    Wipe { pick: Pick, copies: Copies },
    /// A gateway ends a reset with what it has heard.
    Finish { pick: Pick, copies: Copies },
    /// A gateway drives on the reset that it finds.
    Drive { gateway: usize, computer: usize },
    /// A gateway resets, and dies before or after one of its steps.
    DieWhileResetting { gateway: usize, computer: usize, at_step: usize, is_done: bool },
    /// An agent goes back to a page that it was shown.
    Rollback { gateway: usize, pick: Pick, seen: Seen },
    /// A gateway dies, and is back without its memory.
    Crash { gateway: usize },
    /// Everybody dies, and the store is opened again.
    Reopen,
}

/// Busy days, on which messages are late, repeated, and lost by never being picked.
pub(crate) fn schedules() -> impl Strategy<Value = Vec<Step>> {
    vec(step(), 1..160)
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => starts(),
        12 => snapshots(),
        8 => references(),
        7 => resets(),
        3 => rollbacks(),
        1 => (0..GATEWAYS).prop_map(|gateway| Step::Crash { gateway }),
    ]
}

fn starts() -> impl Strategy<Value = Step> {
    let computer = 0..COMPUTERS;
    prop_oneof![
        2 => computer.clone().prop_map(|computer| Step::Restart { computer }),
        8 => computer.clone().prop_map(|computer| Step::Register { computer }),
        1 => computer.prop_map(|computer| Step::Ask { computer }),
        1 => (pick(), copies()).prop_map(|(pick, copies)| Step::Question { pick, copies }),
    ]
}

fn snapshots() -> impl Strategy<Value = Step> {
    let place = || (0..GATEWAYS, 0..COMPUTERS);
    prop_oneof![
        2 => place().prop_map(|(gateway, computer)| Step::Snapshot { gateway, computer }),
        2 => place().prop_map(|(gateway, computer)| Step::Begin { gateway, computer }),
        3 => (pick(), copies()).prop_map(|(pick, copies)| Step::Call { pick, copies }),
        3 => (0..GATEWAYS, pick(), copies()).prop_map(|(gateway, pick, copies)| Step::Save { gateway, pick, copies }),
    ]
}

fn references() -> impl Strategy<Value = Step> {
    let place = (0..GATEWAYS, 0..COMPUTERS);
    prop_oneof![
        place.prop_map(|(gateway, computer)| Step::Load { gateway, computer }),
        (0..GATEWAYS, pick()).prop_map(|(gateway, pick)| Step::Resolve { gateway, pick }),
        (pick(), copies()).prop_map(|(pick, copies)| Step::Act { pick, copies }),
    ]
}

fn resets() -> impl Strategy<Value = Step> {
    let place = || (0..GATEWAYS, 0..COMPUTERS);
    prop_oneof![
        3 => (place(), seen()).prop_map(|((gateway, computer), seen)| Step::Claim { gateway, computer, seen }),
        4 => place().prop_map(|(gateway, computer)| Step::SendWipe { gateway, computer }),
        4 => (pick(), copies()).prop_map(|(pick, copies)| Step::Wipe { pick, copies }),
        4 => (pick(), copies()).prop_map(|(pick, copies)| Step::Finish { pick, copies }),
        4 => place().prop_map(|(gateway, computer)| Step::Drive { gateway, computer }),
        2 => (place(), 0..4_usize, any::<bool>()).prop_map(|((gateway, computer), at_step, is_done)| {
            Step::DieWhileResetting { gateway, computer, at_step, is_done }
        }),
    ]
}

fn rollbacks() -> impl Strategy<Value = Step> {
    prop_oneof![
        9 => (0..GATEWAYS, pick(), seen()).prop_map(|(gateway, pick, seen)| Step::Rollback { gateway, pick, seen }),
        1 => Just(Step::Reopen),
    ]
}

fn pick() -> impl Strategy<Value = Pick> {
    any::<u8>().prop_map(Pick)
}

fn copies() -> impl Strategy<Value = Copies> {
    prop_oneof![3 => Just(Copies::One), 1 => Just(Copies::Another)]
}

fn seen() -> impl Strategy<Value = Seen> {
    prop_oneof![4 => Just(Seen::Now), 1 => pick().prop_map(Seen::Before)]
}
