//! The snapshot protocol: which save may land, and which page may a reference resolve against?
//!
//! # Background
//!
//! An agent asks for a snapshot of its computer and gets a page whose elements are numbered. The gateway saves the
//! page; when the agent says "click 7", the store resolves 7 against the saved page. Two things went wrong in the
//! field (`docs/incidents/a.md`). A save that was in flight across a reset brought the wiped page back, so that a click
//! hit an element of a life that was over. And a restarted computer, counting from one again, had its saves dropped for
//! being old.
//!
//! # Theory of operation
//!
//! The store keeps one *incarnation* for each computer, and whatever ends a life mints the next:
//!
//! - A new process does not know who it is. It *asks* to follow the incarnation that it reads; the store *registers*
//!   it under a new one, and the process *learns* it.
//! - A *snapshot* begins with a call that names the current incarnation. The computer, if that is its own, counts one
//!   generation up and *answers* with a page. The store admits the save iff its incarnation is the current one and its
//!   generation is above the stored one.
//! - A *reset* is *claimed*: the stored page goes, and nothing lands any more. The gateway *sends a wipe* that names
//!   the current incarnation; the computer, if that is its own, *wipes* itself and forgets who it is. Then the reset is
//!   *finished*: an incarnation is minted, and saves may land again. Any gateway can drive on what another has left
//!   half done.
//! - A *rollback* puts a page that was loaded earlier back as the stored one, and mints an incarnation: the running
//!   process has lost its place, and must start anew.
//!
//! So equality with one number is the whole fence: a save, a call, a wipe, a click and a decision each name the
//! incarnation that they are meant for, and whoever is another refuses.
//!
//! # Ground rules
//!
//! - [`rules::Rules::apply`] knows no bounds. They live in [`bounds`], so that the same rules judge a search over four
//!   lives and a trace of a million events.
//! - An action carries the values that its author saw or used, and the rules hold them against the truth. So an event
//!   of a trace *is* an action, and a refusal can show both values.
//! - Messages are sets. A lost message is one that is never delivered, a repeated one is delivered again.
//! - A message is forgotten only when the rule that would refuse it says that it always will.
//! - A harm that no state shows is noted by the step that does it, and forgiven before the next: no harm hides another.
//!
//! # What is not here
//!
//! The content of pages; a second computer, since two share nothing; and the memory of the gateway that has begun a
//! snapshot, for its death is a call whose answer is never saved.
//!
//! Read on in [`state`], [`action`], [`rules`] (the steps) with `guards.rs` (what forbids them), [`variants`] (what
//! else was proposed), [`properties`] (what must hold), and [`bounds`].

pub mod action;
pub mod bounds;
pub mod check;
mod describe;
mod forget;
mod guards;
mod invariant;
mod pack;
pub mod properties;
mod representative;
mod responses;
pub mod rules;
pub mod state;
pub mod variants;
mod world;

use crate::guard::Guard;
use crate::induction::{Clause, Inductive, Scope};
use crate::packed::Words;
use crate::protocol::{Broken, Class, Classes, Cut, Lane, Outlook, Property, Protocol, Response};
use crate::requirement::Requirement;
use action::Action;
use bounds::Bounds;
use rules::Rules;
use state::{Incarnation, State};

/// The snapshot protocol under these rules, searched within these bounds.
#[derive(Clone, Copy, Debug)]
pub struct Snapshot {
    /// What decides.
    pub rules: Rules,
    /// How far a search goes.
    pub bounds: Bounds,
}

/// A computer whose first process has registered: what a new computer becomes by ask, register and learn.
pub fn registered() -> State {
    let mut state = State::default();
    state.store.incarnation = Incarnation(1);
    state.process.incarnation = Some(Incarnation(1));
    state
}

impl Protocol for Snapshot {
    type State = State;
    type Action = Action;
    type Packed = Words<{ pack::WORDS }>;

    fn name(&self) -> &'static str {
        "snapshot"
    }

    fn initial(&self) -> Vec<State> {
        vec![registered()]
    }

    #[inline]
    fn apply(&self, state: &mut State, action: &Action) -> Result<(), Guard> {
        self.rules.apply(state, action)
    }

    /// An act is forgotten only when it can no longer be performed, and a refusal changes something only for an agent
    /// that will not take it as one.
    #[inline]
    fn may_change(&self, action: &Action) -> bool {
        let is_refusal = matches!(action, Action::Refuse(..));
        let changes_nothing = matches!(action, Action::Perform(_) | Action::Load(None));
        !changes_nothing && (!is_refusal || !self.rules.refused_saves_are_given_up)
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

    fn far(&self) -> Self {
        // Generations keep their numbers, so they keep their bound.
        let Bounds { generations, gateways, .. } = self.bounds;
        Snapshot { bounds: Bounds { generations, gateways, ..bounds::FAR }, ..*self }
    }

    fn remembering(&self) -> Self {
        let far = self.far();
        Snapshot { rules: Rules { forgets: false, ..far.rules }, ..far }
    }

    fn represent(&self, state: &mut State) {
        representative::represent(state);
    }

    #[inline]
    fn is_settled(&self, state: &State) -> bool {
        properties::is_settled(state)
    }

    /// A process that has lost its place is started anew by its owner; any other dies by itself.
    #[inline]
    fn is_progress(&self, state: &State, action: &Action) -> bool {
        let has_lost_its_place = responses::has_lost_its_place(state);
        let is_a_restart = matches!(action, Action::Restart(_));
        let is_a_fault_or_a_demand = matches!(action, Action::Crash(_) | Action::Claim(..) | Action::Rollback(_));
        if is_a_restart { has_lost_its_place } else { !is_a_fault_or_a_demand }
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

    fn classes_of(&self, state: &State, action: &Action) -> Classes {
        responses::classes_of(state, action)
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
        match (state.store.is_resetting, state.process.incarnation) {
            (true, _) if state.ghost.owes_a_wipe => "resetting, not wiped yet",
            (true, _) => "resetting, wiped",
            (false, None) => "open, process not registered",
            (false, Some(own)) if own == state.store.incarnation => "open",
            (false, Some(_)) => "open, process out of place",
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

impl Inductive for Snapshot {
    fn clauses(&self) -> &'static [Clause<State>] {
        invariant::CLAUSES
    }

    fn states(&self, scope: Scope, clauses: &[Clause<State>], show: &mut dyn FnMut(&State)) {
        world::states(scope, clauses, show);
    }

    fn unbounded(&self) -> Self {
        let rules = Rules { forgets: false, ..self.rules };
        Snapshot { rules, bounds: bounds::FAR }
    }
}
