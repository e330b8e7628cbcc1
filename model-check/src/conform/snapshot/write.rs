//! Steps of the model as events of a trace: the table in `snapshot.rs`, read from left to right.

mod names;

use outlive_spec::snapshot::action::{Action, Attempt, Rollback};
use outlive_spec::snapshot::state::*;
use outlive_spec::trace::{Event, Outcome, Phase, Row, Side, Verb};

use names::Operations;

/// Who takes a step: its computer, and a gateway where the model leaves open which.
#[derive(Clone, Copy)]
pub(crate) struct Author {
    pub(crate) computer: usize,
    pub(crate) gateway: Gateway,
}

/// Gives names and numbers to everything that has none in the model: processes, computers, operations, commits.
pub(crate) struct Writer {
    computers: Vec<Speaker>,
    operations: Vec<Operations>,
    gateways: Vec<Speaker>,
    commit: u64,
}

struct Speaker {
    name: String,
    process: String,
    sequence: u64,
}

impl Speaker {
    fn new(name: String, process: String) -> Speaker {
        Speaker { name, process, sequence: 0 }
    }

    fn speak(&mut self) -> (String, u64) {
        self.sequence += 1;
        (self.process.clone(), self.sequence - 1)
    }
}

impl Writer {
    pub(crate) fn new(computers: usize, gateways: u32) -> Writer {
        let computer = |at| Speaker::new(format!("computer-{at}"), format!("computer-{at}/process"));
        let gateway = |at| Speaker::new(gateway_name(at), gateway_name(at));
        Writer {
            computers: (0..computers).map(computer).collect(),
            operations: (0..computers).map(|_| Operations::default()).collect(),
            gateways: (0..gateways).map(gateway).collect(),
            commit: 0,
        }
    }

    /// Everybody who may speak.
    pub(super) fn processes(&self) -> Vec<String> {
        self.gateways.iter().chain(&self.computers).map(|speaker| speaker.process.clone()).collect()
    }

    /// The step as a line can tell it; none if no line can. It is asked before the step is taken. A wipe whose sender
    /// has died needs the name of a gateway that does not wait for another wipe of the same incarnation.
    pub(super) fn as_a_line(&self, state: &State, action: &Action) -> Option<Action> {
        match *action {
            Action::Wipe(wipe, life, generation) => {
                let mut gateways = (0..self.gateways.len() as u32).map(Gateway);
                let is_free =
                    |by: &Gateway| !state.wipes.contains(&WipeCall { by: Some(*by), incarnation: wipe.incarnation });
                let by = wipe.by.or_else(|| gateways.find(is_free))?;
                Some(Action::Wipe(WipeCall { by: Some(by), ..wipe }, life, generation))
            }
            Action::Stamp(..) | Action::Forward(_) | Action::Discard(_) => None,
            Action::Restart(_)
            | Action::Ask(_)
            | Action::Register(..)
            | Action::Learn(_)
            | Action::Begin(_)
            | Action::Answer(..)
            | Action::Save(_)
            | Action::Claim(..)
            | Action::SendWipe(..)
            | Action::Finish(..)
            | Action::Load(_)
            | Action::Resolve(_)
            | Action::Perform(_)
            | Action::Rollback(_)
            | Action::Crash(_)
            | Action::Refuse(..) => Some(*action),
        }
    }

