//! The provider: what runs the instances of computers, and alone knows which there are.
//!
//! # Theory of operation
//!
//! A control plane calls a provider and may die before it hears the answer; the call may arrive long after that. So a
//! call names the *launch* that it is about, and the provider keeps a *fence* for each computer: launches up to it
//! never come up any more. A start moves the fence to its own launch, so that each is brought up at most once. A stop
//! moves it to the launch that it names, ends every instance up to there, and disarms its restart policy in the same
//! step. A removal also takes the instance away; the fence stays.
//!
//! What is at the provider is learned in three ways:
//!
//! - *get* asks the authority about one computer. Its answer was so at a moment of the call.
//! - *list* may show any moment of the past, and leave out what is there.
//! - *watch* waits for the next *report* on one computer. Reports are numbered for each computer by a *mark*; they come
//!   late and again, so whoever writes one down keeps its mark, and believes none that is not beyond it.
//!
//! # Ground rules
//!
//! - Each method takes an [`IoPermit`], so that none is called under the global lock of [`crate::locks`].
//! - That something runs is said by an [`Observation`]. That it does not, and will not again, is said by a
//!   [`ProofOfDeath`], and by nothing else.
//! - Nothing follows from what a list or a report lacks.
//!
//! # What is not here
//!
//! What is done about an observation, and in which order calls are made. A provider decides nothing but its fence.
//!
//! [`process`] is a provider of real processes; [`crate::testing::FakeProvider`] is one for tests.

mod answer;
mod call;
#[cfg(target_os = "linux")]
pub mod process;

use std::future::Future;
use std::sync::Arc;

pub use answer::{Condition, Ended, Observation, ProofOfDeath, Seen, StartOutcome};
pub use call::{End, EndKind, Get, Start, Watch};

use crate::error::ProviderError;
use crate::id::{ComputerId, Launch};
use crate::locks::IoPermit;

