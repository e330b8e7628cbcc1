//! What a trace has shown: how many lines of which kind, which actions with which outcomes, and how often it was
//! dangerous. A check of a trace in which nothing was at stake proves little, and this says how much was.

use outlive_spec::requirement::Requirement;
use outlive_spec::snapshot::state::{Gateway, Memory, State};
use outlive_spec::trace::{Event, Outcome, Phase, Verb};
use schemars::JsonSchema;
use serde::Serialize;

use super::open::Taken;
use super::snapshot::{Said, Track};

const VERBS: usize = Verb::ALL.len();
/// Done, or refused by one of the requirements, or unknown.
const ENDS: usize = 2 + Requirement::ALL.len();
const UNKNOWN: usize = ENDS - 1;

/// What a trace has shown.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    /// Events that are steps, and were found in the model.
    pub(super) matched: u64,
    /// Reads that decide, and were found in the model.
    pub(super) observed: u64,
    /// Events that are no step of the protocol.
    pub(super) markers: u64,
    /// How often it was dangerous.
    pub(super) windows: Windows,
    ends: [[u64; ENDS]; VERBS],
}

impl Default for Tally {
    fn default() -> Self {
        Tally { matched: 0, observed: 0, markers: 0, windows: Windows::default(), ends: [[0; ENDS]; VERBS] }
    }
}

/// An action with one of its outcomes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Fired {
    /// As it is written in a trace.
    pub action: Verb,
    /// How it ended.
    pub outcome: Outcome,
    /// If it was refused: by which requirement.
    pub because: Option<Requirement>,
    /// How often.
    pub count: u64,
}

impl Fired {
    /// How it ended, for people.
    pub fn end(&self) -> String {
        match (self.because, self.outcome) {
            (Some(because), _) => format!("refused {because}"),
            (None, Outcome::Unknown) => "unknown".to_owned(),
            (None, Outcome::Done | Outcome::Refused) => "done".to_owned(),
        }
    }
}

impl Tally {
    #[inline]
    pub(super) fn count(&mut self, event: &Event<'_>, window: Option<Window>, taken: Taken) {
        let is_unknown = event.outcome == Outcome::Unknown;
        match (taken, event.phase) {
            (Taken::Step, Phase::Commit | Phase::Begin | Phase::End) => self.matched += 1,
            (Taken::Step, Phase::Observe) => self.observed += 1,
            (Taken::Step, Phase::Marker) | (Taken::Word, _) => self.markers += 1,
        }
        if taken == Taken::Step || is_unknown {
            let end = event.because.map_or(0, |because| 1 + because as usize);
            self.ends[event.action as usize][if is_unknown { UNKNOWN } else { end }] += 1;
        }
        if let (Some(window), Taken::Step) = (window, taken) {
            self.windows.counts[window as usize] += 1;
        }
    }

    /// Events that were taken.
    pub(super) fn events(&self) -> u64 {
        self.matched + self.observed + self.markers
    }

    /// The actions by outcome, without those that never ended so.
    pub(super) fn coverage(&self) -> Vec<Fired> {
        let mut fired = Vec::new();
        let done = std::iter::once((Outcome::Done, None));
        let refused = Requirement::ALL.iter().map(|because| (Outcome::Refused, Some(*because)));
        let outcomes: Vec<_> = done.chain(refused).chain([(Outcome::Unknown, None)]).collect();
        for (&action, ends) in Verb::ALL.iter().zip(&self.ends) {
            for (&(outcome, because), &count) in outcomes.iter().zip(ends).filter(|(_, count)| **count > 0) {
                fired.push(Fired { action, outcome, because, count });
            }
        }
        fired
    }
}

macro_rules! windows {
    ($($name:ident $word:literal $sentence:literal)*) => {
        /// A moment in which a wrong implementation goes wrong.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        pub enum Window { $(#[doc = $sentence] $name,)* }

        impl Window {
            /// All of them.
            pub const ALL: &'static [Window] = &[$(Window::$name),*];

            /// For tables and command lines.
            pub fn name(self) -> &'static str { match self { $(Window::$name => $word,)* } }

            /// What happens in it.
            pub fn sentence(self) -> &'static str { match self { $(Window::$name => $sentence,)* } }
        }
    };
}

windows! {
    ResetWhileSaving "reset-while-saving" "a reset was claimed while a save was in flight"
    LateSave "late-save" "a late save was refused by the fence"
    RestartWhileCalled "restart-while-called" "a computer restarted between a call and its answer"
    CrashWhileResetting "crash-while-resetting" "a gateway crashed that had sent a wipe, before the reset was ended"
    LateRegistration "late-registration" "a registration was refused, since another came first"
    LateWipe "late-wipe" "a computer refused a wipe that was meant for another life"
}

/// How often each [`Window`] was open.
#[derive(Clone, Debug, Default)]
pub(super) struct Windows {
    counts: [u64; Window::ALL.len()],
}

impl Windows {
    /// The window that the event opens if it is taken, seen from before it is.
    #[inline]
    pub(super) fn before(&self, track: &Track, said: &Said<'_, '_>) -> Option<Window> {
        let (state, Said { event, gateway, .. }) = (&track.state, *said);
        match (event.action, event.outcome) {
            (Verb::Claim, Outcome::Done) => (!state.saves.is_empty()).then_some(Window::ResetWhileSaving),
            (Verb::Save, Outcome::Refused) => (event.because == Some(Requirement::Save3)).then_some(Window::LateSave),
            (Verb::Restart, Outcome::Done) => track.is_called().then_some(Window::RestartWhileCalled),
            (Verb::Crash, Outcome::Done) => drives_a_reset(state, gateway).then_some(Window::CrashWhileResetting),
            (Verb::Register, Outcome::Refused) => Some(Window::LateRegistration),
            (Verb::Wipe, Outcome::Refused) => Some(Window::LateWipe),
            _ => None,
        }
    }

    /// How often each window was open.
    pub(super) fn counts(&self) -> impl Iterator<Item = (Window, u64)> {
        Window::ALL.iter().copied().zip(self.counts)
    }
}

/// Whether a reset loses something if this gateway dies: its wipe is under way, or it alone has heard of one. A gateway
/// that only claimed the reset leaves nothing behind in the model, for whoever comes next sees the claim in the row.
fn drives_a_reset(state: &State, gateway: Gateway) -> bool {
    let has_sent_a_wipe = state.wipes.iter().any(|wipe| wipe.by == Some(gateway));
    let has_heard = state.gateways.get(gateway) != Memory::Nothing;
    state.store.is_resetting && (has_sent_a_wipe || has_heard)
}
