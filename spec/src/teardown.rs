//! The teardown protocol: does every live, billable instance have a pointer, and is only what was licensed ever
//! killed?
//!
//! # Background
//!
//! A control plane gives each owner an instance at a provider that bills by the hour. In the field
//! (`docs/incidents/b.md`) a kill failed, and then the purge of the owner deleted the record: the instance lived on,
//! was paid for, and nothing pointed at it. Three repairs in a row were each wrong in another way: a name that was in
//! use again, an answer that was taken for a proof, a restore that came between the last look and the kill.
//!
//! # Theory of operation
//!
//! A record lives shorter than what it records, unless somebody sees to it. So every instance has one durable
//! *pointer* from before it exists until the provider has said that it is dead:
//!
//! - An *intent to create*, with a *token*, is durable before the provider is called. It outlives its owner, and is
//!   closed only by what was created for the token, or by the provider's word that nothing ever will be.
//! - A *record* names the instance that its owner uses. Whatever deletes the record or overwrites the instance moves
//!   the pointer into the *outbox* in the same write. What is in the outbox is nobody's, and is killed.
//! - What a record holds is killed only under a *claim*: one write that evaluates the whole licence, a teardown that
//!   was requested for this very trash, or a deadline that has passed. A claim is never taken back; a restore that
//!   comes after it says that the instance is lost.
//! - A kill names the instance that it expects. Its pointer is *released* by a proof of death and nothing else, and
//!   then every pointer to that instance goes, and none to another.
//! - An instance that is found in the place of a dead one is *quarantined*, unless something durable names it: it is
//!   neither killed nor adopted.
//! - An answer that proves nothing keeps the pointer, and puts it last. After the bound it is a *dead letter*, which
//!   a purge leaves alone, and which still goes as soon as the instance is known to be dead.
//!
//! # Ground rules
//!
//! - [`rules::Rules::apply`] knows no bounds. They live in [`bounds`].
//! - An action carries the values that its author saw or used, so an event of a trace *is* an action.
//! - Calls are sets: a lost one is never delivered, a repeated one is delivered again. A delete by name, the second
//!   step of a kill that is two, lands once at most.
//! - That an instance is dead, and that a token can create no more, stays true for ever, so that an answer which says
//!   so may be used at any time after it.
//!
//! # What is not here
//!
//! A second name: two share nothing but the workers. What an instance does while it lives. And time: a deadline
//! passes whenever it likes, and what is due is due in an order, not at an hour.
//!
//! Read on in [`state`], [`action`], [`rules`] with `steps.rs` (the steps), `guards.rs` (what forbids them) and
//! `pointers.rs` (what they do to the pointers), [`variants`] (what else was proposed), [`properties`] (what must
//! hold), and [`bounds`].

pub mod action;
pub mod bounds;
pub mod check;
mod describe;
mod forget;
mod guards;
mod pack;
mod pointers;
pub mod properties;
mod representative;
mod responses;
pub mod rules;
pub mod state;
mod steps;
pub mod variants;

use crate::guard::Guard;
use crate::packed::Words;
use crate::protocol::{Broken, Class, Classes, Cut, Lane, Outlook, Property, Protocol, Response};
use crate::requirement::Requirement;
use action::Action;
use bounds::Bounds;
use rules::Rules;
use state::{OwnerPhase, Phase, Place, Provider, State, World};

/// The teardown protocol under these rules, searched within these bounds.
#[derive(Clone, Copy, Debug)]
pub struct Teardowns {
    /// What decides.
    pub rules: Rules,
    /// How far a search goes.
    pub bounds: Bounds,
}

/// A name that its first owner has just taken, at a provider of this kind.
pub fn owned(world: World) -> State {
    State { provider: Provider { world, ..Provider::default() }, ..State::default() }
}

impl Protocol for Teardowns {
    type State = State;
    type Action = Action;
    type Packed = Words<{ pack::WORDS }>;

    fn name(&self) -> &'static str {
        "teardown"
    }

    fn initial(&self) -> Vec<State> {
        self.bounds.worlds.iter().map(|world| owned(*world)).collect()
    }

    #[inline]
    fn apply(&self, state: &mut State, action: &Action) -> Result<(), Guard> {
        self.rules.apply(state, action)
    }

    #[inline]
    fn may_change(&self, action: &Action) -> bool {
        !action.only_looks()
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
        let Bounds { worlds, workers, .. } = self.bounds;
        Teardowns { bounds: Bounds { worlds, workers, ..bounds::FAR }, ..*self }
    }

    fn remembering(&self) -> Self {
        let far = self.far();
        Teardowns { rules: Rules { forgets: false, ..far.rules }, ..far }
    }

    fn represent(&self, state: &mut State) {
        representative::represent(state);
    }

    #[inline]
    fn is_settled(&self, state: &State) -> bool {
        properties::is_settled(state)
    }

    /// What the workers, the provider and whoever fences a node do, without a fault and without a demand. That a worker
    /// waits for an answer no longer than it likes is no fault.
    #[inline]
    fn is_progress(&self, _: &State, action: &Action) -> bool {
        let is_a_demand = matches!(
            action,
            Action::Own(_)
                | Action::Trash
                | Action::Request
                | Action::Restore(_)
                | Action::Purge
                | Action::Delete
                | Action::Renew
                | Action::Attach(_)
                | Action::Expire
                | Action::Intend(_)
        );
        let is_a_fault = matches!(
            action,
            Action::Intrude(_) | Action::Die(_) | Action::CutOff(_) | Action::Crash(_) | Action::Lose(_)
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
        let in_the_outbox = state.pointers.iter().any(|pointer| pointer.place == Place::Outbox);
        match (state.tenure.phase, state.record.map(|record| record.phase)) {
            (OwnerPhase::Active, Some(Phase::Live)) => "in use",
            (OwnerPhase::Active, Some(Phase::Killing)) => "in use, being killed",
            (OwnerPhase::Active, Some(Phase::TornDown)) => "in use, torn down",
            (OwnerPhase::Active, None) => "without a record",
            (OwnerPhase::Trashed, Some(Phase::Live)) => "trashed",
            (OwnerPhase::Trashed, Some(Phase::Killing)) => "trashed, being killed",
            (OwnerPhase::Trashed, Some(Phase::TornDown)) => "trashed, torn down",
            (OwnerPhase::Trashed, None) => "trashed, without a record",
            (OwnerPhase::Purged, _) if in_the_outbox => "purged, orphans left",
            (OwnerPhase::Purged, _) => "purged",
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
