//! Steps of the model as events of a trace: the table in `operation.rs`, read from left to right.

use outlive_spec::operation::action::{Action, Attempt, Conclusion};
use outlive_spec::operation::state::*;
use outlive_spec::trace::{self, Event, Outcome as Ends, Phase as Moment, Side, Standing, Verb};

/// Gives names and numbers to everything that has none in the model: processes, computers, commits.
pub(crate) struct Writer {
    /// How many events each process has: the provider first, and then the gateways by their numbers.
    sequences: Vec<u64>,
    commit: u64,
}

impl Writer {
    /// For so many gateways, with those that come in place of the dead.
    pub(crate) fn new(gateways: u32) -> Writer {
        Writer { sequences: vec![0; gateways as usize + 1], commit: 0 }
    }

    /// Everybody who may speak.
    pub(super) fn processes(&self) -> Vec<String> {
        (0..self.sequences.len()).map(process).collect()
    }

    /// The event of a step that has led to this state; none, if nobody tells of such a step.
    pub(crate) fn event(&mut self, computer: usize, state: &State, action: &Action) -> Option<Event<'static>> {
        let refusal = if let Action::Refuse(attempt, because) = *action { Some((attempt, because)) } else { None };
        let (attempt, because) = refusal.unzip();
        let (verb, speaker) = match attempt {
            Some(attempt) => attempted(&attempt),
            None => done(action)?,
        };
        let moment = match verb.side() {
            Side::Store | Side::Provider | Side::Computer => Moment::Commit,
            Side::Gateway if verb == Verb::Crash => Moment::Marker,
            Side::Gateway => Moment::Observe,
        };
        let place = speaker.map_or(0, |gateway| gateway.0 as usize);
        let sequence = self.sequences[place];
        self.sequences[place] += 1;
        self.commit += 1;
        let event = Event::new(process(place), moment, verb, format!("computer-{computer}"));
        let mut event = Event { sequence, commit: Some(self.commit), because, ..event };
        event.outcome = if because.is_some() { Ends::Refused } else { Ends::Done };
        match attempt {
            Some(attempt) => tell_attempt(&mut event, &attempt),
            None => tell(&mut event, state, action),
        }
        event.standing = (verb.side() == Side::Store).then(|| standing(&state.row));
        Some(event)
    }
}

fn process(place: usize) -> String {
    if place == 0 { "provider".to_owned() } else { format!("gateway-{place}") }
}

/// What is done, and by which gateway; none, for what only a rejected variant does.
fn done(action: &Action) -> Option<(Verb, Option<Gateway>)> {
    Some(match *action {
        Action::Start(gateway, _) => (Verb::Start, Some(gateway)),
        Action::StartUnclaimed(gateway, _) => (Verb::StartUnclaimed, Some(gateway)),
        Action::Stop(gateway) => (Verb::Stop, Some(gateway)),
        Action::Delete(gateway) => (Verb::Delete, Some(gateway)),
        Action::Recover(gateway, _) => (Verb::Recover, Some(gateway)),
        Action::Send(gateway, _) => (Verb::Send, Some(gateway)),
        Action::Arrive(_) => (Verb::Arrive, None),
        Action::Admit(_) => (Verb::Admit, None),
        Action::Hear(gateway, ..) => (Verb::Hear, Some(gateway)),
        Action::Fail(gateway) => (Verb::Fail, Some(gateway)),
        Action::Settle(gateway, ..) => (Verb::Settle, Some(gateway)),
        Action::Read(gateway, ..) => (Verb::Read, Some(gateway)),
        Action::Get(gateway, _) => (Verb::Get, Some(gateway)),
        Action::Conclude(gateway, _) => (Verb::Conclude, Some(gateway)),
        Action::Exit(_) => (Verb::Exit, None),
        Action::Revive(_) => (Verb::Revive, None),
        Action::Vanish(_) => (Verb::Vanish, None),
        Action::Report(_) => (Verb::Report, None),
        Action::Deliver(gateway, ..) => (Verb::Deliver, Some(gateway)),
        Action::Crash(gateway, _) => (Verb::Crash, Some(gateway)),
        Action::Yield(_) | Action::Refuse(..) => return None,
    })
}

fn attempted(attempt: &Attempt) -> (Verb, Option<Gateway>) {
    match *attempt {
        Attempt::Start(gateway) => (Verb::Start, Some(gateway)),
        Attempt::Stop(gateway) => (Verb::Stop, Some(gateway)),
        Attempt::Delete(gateway) => (Verb::Delete, Some(gateway)),
        Attempt::Recover(gateway, _) => (Verb::Recover, Some(gateway)),
        Attempt::Arrive(_) => (Verb::Arrive, None),
        Attempt::Settle(gateway, _) => (Verb::Settle, Some(gateway)),
        Attempt::Conclude(gateway, _) => (Verb::Conclude, Some(gateway)),
        Attempt::Deliver(gateway, _) => (Verb::Deliver, Some(gateway)),
        Attempt::Revive(_) => (Verb::Revive, None),
    }
}

