//! One variant searched: first for what must hold, then for what must come about.

use outlive_spec::protocol::{Broken, Class, Property, Protocol};
use outlive_spec::requirement::Requirement;

use super::{Ask, Entry};
use crate::engine::liveness::{self, Lasso, Witness, first_lasso};
use crate::engine::walk::walk;
use crate::engine::{Explored, Outcome, Progress, Question, Violation, explore, search};
use crate::report::checked::{
    Checked, Endless, GuardChecked, KindChecked, PropertyChecked, is_right, property, vacuity,
};
use crate::report::counterexample::{Because, Counterexample, Ending, Fair, Origin};

pub(super) fn check<E: Entry + ?Sized>(entry: &E, ask: &Ask, watch: &mut dyn FnMut(&Progress)) -> Checked {
    let protocol = entry.build(ask.variant, ask.profile);
    let question = Question {
        properties: ask.properties,
        limits: ask.limits,
        symmetry: ask.symmetry,
        keeps_graph: false,
        threads: ask.threads,
    };
    let outcome = search(&protocol, &question, watch);
    let mut checked = head(entry, ask, &protocol, &outcome);
    checked.properties = safety(entry, ask, &protocol, &outcome);
    let first_response = protocol.properties().len();
    let asks_for_more = (first_response..first_response + protocol.responses().len()).any(|it| ask.properties.has(it));
    if asks_for_more {
        add_liveness(entry, ask, &question, &mut checked, watch);
    }
    checked.verdict = verdict(&checked).to_owned();
    checked
}

fn verdict(checked: &Checked) -> &'static str {
    match (checked.broken().next(), &checked.truncated) {
        (Some(_), _) => "violated",
        (None, Some(_)) => "truncated",
        (None, None) => "holds",
    }
}

// ---------------------------------------------------------------------------------------------- what must hold

fn safety<E: Entry + ?Sized>(
    entry: &E,
    ask: &Ask,
    protocol: &E::Protocol,
    outcome: &Outcome<<E::Protocol as Protocol>::Action>,
) -> Vec<PropertyChecked> {
    let settled = protocol.properties().len() - 1;
    let (walked, right) = (protocol.far(), entry.build(0, ask.profile).remembering());
    let counterexample = |place: usize, sentence: &Property, violation: &Violation<_>| {
        let steps = walk(&walked, violation.start, &violation.actions).expect("the search took these steps");
        let ending = if place == settled { Ending::DeadEnd } else { Ending::Harm };
        Counterexample::of(&walked, &right, origin(entry, ask, sentence, violation.start), ending, &steps)
    };
    let asked = protocol.properties().iter().enumerate().filter(|(place, _)| ask.properties.has(*place));
    let checked = asked.map(|(place, sentence)| {
        let violation = outcome.violations.iter().find(|violation| violation.property == place);
        property(sentence, violation.map(|violation| counterexample(place, sentence, violation)))
    });
    checked.collect()
}

fn origin<'a, E: Entry + ?Sized>(entry: &E, ask: &Ask, property: &'a Property, start: usize) -> Origin<'a> {
    Origin {
        variant: entry.variants()[ask.variant].name,
        profile: ask.profile.name(),
        symmetry: ask.symmetry,
        property,
        start,
    }
}

