//! Which rule would have written this trace? Every variant of the model is tried, so that a verdict can say not only
//! that an implementation is wrong, but which known mistake it makes.

use outlive_spec::snapshot::check::{Check, Checks};
use outlive_spec::snapshot::rules::Rules;
use outlive_spec::snapshot::variants::{RIGHT, VARIANTS};

use super::fault::Fault;
use super::input::Input;
use super::judge::Judge;
use super::reading::{Reading, Stop};
use super::report::Explanation;
use super::unreadable::Unreadable;

struct Candidate {
    explanation: Explanation,
    /// Whether somebody has shipped or proposed it.
    is_named: bool,
    rules: Rules,
}

/// The variants under which the whole trace is a behaviour; where there is none, the single guards without which it
/// would be. Also what about the rest of the input cannot be read, for nobody has looked at it so far.
pub(super) fn that_explain(
    inputs: &[Input],
    stop: &Stop,
) -> Result<(Vec<Explanation>, Option<Unreadable>), Unreadable> {
    // Most candidates fail on the one computer, so that few are left for the long way.
    let survivors = judged(inputs, candidates(), Some(&stop.computer))?.0;
    let (survivors, unreadable) = judged(inputs, survivors, None)?;
    let has_a_name = survivors.iter().any(|candidate| candidate.is_named);
    let mut explanations: Vec<Explanation> = survivors
        .into_iter()
        .filter(|candidate| candidate.is_named == has_a_name)
        .map(|candidate| candidate.explanation)
        .collect();
    explanations.dedup();
    Ok((if unreadable.is_some() { Vec::new() } else { explanations }, unreadable))
}

fn candidates() -> Vec<Candidate> {
    let named = VARIANTS.iter().filter(|(_, rules)| *rules != RIGHT).flat_map(|(info, rules)| {
        let explanation = Explanation {
            variant: info.name.to_owned(),
            change: info.change.to_owned(),
            origin: info.origin.to_owned(),
        };
        // A variant of incident A changed the store and its callers; a store alone can be as wrong behind right
        // callers.
        let store_alone = Rules { stamps: RIGHT.stamps, resolves: RIGHT.resolves, ..*rules };
        let both = [*rules, store_alone].into_iter().filter(|rules| *rules != RIGHT);
        both.map(move |rules| Candidate { explanation: explanation.clone(), is_named: true, rules })
    });
    let without = Check::ALL.iter().map(|&check| {
        let explanation = Explanation {
            variant: format!("without {}", check.name()),
            change: format!("nobody compares {}", check.what()),
            origin: String::new(),
        };
        Candidate { explanation, is_named: false, rules: Rules { without: Checks::of(&[check]), ..RIGHT } }
    });
    named.chain(without).collect()
}

/// Those that take every line, of one computer or of all, and where the input ceased to be readable.
fn judged(
    inputs: &[Input],
    candidates: Vec<Candidate>,
    only: Option<&str>,
) -> Result<(Vec<Candidate>, Option<Unreadable>), Unreadable> {
    let (mut reading, headers) = Reading::open(inputs)?;
    let mut order = Judge::new(RIGHT, &headers);
    let mut living: Vec<(Judge, Candidate)> =
        candidates.into_iter().map(|candidate| (Judge::new(candidate.rules, &headers), candidate)).collect();
    let unreadable = loop {
        let line = match reading.next() {
            Ok(Some(line)) => line,
            Ok(None) => break None,
            Err(unreadable) => break Some(unreadable),
        };
        let event = match line.event() {
            Ok(event) => event,
            Err(unreadable) => break Some(unreadable),
        };
        if let Err(Fault::Unreadable { field, kind, message }) = order.check(line.source, &event) {
            break Some(line.unreadable(field, kind, message));
        }
        if only.is_none_or(|computer| *computer == *event.computer) {
            living.retain_mut(|(judge, _)| judge.retake(&event).is_ok());
        }
    };
    Ok((living.into_iter().map(|(_, candidate)| candidate).collect(), unreadable))
}
