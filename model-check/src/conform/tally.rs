//! What a trace has shown: how many lines of which kind, which actions with which outcomes, and how often it was
//! dangerous. A check of a trace in which nothing was at stake proves little, and this says how much was.

use outlive_spec::requirement::Requirement;
use outlive_spec::trace::{Event, Outcome, Phase, Verb};
use schemars::JsonSchema;
use serde::Serialize;

use super::open::Taken;
use super::report::Opened;
use super::track::Window;

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
    /// How often each danger window was open, in the protocol's order.
    windows: Vec<u64>,
    ends: [[u64; ENDS]; VERBS],
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
    /// Nothing yet, of a protocol with so many danger windows.
    pub(super) fn new(windows: usize) -> Tally {
        Tally { matched: 0, observed: 0, markers: 0, windows: vec![0; windows], ends: [[0; ENDS]; VERBS] }
    }

    #[inline]
    pub(super) fn count(&mut self, event: &Event<'_>, window: Option<usize>, taken: Taken) {
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
            self.windows[window] += 1;
        }
    }

    /// Events that were taken.
    pub(super) fn events(&self) -> u64 {
        self.matched + self.observed + self.markers
    }

    /// How often each of these windows was open.
    pub(super) fn windows(&self, windows: &[Window]) -> Vec<Opened> {
        let opened = windows.iter().zip(&self.windows);
        let opened = opened.map(|(window, count)| Opened {
            window: window.name.to_owned(),
            sentence: window.sentence.to_owned(),
            count: *count,
        });
        opened.collect()
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
