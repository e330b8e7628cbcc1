//! A provider in memory that does what a test plans for it: it loses, delays, repeats and garbles, and holds a call at
//! a named point until it is released. Nothing sleeps.
//!
//! A call is sent when its method is called. What it does is done by the provider, not by whoever polls the future: so
//! a call whose caller has died takes effect when the test says.

mod faults;
mod world;

use std::collections::BTreeMap;
use std::future::Future;

use tokio::sync::{Notify, oneshot};

pub use faults::{Fault, Point, Verb};

use crate::error::ProviderError;
use crate::id::ComputerId;
use crate::locks::IoPermit;
use crate::provider::{End, Ended, Get, Observation, Provider, Start, StartOutcome, Watch};
use crate::sync::Mutex;
use crate::trace::ProviderRecorder;
use faults::{FaultPlan, lost, nonsense, refused};
use world::World;

/// A provider in memory.
#[derive(Default)]
pub struct FakeProvider {
    state: Mutex<State>,
    /// Told after each change of the state, once it is unlocked.
    changed: Notify,
}

#[derive(Default)]
struct State {
    world: World,
    plan: FaultPlan,
    parked: Vec<(Verb, GoOn)>,
    /// The last call of each verb, to be delivered again.
    sent: BTreeMap<Verb, Again>,
}

type GoOn = Box<dyn FnOnce(&mut World) + Send>;
type Again = Box<dyn Fn(&mut World) + Send>;

impl FakeProvider {
    /// A provider of nothing, without faults.
    pub fn new() -> FakeProvider {
        FakeProvider::default()
    }

    /// The same, which records what it does, under the lock under which it does it.
    pub fn recording(recorder: ProviderRecorder) -> FakeProvider {
        let state = State { world: World::recording(recorder), ..State::default() };
        FakeProvider { state: Mutex::new(state), changed: Notify::new() }
    }

    /// The same, but a change is no report: it tells how a computer is when a test has it [`FakeProvider::report`].
    pub fn silent(recorder: ProviderRecorder) -> FakeProvider {
        let state = State { world: World::silent(recorder), ..State::default() };
        FakeProvider { state: Mutex::new(state), changed: Notify::new() }
    }

    /// Plans what becomes of the next call of this verb for which nothing is planned yet.
    ///
    /// # Panics
    /// If that cannot become of this verb.
    pub fn plan(&self, verb: Verb, fault: Fault) {
        self.change(|state| state.plan.add(verb, fault));
    }

    /// Waits until a call of this verb is parked.
    ///
    /// # Cancellation
    /// Nothing has changed.
    pub async fn until_parked(&self, verb: Verb) {
        self.until(|state| state.parked.iter().any(|(parked, _)| *parked == verb).then_some(())).await;
    }

    /// Lets the call of this verb go on that has been parked for the longest time.
    ///
    /// # Panics
    /// If none is parked.
    pub fn release(&self, verb: Verb) {
        self.change(|state| {
            let at = state.parked.iter().position(|(parked, _)| *parked == verb);
            let (_, go_on) = state.parked.remove(at.unwrap_or_else(|| panic!("no {verb:?} is parked")));
            go_on(&mut state.world);
        });
    }

    /// Delivers the last call of this verb once more. Nobody hears the answer.
    ///
    /// # Panics
    /// If there was none.
    pub fn repeat(&self, verb: Verb) {
        self.change(|state| {
            let again = state.sent.get(&verb).unwrap_or_else(|| panic!("no {verb:?} was sent before"));
            again(&mut state.world);
        });
    }

    // -- what happens at a provider without a call

    /// Admits the instance. False, and nothing happens, unless it boots.
    #[must_use = "a scenario that goes another way has failed"]
    pub fn admit(&self, computer: &ComputerId) -> bool {
        self.change(|state| state.world.admit(computer))
    }

    /// The instance exits. False, and nothing happens, unless it runs.
    #[must_use = "a scenario that goes another way has failed"]
    pub fn exit(&self, computer: &ComputerId) -> bool {
        self.change(|state| state.world.exit(computer))
    }

    /// The restart policy starts the instance again. False, and nothing happens, unless it has exited and is armed.
    #[must_use = "a scenario that goes another way has failed"]
    pub fn revive(&self, computer: &ComputerId) -> bool {
        self.change(|state| state.world.revive(computer))
    }

    /// Somebody outside takes the instance away. False, and nothing happens, if there is none.
    #[must_use = "a scenario that goes another way has failed"]
    pub fn vanish(&self, computer: &ComputerId) -> bool {
        self.change(|state| state.world.vanish(computer))
    }