/// Runs the instances of computers.
///
/// # Guarantees
/// The calls on one computer take effect one after another, in one order for everybody who calls. No computer waits for
/// another, however long its own call takes.
///
/// # Assumptions
/// ASSUME-9, that the provider keeps its fence, and disarms what it stops; ASSUME-10, that its reads are true and its
/// reports bear their place; ASSUME-12, that its word on what is dead is true, and that it uses no id of an instance
/// twice.
///
/// # Outcomes
/// A start that comes too late is an outcome, since that is a lost race. A stop and a removal lose to nobody.
///
/// # Errors
/// [`ProviderError`]; its variant says whether anybody knows what became of the call.
///
/// # Cancellation
/// To drop a future gives up the answer, not the call, which may take effect at once, later or never. It does no harm
/// later: the fence refuses a start that was overtaken.
pub trait Provider: Send + Sync + 'static {
    /// Brings up an instance of a launch.
    ///
    /// # Guarantees
    /// Iff the launch is beyond the fence, which moves up to it. An instance of an older launch is ended first. The
    /// instance begins as [`Condition::Booting`], and its restart policy is armed. A start of the launch whose instance
    /// is there and was not stopped answers with that instance, and changes nothing: also if it has exited.
    ///
    /// # Assumptions
    /// Those of the trait.
    ///
    /// # Outcomes
    /// [`StartOutcome`]: the instance, or the fence.
    ///
    /// # Errors
    /// [`ProviderError`]. After one of transport or nonsense the instance may be there, or come later.
    ///
    /// # Cancellation
    /// As for the trait.
    fn start(
        &self,
        permit: IoPermit<'_>,
        call: Start,
    ) -> impl Future<Output = Result<StartOutcome, ProviderError>> + Send;

    /// What [`Provider::stop`] and [`Provider::remove`] ask of whoever writes a provider.
    ///
    /// # Guarantees
    /// The fence is moved up to the launch of the call, durably, and every instance up to it is disarmed in that step.
    /// Then it is ended; a removal takes it away as well. The answer comes once none of them runs.
    ///
    /// # Assumptions
    /// Those of the trait.
    ///
    /// # Outcomes
    /// What was ended: the computer and the launch of the call, and the place of the last report.
    ///
    /// # Errors
    /// [`ProviderError`]. After one of transport or nonsense the instance may run, be ended, or be ended later.
    ///
    /// # Cancellation
    /// As for the trait.
    fn end(&self, permit: IoPermit<'_>, call: End) -> impl Future<Output = Result<Ended, ProviderError>> + Send;

    /// Reads what there is of one computer, from the authority.
    ///
    /// # Guarantees
    /// It was so at some moment between call and answer. The mark is that of the last report before this moment.
    ///
    /// # Assumptions
    /// Those of the trait.
    ///
    /// # Outcomes
    /// The instance that is there, of whatever launch; or that there is none, for the launch that was asked for.
    ///
    /// # Errors
    /// [`ProviderError`]. That nobody answers is never taken for "there is none".
    ///
    /// # Cancellation
    /// Nothing is changed.
    fn get(&self, permit: IoPermit<'_>, call: Get) -> impl Future<Output = Result<Observation, ProviderError>> + Send;

    /// Lists what there is of all computers: hints.
    ///
    /// # Guarantees
    /// Each line was so at the time of its mark. Different lines may be of different times, a list may be older than
    /// one from before, and what is there may be missing.
    ///
    /// # Assumptions
    /// Those of the trait.
    ///
    /// # Outcomes
    /// At most one line for each computer.
    ///
    /// # Errors
    /// [`ProviderError`].
    ///
    /// # Cancellation
    /// Nothing is changed but, maybe, marks.
    fn list(&self, permit: IoPermit<'_>) -> impl Future<Output = Result<Vec<Observation>, ProviderError>> + Send;

    /// Waits for a report on one computer that is beyond a mark: a hint, as in a list, and no limit of time.
    ///
    /// # Guarantees
    /// It was so at the time of its mark. Whoever goes on from the mark that it was told hears of the last change at
    /// last; what came in between may be left out.
    ///
    /// # Assumptions
    /// Those of the trait.
    ///
    /// # Outcomes
    /// The report. One that is not beyond the mark may come all the same: compare it.
    ///
    /// # Errors
    /// [`ProviderError`].
    ///
    /// # Cancellation
    /// Nobody waits any more.
    fn watch(
        &self,
        permit: IoPermit<'_>,
        call: Watch,
    ) -> impl Future<Output = Result<Observation, ProviderError>> + Send;

    /// Ends every instance of a computer up to a launch, and leaves the last one where it can be looked at.
    ///
    /// # Guarantees
    /// Those of [`Provider::end`].
    ///
    /// # Assumptions
    /// Those of the trait.
    ///
    /// # Outcomes
    /// The proof, also if nothing ran.
    ///
    /// # Errors
    /// Those of [`Provider::end`], and [`ProviderError::Nonsense`] for an answer to another question.
    ///
    /// # Cancellation
    /// As for the trait.
    fn stop(
        &self,
        permit: IoPermit<'_>,
        computer: ComputerId,
        up_to: Launch,
    ) -> impl Future<Output = Result<ProofOfDeath, ProviderError>> + Send {
        let call = End { computer, up_to, kind: EndKind::Stop };
        let answer = self.end(permit, call.clone());
        async move { ProofOfDeath::of(&call, answer.await?) }
    }

    /// Ends every instance of a computer up to a launch, and takes it away.
    ///
    /// # Guarantees
    /// Those of [`Provider::end`]. The fence stays for ever.
    ///
    /// # Assumptions
    /// Those of the trait.
    ///
    /// # Outcomes
    /// The proof, also if there was nothing.
    ///
    /// # Errors
    /// Those of [`Provider::end`], and [`ProviderError::Nonsense`] for an answer to another question.
    ///
    /// # Cancellation
    /// As for the trait.
    fn remove(
        &self,
        permit: IoPermit<'_>,
        computer: ComputerId,
        up_to: Launch,
    ) -> impl Future<Output = Result<ProofOfDeath, ProviderError>> + Send {
        let call = End { computer, up_to, kind: EndKind::Remove };
        let answer = self.end(permit, call.clone());
        async move { ProofOfDeath::of(&call, answer.await?) }
    }
}

macro_rules! forward {
    ($($method:ident($call:ty) -> $answer:ty;)*) => {$(
        fn $method(
            &self,
            permit: IoPermit<'_>,
            call: $call,
        ) -> impl Future<Output = Result<$answer, ProviderError>> + Send {
            (**self).$method(permit, call)
        }
    )*};
}

impl<P: Provider> Provider for Arc<P> {
    forward! {
        start(Start) -> StartOutcome;
        end(End) -> Ended;
        get(Get) -> Observation;
        watch(Watch) -> Observation;
    }

    fn list(&self, permit: IoPermit<'_>) -> impl Future<Output = Result<Vec<Observation>, ProviderError>> + Send {
        (**self).list(permit)
    }
}