fn tell(event: &mut Event<'static>, state: &State, action: &Action) {
    match *action {
        Action::Start(_, launch)
        | Action::StartUnclaimed(_, launch)
        | Action::Admit(launch)
        | Action::Exit(launch)
        | Action::Revive(launch)
        | Action::Vanish(launch) => event.launch = Some(launch.0.into()),
        Action::Recover(_, call) | Action::Send(_, call) | Action::Arrive(call) => tell_call(event, call),
        Action::Hear(gateway, outcome, mark) => {
            tell_driven(event, state, gateway);
            event.ending = Some(ending(outcome));
            event.mark = Some(mark.0.into());
        }
        Action::Fail(gateway) => {
            tell_driven(event, state, gateway);
            event.kind = None;
        }
        Action::Settle(_, call, outcome) => {
            tell_call(event, call);
            event.ending = Some(ending(outcome));
        }
        Action::Read(_, revision, launch) => {
            event.revision = Some(revision.0.into());
            event.launch = Some(launch.0.into());
        }
        Action::Get(_, observation) | Action::Report(observation) => observe(event, observation),
        Action::Conclude(_, conclusion) => event.conclusion = Some(word(conclusion)),
        Action::Deliver(_, observation, conclusion) => {
            observe(event, observation);
            event.conclusion = Some(word(conclusion));
        }
        Action::Stop(_) | Action::Delete(_) | Action::Crash(..) | Action::Yield(_) | Action::Refuse(..) => {}
    }
}

fn tell_attempt(event: &mut Event<'static>, attempt: &Attempt) {
    match *attempt {
        Attempt::Start(_) | Attempt::Stop(_) | Attempt::Delete(_) => {}
        Attempt::Recover(_, call) | Attempt::Arrive(call) => tell_call(event, call),
        Attempt::Settle(_, call) => {
            tell_call(event, call);
            // Whatever it was: it is dropped.
            event.ending = Some(trace::Ending::Done);
        }
        Attempt::Conclude(_, conclusion) => event.conclusion = Some(word(conclusion)),
        Attempt::Deliver(_, observation) => observe(event, observation),
        Attempt::Revive(launch) => event.launch = Some(launch.0.into()),
    }
}

/// The operation that this gateway drives.
fn tell_driven(event: &mut Event<'static>, state: &State, gateway: Gateway) {
    let driven = state.gateways.get(gateway).and_then(|memory| memory.operation);
    driven.into_iter().for_each(|operation| tell_call(event, operation.call()));
}

fn tell_call(event: &mut Event<'static>, call: Call) {
    event.kind = Some(match call.kind {
        Kind::Start => trace::Kind::Start,
        Kind::Stop => trace::Kind::Stop,
        Kind::Delete => trace::Kind::Delete,
    });
    event.launch = Some(call.launch.0.into());
}

fn observe(event: &mut Event<'static>, observation: Observation) {
    event.launch = Some(observation.launch.0.into());
    event.condition = Some(match observation.seen {
        Some(Condition::Booting) => trace::Condition::Booting,
        Some(Condition::Up) => trace::Condition::Up,
        Some(Condition::Exited) => trace::Condition::Exited,
        None => trace::Condition::Absent,
    });
    event.mark = Some(observation.mark.0.into());
}

fn ending(outcome: Outcome) -> trace::Ending {
    match outcome {
        Outcome::Done => trace::Ending::Done,
        Outcome::Failed => trace::Ending::Failed,
    }
}

fn word(conclusion: Conclusion) -> trace::Conclusion {
    match conclusion {
        Conclusion::Nothing => trace::Conclusion::Nothing,
        Conclusion::Ready => trace::Conclusion::Ready,
        Conclusion::Error => trace::Conclusion::Error,
        Conclusion::Prune => trace::Conclusion::Prune,
    }
}

fn standing(row: &Row) -> Standing<'static> {
    let phase = match row.phase {
        Phase::Stopped => trace::ComputerPhase::Stopped,
        Phase::Starting => trace::ComputerPhase::Starting,
        Phase::Ready => trace::ComputerPhase::Ready,
        Phase::Error => trace::ComputerPhase::Error,
        Phase::Stopping => trace::ComputerPhase::Stopping,
        Phase::Deleting => trace::ComputerPhase::Deleting,
        Phase::Gone => trace::ComputerPhase::Gone,
    };
    Standing {
        revision: row.revision.0.into(),
        phase,
        launch: row.launch.0.into(),
        owner: row.owner.map(|owner| process(owner.0 as usize).into()),
        mark: row.mark.0.into(),
    }
}
