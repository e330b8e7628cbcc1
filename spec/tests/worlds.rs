//! The first states of small worlds, under the rules of each variant. What is counted there is one text: whoever
//! changes a rule, a guard or a bound sees at once, and in this crate alone, which variants notice.
//!
//! What a number should be is settled elsewhere, by the searches of the command and by the tables of lengths.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt::Write;

use outlive_spec::induction::{Inductive, Scope};
use outlive_spec::operation::bounds::Bounds as OperationBounds;
use outlive_spec::operation::{self, Operations};
use outlive_spec::protocol::{Cut, Outlook, Protocol};
use outlive_spec::snapshot::bounds::Bounds as SnapshotBounds;
use outlive_spec::snapshot::{self, Snapshot};

/// So many states of each world are looked at, the nearest first.
const NEAREST: usize = 1_200;

/// What a walk has met.
#[derive(Default)]
struct Counts {
    states: usize,
    /// Classes of states that differ in names alone.
    alike: usize,
    settled: usize,
    /// States at which a bound cut something off.
    cut: usize,
    /// States by response in which somebody waits, and in which what was waited for is there.
    waits: Vec<usize>,
    answered: Vec<usize>,
    phases: HashMap<&'static str, usize>,
    /// Steps by their kind; refusals by their requirement; steps on which recovery may rely, that can change something,
    /// and that do harm, by property.
    kinds: Vec<usize>,
    refusals: HashMap<&'static str, usize>,
    progress: usize,
    may_change: usize,
    broken: Vec<usize>,
    harms: usize,
    /// Steps by the class that fairness speaks of, and proposals by the requirement that forbids them.
    classes: Vec<usize>,
    forbidden: HashMap<&'static str, usize>,
}

fn walk<P: Protocol>(protocol: &P) -> Counts {
    let mut counts = Counts {
        kinds: vec![0; protocol.kinds().len()],
        broken: vec![0; protocol.properties().len()],
        classes: vec![0; protocol.classes().len()],
        waits: vec![0; protocol.responses().len()],
        answered: vec![0; protocol.responses().len()],
        ..Counts::default()
    };
    let mut seen: HashSet<P::State> = protocol.initial().into_iter().collect();
    let mut alike = HashSet::new();
    let mut queue: VecDeque<P::State> = seen.iter().cloned().collect();
    while let Some(state) = queue.pop_front() {
        assert_eq!(protocol.unpack(&protocol.pack(&state)), state);
        look(protocol, &state, &mut counts, &mut alike);
        let mut proposals = Vec::new();
        counts.cut += usize::from(protocol.actions(&state, &mut proposals) == Cut::ByABound);
        for action in proposals {
            let mut next = state.clone();
            if let Err(guard) = protocol.apply(&mut next, &action) {
                *counts.forbidden.entry(guard.requirement.id()).or_default() += 1;
                continue;
            }
            take(protocol, &state, &action, &next, &mut counts);
            protocol.forgive(&mut next);
            if seen.len() < NEAREST && seen.insert(next.clone()) {
                queue.push_back(next);
            }
        }
    }
    counts.states = seen.len();
    counts.alike = alike.len();
    counts
}

fn look<P: Protocol>(protocol: &P, state: &P::State, counts: &mut Counts, alike: &mut HashSet<P::State>) {
    let mut representative = state.clone();
    protocol.represent(&mut representative);
    alike.insert(representative);
    counts.settled += usize::from(protocol.is_settled(state));
    *counts.phases.entry(protocol.phase(state)).or_default() += 1;
    for response in 0..protocol.responses().len() {
        match protocol.outlook(response, state) {
            Outlook::Nothing => {}
            Outlook::Waits => counts.waits[response] += 1,
            Outlook::Answered => counts.answered[response] += 1,
        }
    }
}

fn take<P: Protocol>(protocol: &P, state: &P::State, action: &P::Action, next: &P::State, counts: &mut Counts) {
    counts.kinds[protocol.kind(action)] += 1;
    if let Some(requirement) = protocol.refuses_by(action) {
        *counts.refusals.entry(requirement.id()).or_default() += 1;
    }
    counts.progress += usize::from(protocol.is_progress(state, action));
    counts.may_change += usize::from(protocol.may_change(action));
    protocol.classes_of(state, action).iter().for_each(|class| counts.classes[class] += 1);
    let broken = protocol.broken(next);
    (0..counts.broken.len()).filter(|place| broken.has(*place)).for_each(|place| counts.broken[place] += 1);
    counts.harms += usize::from(!protocol.harms(next).is_empty());
}