    /// It tells how the computer is, under the next mark, whether anything has changed or not.
    pub fn report(&self, computer: &ComputerId) -> Observation {
        self.change(|state| state.world.report(computer))
    }

    // -- how a call goes

    fn fault(&self, verb: Verb) -> Option<Fault> {
        self.change(|state| state.plan.next(verb))
    }

    /// Sends a call. The future is its answer, and nothing else: whoever drops it changes nothing.
    fn send<T: Send + 'static, E: Fn(&mut World) -> T + Clone + Send + 'static>(
        &self,
        verb: Verb,
        fault: Option<Fault>,
        effect: E,
    ) -> impl Future<Output = Result<T, ProviderError>> + Send + use<T, E> {
        let (caller, answer) = oneshot::channel();
        // A caller that is gone has given up the answer.
        let tell = |told| drop(caller.send(told));
        let is_panic = matches!(fault, Some(Fault::Panic));
        self.change(|state| {
            let again = effect.clone();
            state.sent.insert(verb, Box::new(move |world| drop(again(world))));
            match fault {
                Some(Fault::Lose | Fault::Panic) => tell(Err(lost("the call was lost"))),
                Some(Fault::Refuse) => tell(Err(refused())),
                Some(Fault::LoseAnswer) => {
                    effect(&mut state.world);
                    tell(Err(lost("the answer was lost")));
                }
                Some(Fault::Nonsense) => {
                    effect(&mut state.world);
                    tell(Err(nonsense()));
                }
                Some(Fault::Park(Point::BeforeEffect)) => {
                    state.parked.push((verb, Box::new(move |world| tell(Ok(effect(world))))));
                }
                Some(Fault::Park(Point::BeforeAnswer)) => {
                    let answered = effect(&mut state.world);
                    state.parked.push((verb, Box::new(move |_| tell(Ok(answered)))));
                }
                // The effect of these is another one already.
                Some(Fault::Past(_) | Fault::LeaveOut(_)) | None => tell(Ok(effect(&mut state.world))),
            }
        });
        async move {
            assert!(!is_panic, "a panic was planned for this {verb:?}");
            answer.await.unwrap_or_else(|_| Err(lost("the provider is gone")))
        }
    }

    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let changed = change(&mut self.state.lock());
        // The state is unlocked: whoever is woken looks at it.
        self.changed.notify_waiters();
        changed
    }

    async fn until<T>(&self, look: impl Fn(&State) -> Option<T>) -> T {
        loop {
            // Before the look: what changes behind it wakes as well.
            let changed = self.changed.notified();
            let found = look(&self.state.lock());
            if let Some(found) = found {
                return found;
            }
            changed.await;
        }
    }
}

impl Provider for FakeProvider {
    fn start(&self, _: IoPermit<'_>, call: Start) -> impl Future<Output = Result<StartOutcome, ProviderError>> + Send {
        self.send(Verb::Start, self.fault(Verb::Start), move |world| world.start(&call))
    }

    fn end(&self, _: IoPermit<'_>, call: End) -> impl Future<Output = Result<Ended, ProviderError>> + Send {
        self.send(Verb::End, self.fault(Verb::End), move |world| world.end(&call))
    }

    fn get(&self, _: IoPermit<'_>, call: Get) -> impl Future<Output = Result<Observation, ProviderError>> + Send {
        self.send(Verb::Get, self.fault(Verb::Get), move |world| world.get(&call))
    }

    fn list(&self, _: IoPermit<'_>) -> impl Future<Output = Result<Vec<Observation>, ProviderError>> + Send {
        let fault = self.fault(Verb::List);
        let (age, left_out) = match &fault {
            Some(Fault::Past(age)) => (*age, None),
            Some(Fault::LeaveOut(computer)) => (0, Some(computer.clone())),
            Some(Fault::Lose | Fault::LoseAnswer | Fault::Refuse | Fault::Nonsense | Fault::Panic | Fault::Park(_))
            | None => (0, None),
        };
        self.send(Verb::List, fault, move |world| world.list(age, left_out.as_ref()))
    }

    fn watch(&self, _: IoPermit<'_>, call: Watch) -> impl Future<Output = Result<Observation, ProviderError>> + Send {
        let fault = self.fault(Verb::Watch);
        let age = if let Some(Fault::Past(age)) = &fault { Some(*age) } else { None };
        let asked = call.computer.clone();
        let sent =
            self.send(Verb::Watch, fault, move |world| age.and_then(|age| world.report_of_the_past(&asked, age)));
        async move {
            match sent.await? {
                Some(old) => Ok(old),
                None => Ok(self.until(|state| state.world.report_beyond(&call)).await),
            }
        }
    }
}