fn head<E: Entry + ?Sized>(
    entry: &E,
    ask: &Ask,
    protocol: &E::Protocol,
    outcome: &Outcome<<E::Protocol as Protocol>::Action>,
) -> Checked {
    let info = entry.variants()[ask.variant];
    let statistics = &outcome.statistics;
    let kinds = protocol.kinds().iter().zip(&statistics.kinds);
    let kinds: Vec<KindChecked> = kinds
        .map(|(name, count)| KindChecked { name: (*name).to_owned(), taken: count.taken, refused: count.refused })
        .collect();
    let mut guarded: Vec<Requirement> = entry.guards().iter().map(|guard| guard.requirement).collect();
    guarded.dedup();
    let is_judged = is_right(&info) && outcome.truncation.is_none();
    let expected = entry.expected();
    let vacuous = is_judged.then(|| vacuity(&kinds, &statistics.guards, &guarded, expected));
    let refused = |requirement: &Requirement| GuardChecked {
        requirement: requirement.id().to_owned(),
        refused: statistics.refused_by(*requirement),
        never: expected.never_refused.iter().find(|never| never.0 == *requirement).map(|never| never.1.to_owned()),
    };
    Checked {
        protocol: protocol.name().to_owned(),
        variant: info.name.to_owned(),
        change: info.change.to_owned(),
        origin: info.origin.to_owned(),
        verdict: String::new(),
        truncated: outcome.truncation.map(|truncation| truncation.to_string()),
        states: statistics.states,
        transitions: statistics.transitions,
        depth: statistics.depth(),
        seconds: statistics.elapsed.as_secs_f64(),
        properties: Vec::new(),
        profile: ask.profile.to_string(),
        bounds: entry.bounds(ask.variant, ask.profile),
        kinds,
        guards: guarded.iter().map(refused).collect(),
        phases: statistics.phases.iter().map(|(phase, states)| ((*phase).to_owned(), *states)).collect(),
        depths: statistics.depths.clone(),
        vacuous: vacuous.unwrap_or_default(),
        endless: None,
    }
}

// --------------------------------------------------------------------------------------- what must come about

fn add_liveness<E: Entry + ?Sized>(
    entry: &E,
    ask: &Ask,
    question: &Question,
    checked: &mut Checked,
    watch: &mut dyn FnMut(&Progress),
) {
    let protocol = entry.build_endless(ask.variant, ask.profile);
    let question = Question { properties: Broken::default(), symmetry: true, keeps_graph: true, ..*question };
    let explored = explore(&protocol, &question, watch);
    let statistics = &explored.outcome.statistics;
    checked.endless = Some(Endless {
        bounds: entry.bounds_endless(ask.variant, ask.profile),
        states: statistics.states,
        seconds: statistics.elapsed.as_secs_f64(),
    });
    if let Some(truncation) = explored.outcome.truncation {
        checked.truncated.get_or_insert_with(|| truncation.to_string());
    }
    let first = protocol.properties().len();
    for (place, response) in protocol.responses().iter().enumerate() {
        if !ask.properties.has(first + place) {
            continue;
        }
        // Of a graph that was cut nothing is concluded: what is missing might be the way out of a loop.
        let is_whole = explored.outcome.truncation.is_none();
        let lasso = is_whole.then(|| first_lasso(&explored.graph, place, response.fairness)).flatten();
        let counterexample = lasso.map(|lasso| waiting(entry, ask, &protocol, &explored, place, &lasso));
        checked.properties.push(property(&response.property, counterexample));
    }
}

fn waiting<E: Entry + ?Sized>(
    entry: &E,
    ask: &Ask,
    protocol: &E::Protocol,
    explored: &Explored<E::Protocol>,
    response: usize,
    lasso: &Lasso,
) -> Counterexample {
    let (start, steps) = liveness::steps(protocol, explored, lasso);
    let fair = lasso.witnesses.iter().map(|witness| fair(protocol.classes(), lasso, witness)).collect();
    let ending = Ending::Loop { steps: lasso.cycle.len(), fair };
    let right = entry.build_endless(0, ask.profile).remembering();
    let sentence = &protocol.responses()[response].property;
    Counterexample::of(&protocol.far(), &right, origin(entry, ask, sentence, start), ending, &steps)
}

/// Steps are counted as a page counts them: from one, and those before the loop as well.
fn fair(classes: &[Class], lasso: &Lasso, witness: &Witness) -> Fair {
    let stem = lasso.stem.len();
    let (class, because) = match *witness {
        Witness::Taken { class, step } => (class, Because::TakenBy(stem + step + 1)),
        Witness::Impossible { class, after } => (class, Because::NotPossibleAfter(stem + after)),
        Witness::NeverPossible { class } if lasso.cycle.is_empty() => (class, Because::NotPossibleAfter(stem)),
        Witness::NeverPossible { class } => (class, Because::NeverPossible),
    };
    let Class { name, sentence, .. } = classes[class];
    Fair { class: name.to_owned(), sentence: sentence.to_owned(), because }
}
