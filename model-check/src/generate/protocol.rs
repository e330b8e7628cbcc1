//! What scripts must know of a protocol. It decides nothing; that does the model.

use outlive_spec::protocol::Protocol;
use outlive_spec::requirement::Requirement;

use super::Cover;
use super::script::Step;

/// A protocol of which scripts are generated: whoever adds one implements this and [`Teller`], and lists it in
/// [`super::SCRIPTS`].
pub(super) trait Scripted: Protocol + Sized + 'static {
    /// As headers name it.
    const PROTOCOL: &'static str;

    /// Tells its paths.
    type Teller: Teller<Self>;

    /// The rules that hold, within the bounds of this cover.
    fn of(cover: Cover) -> Self;

    /// The bounds, for people.
    fn bounds_in_words(&self) -> String;

    /// The state in which each script starts, for whoever writes a driver.
    fn start_in_words() -> String;

    /// Whether anybody can see it happen. What nobody sees needs no path.
    fn is_visible(action: &Self::Action) -> bool;

    /// Whether somebody who plays it could take it in this state.
    fn can_be_told(state: &Self::State, action: &Self::Action) -> bool;

    /// The refusal of what this action tries, by some requirement; none, if whoever is asked refuses nothing of the
    /// kind.
    fn refusal(action: &Self::Action, because: Requirement) -> Option<Self::Action>;

    /// One that has told nothing yet.
    fn teller(&self) -> Self::Teller;
}

/// Tells one path, step by step.
pub(super) trait Teller<P: Protocol> {
    /// Tells the step that has led to this state, if it can be seen, and what arrives late behind it.
    fn tell(&mut self, state: &P::State, action: &P::Action, steps: &mut Vec<Step>);
}
