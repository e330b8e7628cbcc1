//! The operation protocol: may an observation overwrite an operation that it did not see?
//!
//! # Background
//!
//! A control plane starts, stops and deletes computers at a provider, and a sweep compares what its rows say with what
//! the provider shows. In the field (`docs/incidents/e.md`) the sweep looked at a computer whose start had just been
//! recorded, found the old instance exited, and wrote an error over the start. The start succeeded, and its computer
//! was an error for ever. The revision had not changed between the sweep's read and its write: it had read the row of
//! the start.
//!
//! # Theory of operation
//!
//! A compare-and-swap orders writes. It does not say how old an observation is. So an observation must show three
//! things:
//!
//! - An *operation* (start, stop, deletion) *begins* with one write of the row: the phase, who has claimed it, and for
//!   a start the new *launch*. Its gateway then *sends* a call to the provider, *hears* the outcome, and *settles*:
//!   only if phase, launch and claim are still its own.
//! - A *sweep* *reads* the row first and *gets* the provider's answer second. It *concludes* iff nothing is under way,
//!   the revision is the one that it has read, and the launch that it has seen is the row's.
//! - A *report* arrives unasked, late and repeated. It counts only for the row's launch, and above the *mark* in the
//!   row, which comes as far as every look and report that counts; that something is missing in it says nothing.
//! - A caller can die with a call in flight, so that the *provider* must be *fenced*: it brings up each launch at most
//!   once, none that was stopped, and its own restart policy ends with the stop.
//! - An operation whose gateway has died is *taken over* by any other, with the same launch. A start that an older
//!   release has begun without a claim is taken over likewise, and until then it is nobody's to observe.
//!
//! # Ground rules
//!
//! - [`rules::Rules::apply`] knows no bounds. They live in [`bounds`].
//! - An action carries the values that its author saw or used, so an event of a trace *is* an action.
//! - Calls and reports are sets: a lost one is never delivered, a repeated one is delivered again.
//! - A message is forgotten only when the rule that would refuse it says that it always will.
//! - A gateway that dies comes back as another, which is how its death is known.
//!
//! # What is not here
//!
//! What a computer does while it is up; a second computer, since two share nothing; the gates inside a gateway, which
//! only take behaviours away; and time: a call that takes too long is a start that its gateway gives up.
//!
//! Read on in [`state`], [`action`], [`rules`] (the steps) with `guards.rs` (what forbids them), [`variants`] (what
//! else was proposed), [`properties`] (what must hold), and [`bounds`].

pub mod action;
pub mod bounds;
pub mod check;
mod describe;
mod forget;
mod guards;
mod pack;
pub mod properties;
mod representative;
mod responses;
pub mod rules;
pub mod state;
pub mod variants;

use crate::guard::Guard;
use crate::packed::Words;
use crate::protocol::{Broken, Class, Classes, Cut, Lane, Outlook, Property, Protocol, Response};
use crate::requirement::Requirement;
use action::{Action, Attempt};
use bounds::Bounds;
use rules::Rules;
use state::{Gateway, Gateways, Phase, State};

/// The operation protocol under these rules, searched within these bounds.
#[derive(Clone, Copy, Debug)]
pub struct Operations {
    /// What decides.
    pub rules: Rules,
    /// How far a search goes.
    pub bounds: Bounds,
}

/// A computer that was just created and never started, with so many gateways.
pub fn created(gateways: u32) -> State {
    State { gateways: Gateways::of((1..=gateways).map(Gateway)), ..State::default() }
}

impl Protocol for Operations {
    type State = State;
    type Action = Action;
    type Packed = Words<{ pack::WORDS }>;