    /// The event of a step that has led to this state.
    pub(crate) fn event(&mut self, author: Author, state: &State, action: &Action) -> Event<'static> {
        let computer = &mut self.computers[author.computer];
        let refusal = if let Action::Refuse(attempt, because) = *action { Some((attempt, because)) } else { None };
        let (attempt, because) = refusal.unzip();
        let (verb, phase) = match attempt {
            Some(attempt) => kind_of_attempt(&attempt),
            None => kind(action),
        };
        let name = computer.name.clone();
        let speaks_for_itself = verb.side() == Side::Computer || verb == Verb::Register;
        let (process, sequence) = match speaks_for_itself {
            true => computer.speak(),
            false => self.gateways[driver(action).unwrap_or(author.gateway).0 as usize].speak(),
        };
        self.commit += 1;
        let mut event = Event { sequence, commit: Some(self.commit), ..Event::new(process, phase, verb, name) };
        let operation = self.operations[author.computer].of(action, self.commit);
        event.operation = operation.map(|number| format!("operation-{number}").into());
        event.because = because;
        event.outcome = if because.is_some() { Outcome::Refused } else { Outcome::Done };
        match attempt {
            Some(attempt) => tell_attempt(&mut event, author.computer, &attempt),
            None => tell(&mut event, author.computer, action),
        }
        event.row = (verb.side() == Side::Store).then(|| row(state));
        event
    }
}

fn tell(event: &mut Event<'static>, at: usize, action: &Action) {
    match *action {
        Action::Restart(life) => event.life = Some(life_name(at, life)),
        Action::Ask(question) => tell_attempt(event, at, &Attempt::Register(question)),
        Action::Register(question, minted) => {
            tell_attempt(event, at, &Attempt::Register(question));
            event.minted = Some(minted.0.into());
        }
        Action::Learn(incarnation) | Action::SendWipe(_, incarnation) => {
            event.incarnation = Some(incarnation.0.into());
        }
        Action::Begin(call) => tell_attempt(event, at, &Attempt::Answer(call)),
        Action::Answer(call, generation) => cite(event, Cited { stamp: call.stamp, generation }),
        Action::Save(save) | Action::Stamp(save, _) => cite(event, save.cited),
        Action::Claim(gateway, expected) => tell_attempt(event, at, &Attempt::Claim(gateway, expected)),
        Action::Wipe(wipe, life, generation) => {
            tell_attempt(event, at, &Attempt::Wipe(wipe));
            event.life = Some(life_name(at, life));
            event.generation = Some(generation.0.into());
        }
        Action::Finish(gateway, wiped, minted) => {
            tell_attempt(event, at, &Attempt::Finish(gateway, wiped));
            event.minted = Some(minted.0.into());
        }
        Action::Load(None) | Action::Discard(_) | Action::Crash(_) | Action::Refuse(..) => {}
        Action::Load(Some(cited)) | Action::Resolve(cited) | Action::Forward(cited) => cite(event, cited),
        Action::Perform(act) => cite(event, act.cited),
        Action::Rollback(rollback) => {
            tell_attempt(event, at, &Attempt::Rollback(rollback));
            event.minted = Some(rollback.minted.0.into());
        }
    }
}

fn tell_attempt(event: &mut Event<'static>, at: usize, attempt: &Attempt) {
    match *attempt {
        Attempt::Register(question) => {
            event.life = Some(life_name(at, question.life));
            event.expected = Some(question.expected.0.into());
        }
        Attempt::Answer(call) => event.incarnation = number(call.stamp),
        Attempt::Save(save) => cite(event, save.cited),
        Attempt::Claim(_, expected) => event.expected = Some(expected.0.into()),
        Attempt::Wipe(wipe) => {
            event.by = wipe.by.map(|by| gateway_name(by.0).into());
            event.incarnation = Some(wipe.incarnation.0.into());
        }
        Attempt::Finish(_, wiped) => event.incarnation = Some(wiped.0.into()),
        Attempt::Resolve(cited) => cite(event, cited),
        Attempt::Perform(act) => cite(event, act.cited),
        Attempt::Rollback(Rollback { to, expected, .. }) => {
            cite(event, to);
            event.expected = Some(expected.0.into());
        }
    }
}

fn cite(event: &mut Event<'static>, cited: Cited) {
    event.incarnation = number(cited.stamp);
    event.generation = Some(cited.generation.0.into());
}

fn number(stamp: Stamp) -> Option<u64> {
    match stamp {
        Stamp::Is(incarnation) => Some(incarnation.0.into()),
        Stamp::Unknown | Stamp::Pending => None,
    }
}