/// The right rules in full, and a line for each other variant.
fn told<P: Protocol>(name: &str, protocol: &P, is_right: bool, out: &mut String) {
    let counts = walk(protocol);
    let Counts { states, alike, settled, cut, progress, may_change, harms, .. } = counts;
    let sum = |counts: &HashMap<&'static str, usize>| counts.values().sum::<usize>();
    let steps: usize = counts.kinds.iter().sum();
    let _written = writeln!(
        out,
        "{name}: {states} states ({alike} but for names), {settled} settled, {cut} cut; {steps} steps ({progress} are \
         progress, {may_change} may change something, {} are refusals), {} proposals forbidden; {harms} do harm",
        sum(&counts.refusals),
        sum(&counts.forbidden),
    );
    let sorted = |counts: HashMap<&'static str, usize>| {
        let mut sorted: Vec<(&str, usize)> = counts.into_iter().collect();
        sorted.sort_unstable();
        sorted
    };
    let mut line = |is_told: bool, what: &str, numbers: Vec<(&str, usize)>| {
        let numbers = numbers.iter().filter(|(_, number)| *number > 0).map(|(name, number)| format!("{name} {number}"));
        let numbers: Vec<String> = numbers.collect();
        if is_told && !numbers.is_empty() {
            let _written = writeln!(out, "  {what}: {}", numbers.join(", "));
        }
    };
    line(true, "breaks", protocol.properties().iter().map(|it| it.name).zip(counts.broken).collect());
    line(is_right, "phases", sorted(counts.phases));
    line(is_right, "steps", protocol.kinds().iter().copied().zip(counts.kinds).collect());
    line(is_right, "refused by", sorted(counts.refusals));
    line(is_right, "forbidden by", sorted(counts.forbidden));
    line(is_right, "waits", protocol.responses().iter().map(|it| it.property.name).zip(counts.waits).collect());
    line(is_right, "answered", protocol.responses().iter().map(|it| it.property.name).zip(counts.answered).collect());
    line(is_right, "classes", protocol.classes().iter().map(|it| it.name).zip(counts.classes).collect());
}

#[test]
fn the_first_states_of_snapshots_are_as_many_as_reviewed() {
    let bounds = SnapshotBounds {
        lives: 3,
        incarnations: 3,
        generations: 2,
        gateways: 2,
        questions: 2,
        calls: 1,
        saves: 2,
        wipes: 2,
        acts: 1,
        shown: 1,
    };
    let mut out = String::new();
    for (place, (info, rules)) in snapshot::variants::VARIANTS.iter().enumerate() {
        told(info.name, &Snapshot { rules: *rules, bounds }, place == 0, &mut out);
    }
    insta::assert_snapshot!(out);
}

#[test]
fn the_first_states_of_operations_are_as_many_as_reviewed() {
    // One start under two gateways, and two starts under one.
    let of_two =
        OperationBounds { launches: 1, unclaimed: 1, marks: 1, gateways: 2, lives: 2, looks: 1, calls: 1, reports: 1 };
    let of_one = OperationBounds { launches: 2, gateways: 1, calls: 2, ..of_two };
    let mut out = String::new();
    for (place, (info, rules)) in operation::variants::VARIANTS.iter().enumerate() {
        for bounds in [of_two, of_one] {
            told(info.name, &Operations { rules: *rules, bounds }, place == 0, &mut out);
        }
    }
    insta::assert_snapshot!(out);
}

/// Of each kind of step the first that is met, and the state in which most is going on.
fn read<P: Protocol>(protocol: &P) -> String {
    let lanes: Vec<&str> = protocol.lanes().iter().map(|lane| lane.0).collect();
    let mut out = format!("lanes: {}\n", lanes.join(", "));
    let mut first: Vec<Option<P::Action>> = vec![None; protocol.kinds().len()];
    let mut busiest = (0, Vec::new());
    let mut seen: HashSet<P::State> = protocol.initial().into_iter().collect();
    let mut queue: VecDeque<P::State> = seen.iter().cloned().collect();
    while let Some(state) = queue.pop_front() {
        let described = protocol.describe(&state);
        let length = described.iter().map(|(_, value)| value.len()).sum();
        if length > busiest.0 {
            busiest = (length, described);
        }
        let mut proposals = Vec::new();
        protocol.actions(&state, &mut proposals);
        for action in proposals {
            let mut next = state.clone();
            if protocol.apply(&mut next, &action).is_ok() {
                first[protocol.kind(&action)].get_or_insert(action);
                protocol.forgive(&mut next);
                if seen.len() < NEAREST && seen.insert(next.clone()) {
                    queue.push_back(next);
                }
            }
        }
    }
    for (kind, action) in protocol.kinds().iter().zip(first) {
        let told = action.map_or("not met".to_owned(), |action| format!("{action}, by {}", protocol.lane(&action).0));
        let _written = writeln!(out, "{kind}: {told}");
    }
    for (field, value) in busiest.1 {
        let _written = writeln!(out, "{field} is {value}");
    }
    out
}

#[test]
fn steps_and_states_read_as_reviewed() {
    let snapshots = read(&Snapshot { rules: snapshot::variants::RIGHT, bounds: snapshot::bounds::SMOKE });
    let operations = read(&Operations { rules: operation::variants::RIGHT, bounds: operation::bounds::SMOKE });
    insta::assert_snapshot!([snapshots, operations].join("\n"));
}

/// Of the states that all other clauses let in, how many each clause alone forbids.
#[test]
fn each_clause_of_the_invariant_forbids_as_many_states_as_reviewed() {
    let scope = Scope { ids: 2, counts: 0, messages: 1 };
    let protocol = Snapshot { rules: snapshot::variants::RIGHT, bounds: snapshot::bounds::SMOKE };
    let mut whole = 0;
    protocol.states(scope, protocol.clauses(), &mut |_| whole += 1);
    let mut out = format!("all of them let in {whole}\n");
    for clause in protocol.clauses() {
        let others: Vec<_> = protocol.clauses().iter().filter(|other| other.name != clause.name).copied().collect();
        let mut forbidden = 0;
        protocol.states(scope, &others, &mut |state| forbidden += usize::from(!(clause.holds)(state)));
        let _written = writeln!(out, "{}: {forbidden}", clause.name);
    }
    insta::assert_snapshot!(out);
}