    fn name(&self) -> &'static str {
        "operation"
    }

    fn initial(&self) -> Vec<State> {
        vec![created(self.bounds.gateways)]
    }

    #[inline]
    fn apply(&self, state: &mut State, action: &Action) -> Result<(), Guard> {
        self.rules.apply(state, action)
    }

    /// Whoever has lost drops what it had in mind.
    #[inline]
    fn may_change(&self, action: &Action) -> bool {
        !matches!(action, Action::Refuse(..))
            || matches!(action, Action::Refuse(Attempt::Settle(..) | Attempt::Conclude(..), _))
    }

    fn actions(&self, state: &State, out: &mut Vec<Action>) -> Cut {
        bounds::actions(state, &self.bounds, &self.rules, out)
    }

    fn properties(&self) -> &'static [Property] {
        properties::PROPERTIES
    }

    #[inline]
    fn broken(&self, state: &State) -> Broken {
        properties::broken(state)
    }

    #[inline]
    fn harms(&self, state: &State) -> Broken {
        state.ghost.harms
    }

    #[inline]
    fn forgive(&self, state: &mut State) {
        state.ghost.harms = Broken::default();
    }

    fn close_up(&self, state: &mut State) {
        self.rules.close_up(state);
    }

    fn far(&self) -> Self {
        let rules = Rules { reuses_revisions: false, ..self.rules };
        Operations { rules, bounds: Bounds { gateways: self.bounds.gateways, ..bounds::FAR } }
    }

    fn remembering(&self) -> Self {
        let far = self.far();
        Operations { rules: Rules { forgets: false, ..far.rules }, ..far }
    }

    fn represent(&self, state: &mut State) {
        representative::represent(state);
    }

    #[inline]
    fn is_settled(&self, state: &State) -> bool {
        properties::is_settled(state)
    }

    /// What the provider and its gateways do by themselves, without a fault and without a demand of a user.
    #[inline]
    fn is_progress(&self, _: &State, action: &Action) -> bool {
        let is_a_demand =
            matches!(action, Action::Start(..) | Action::StartUnclaimed(..) | Action::Stop(_) | Action::Delete(_));
        let is_a_fault = matches!(
            action,
            Action::Fail(_) | Action::Exit(_) | Action::Revive(_) | Action::Vanish(_) | Action::Crash(..)
        );
        !is_a_demand && !is_a_fault
    }

    fn responses(&self) -> &'static [Response] {
        responses::RESPONSES
    }

    fn outlook(&self, response: usize, state: &State) -> Outlook {
        responses::outlook(response, state)
    }

    fn classes(&self) -> &'static [Class] {
        responses::CLASSES
    }

    fn classes_of(&self, _: &State, action: &Action) -> Classes {
        responses::classes_of(action)
    }

    fn kinds(&self) -> &'static [&'static str] {
        action::KINDS
    }

    #[inline]
    fn kind(&self, action: &Action) -> usize {
        action.kind()
    }

    #[inline]
    fn refuses_by(&self, action: &Action) -> Option<Requirement> {
        if let Action::Refuse(_, because) = action { Some(*because) } else { None }
    }

    fn lane(&self, action: &Action) -> Lane {
        action.lane()
    }

    fn lanes(&self) -> &'static [Lane] {
        action::LANES
    }

    fn phase(&self, state: &State) -> &'static str {
        match (state.row.phase, properties::is_up(state)) {
            (Phase::Stopped, _) => "stopped",
            (Phase::Starting, _) => "starting",
            (Phase::Ready, true) => "ready",
            (Phase::Ready, false) => "ready, and not up",
            (Phase::Error, false) => "error",
            (Phase::Error, true) => "error, and up",
            (Phase::Stopping, _) => "stopping",
            (Phase::Deleting, _) => "deleting",
            (Phase::Gone, _) => "gone",
        }
    }

    fn describe(&self, state: &State) -> Vec<(&'static str, String)> {
        state.describe()
    }

    fn pack(&self, state: &State) -> Self::Packed {
        pack::pack(state)
    }

    fn unpack(&self, packed: &Self::Packed) -> State {
        pack::unpack(packed)
    }
}
