//! Every [`Protocol`] as a [`stateright::Model`], for its Explorer and for its count of distinct states.
//!
//! The verdict is not stateright's: `docs/decisions` says why. A state here is the packed state and what the last step
//! has broken, so that the Explorer shows a violation where it happens.

use stateright::{Model, Property};

use crate::protocol::{Broken, Protocol};

/// A protocol for stateright.
#[derive(Clone, Debug)]
pub struct SecondOpinion<P>(pub P);

impl<P: Protocol> Model for SecondOpinion<P> {
    type State = (P::Packed, Broken);
    type Action = P::Action;

    fn init_states(&self) -> Vec<Self::State> {
        self.0.initial().iter().map(|state| (self.0.pack(state), self.0.broken(state))).collect()
    }

    fn actions(&self, (packed, _): &Self::State, out: &mut Vec<Self::Action>) {
        self.0.actions(&self.0.unpack(packed), out);
    }

    fn next_state(&self, (packed, _): &Self::State, action: Self::Action) -> Option<Self::State> {
        let mut next = self.0.unpack(packed);
        self.0.apply(&mut next, &action).ok()?;
        Some((self.0.pack(&next), self.0.broken(&next)))
    }

    fn properties(&self) -> Vec<Property<Self>> {
        // One for all, since stateright takes a function without a captured place; which one, the state shows.
        vec![
            Property::always("every property holds", |_, (_, broken): &Self::State| broken.is_empty()),
            Property::always("the search goes on when another fails", |_, _| true),
        ]
    }

    fn format_action(&self, action: &Self::Action) -> String {
        action.to_string()
    }
}