fn life_name(computer: usize, life: Life) -> outlive_spec::trace::Text<'static> {
    format!("life-{computer}-{}", life.0).into()
}

fn gateway_name(number: u32) -> String {
    format!("gateway-{number}")
}

fn row(state: &State) -> Row {
    let store = &state.store;
    let page = store.page.map(|stored| (number(stored.cited.stamp).unwrap_or(0), stored.cited.generation.0.into()));
    Row { incarnation: store.incarnation.0.into(), resetting: store.is_resetting, since: store.since.0.into(), page }
}

/// The gateway that the action itself names.
fn driver(action: &Action) -> Option<Gateway> {
    if let Action::Claim(gateway, _)
    | Action::SendWipe(gateway, _)
    | Action::Finish(gateway, ..)
    | Action::Crash(gateway)
    | Action::Refuse(Attempt::Claim(gateway, _) | Attempt::Finish(gateway, _), _) = *action
    {
        return Some(gateway);
    }
    None
}

fn kind(action: &Action) -> (Verb, Phase) {
    match action {
        Action::Restart(_) => (Verb::Restart, Phase::Commit),
        Action::Ask(_) => (Verb::Ask, Phase::Observe),
        Action::Register(..) => (Verb::Register, Phase::Commit),
        Action::Learn(_) => (Verb::Learn, Phase::Commit),
        Action::Begin(_) => (Verb::Begin, Phase::Observe),
        Action::Answer(..) => (Verb::Answer, Phase::Commit),
        Action::Save(_) | Action::Stamp(..) => (Verb::Save, Phase::Commit),
        Action::Claim(..) => (Verb::Claim, Phase::Commit),
        Action::SendWipe(..) => (Verb::SendWipe, Phase::Observe),
        Action::Wipe(..) => (Verb::Wipe, Phase::Commit),
        Action::Finish(..) => (Verb::Finish, Phase::Commit),
        Action::Load(_) | Action::Discard(_) => (Verb::Load, Phase::Observe),
        Action::Resolve(_) | Action::Forward(_) => (Verb::Resolve, Phase::Observe),
        Action::Perform(_) => (Verb::Perform, Phase::Commit),
        Action::Rollback(_) => (Verb::Rollback, Phase::Commit),
        Action::Crash(_) => (Verb::Crash, Phase::Marker),
        Action::Refuse(attempt, _) => kind_of_attempt(attempt),
    }
}

fn kind_of_attempt(attempt: &Attempt) -> (Verb, Phase) {
    match attempt {
        Attempt::Register(_) => (Verb::Register, Phase::Commit),
        Attempt::Answer(_) => (Verb::Answer, Phase::Commit),
        Attempt::Save(_) => (Verb::Save, Phase::Commit),
        Attempt::Claim(..) => (Verb::Claim, Phase::Commit),
        Attempt::Wipe(_) => (Verb::Wipe, Phase::Commit),
        Attempt::Finish(..) => (Verb::Finish, Phase::Commit),
        Attempt::Resolve(_) => (Verb::Resolve, Phase::Observe),
        Attempt::Perform(_) => (Verb::Perform, Phase::Commit),
        Attempt::Rollback(_) => (Verb::Rollback, Phase::Commit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wipe_of_the_dead_is_told_with_the_name_of_one_who_waits_for_none() {
        let writer = Writer::new(1, 2);
        let mut state = State::default();
        let orphan = WipeCall { by: None, incarnation: Incarnation(1) };
        let awaited = |gateway| WipeCall { by: Some(Gateway(gateway)), ..orphan };
        let wipe = Action::Wipe(orphan, Life(2), Generation(0));
        let said = |state: &State| {
            let Some(Action::Wipe(wipe, ..)) = writer.as_a_line(state, &wipe) else { return None };
            wipe.by
        };
        state.wipes.insert(awaited(0));
        assert_eq!(said(&state), Some(Gateway(1)));
        state.wipes.insert(awaited(1));
        assert_eq!(said(&state), None, "whoever is named would be taken to wait for it");
    }
}
