//! The snapshot protocol with something missing.

use outlive_spec::guard::Guard;
use outlive_spec::protocol::{Broken, Class, Classes, Cut, Lane, Outlook, Property, Protocol, Response};
use outlive_spec::requirement::Requirement;
use outlive_spec::snapshot::Snapshot;
use outlive_spec::snapshot::action::Action;
use outlive_spec::snapshot::state::State;

/// Puts one variable of the second state back to where it was in the first.
pub(crate) type Freeze = fn(&State, &mut State);

macro_rules! freezes {
    ($($($field:ident).+),* $(,)?) => {
        /// Every variable of the state.
        pub(crate) const FREEZES: &[(&str, Freeze)] =
            &[$((stringify!($($field).+), |before, after| after.$($field).+ = before.$($field).+.clone())),*];
    };
}

freezes! {
    store.incarnation, store.is_resetting, store.since, store.page, store.deleted,
    process.life, process.incarnation, process.generation, process.reply,
    gateways, shown, calls, saves, questions, wipes, acts, is_retrying,
    ghost.first_unwiped, ghost.first_kept, ghost.owes_a_wipe, ghost.harms,
}

/// What is missing.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Missing {
    Nothing,
    /// Whatever changes this variable.
    Change(Freeze),
    /// Whoever would take an action of this kind.
    Kind(usize),
}

/// The protocol without it.
#[derive(Clone, Copy)]
pub(crate) struct Crippled {
    pub(crate) inner: Snapshot,
    pub(crate) missing: Missing,
}

impl Protocol for Crippled {
    type State = State;
    type Action = Action;
    type Packed = <Snapshot as Protocol>::Packed;

    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn initial(&self) -> Vec<State> {
        self.inner.initial()
    }

    fn apply(&self, state: &mut State, action: &Action) -> Result<(), Guard> {
        let before = state.clone();
        self.inner.apply(state, action)?;
        if let Missing::Change(freeze) = self.missing {
            freeze(&before, state);
        }
        Ok(())
    }

    fn actions(&self, state: &State, out: &mut Vec<Action>) -> Cut {
        let cut = self.inner.actions(state, out);
        if let Missing::Kind(kind) = self.missing {
            out.retain(|action| action.kind() != kind);
        }
        cut
    }

    fn properties(&self) -> &'static [Property] {
        self.inner.properties()
    }

    fn broken(&self, state: &State) -> Broken {
        self.inner.broken(state)
    }

    fn harms(&self, state: &State) -> Broken {
        self.inner.harms(state)
    }

    fn forgive(&self, state: &mut State) {
        self.inner.forgive(state);
    }

    fn far(&self) -> Self {
        Crippled { inner: self.inner.far(), ..*self }
    }

    fn is_settled(&self, state: &State) -> bool {
        self.inner.is_settled(state)
    }

    fn is_progress(&self, state: &State, action: &Action) -> bool {
        self.inner.is_progress(state, action)
    }

    fn represent(&self, state: &mut State) {
        self.inner.represent(state);
    }

    fn responses(&self) -> &'static [Response] {
        self.inner.responses()
    }

    fn outlook(&self, response: usize, state: &State) -> Outlook {
        self.inner.outlook(response, state)
    }

    fn classes(&self) -> &'static [Class] {
        self.inner.classes()
    }

    fn classes_of(&self, state: &State, action: &Action) -> Classes {
        self.inner.classes_of(state, action)
    }

    fn kinds(&self) -> &'static [&'static str] {
        self.inner.kinds()
    }

    fn kind(&self, action: &Action) -> usize {
        self.inner.kind(action)
    }

    fn refuses_by(&self, action: &Action) -> Option<Requirement> {
        self.inner.refuses_by(action)
    }

    fn lane(&self, action: &Action) -> Lane {
        self.inner.lane(action)
    }

    fn lanes(&self) -> &'static [Lane] {
        self.inner.lanes()
    }

    fn phase(&self, state: &State) -> &'static str {
        self.inner.phase(state)
    }

    fn describe(&self, state: &State) -> Vec<(&'static str, String)> {
        self.inner.describe(state)
    }

    fn pack(&self, state: &State) -> Self::Packed {
        self.inner.pack(state)
    }

    fn unpack(&self, packed: &Self::Packed) -> State {
        self.inner.unpack(packed)
    }
}
