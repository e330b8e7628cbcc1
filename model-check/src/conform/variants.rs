//! Which rule would have written this trace? Every variant of the model is tried, so that a verdict can say not only
//! that an implementation is wrong, but which known mistake it makes.

use super::fault::Fault;
use super::input::Input;
use super::judge::Judge;
use super::reading::{Reading, Stop};
use super::report::Explanation;
use super::track::Track;
use super::unreadable::Unreadable;

struct Candidate<T: Track> {
    explanation: Explanation,
    /// Whether somebody has shipped or proposed it.
    is_named: bool,
    rules: T::Rules,
}

/// The variants under which the whole trace is a behaviour; where there is none, the single guards without which it
/// would be. Also what about the rest of the input cannot be read, for nobody has looked at it so far.
pub(super) fn that_explain<T: Track>(
    inputs: &[Input],
    stop: &Stop,
) -> Result<(Vec<Explanation>, Option<Unreadable>), Unreadable> {
    // Most candidates fail on the one computer, so that few are left for the long way.
    let survivors = judged(inputs, candidates::<T>(), Some(&stop.computer))?.0;
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

fn candidates<T: Track>() -> Vec<Candidate<T>> {
    let named = T::known_rules().into_iter();
    let named = named.map(|(explanation, rules)| Candidate { explanation, is_named: true, rules });
    let without = T::CHECKS.iter().map(|&check| {
        let explanation = Explanation {
            variant: format!("without {}", T::info(check).name),
            change: format!("nobody compares {}", T::info(check).what),
            origin: String::new(),
        };
        Candidate { explanation, is_named: false, rules: T::without(&T::RIGHT, check) }
    });
    named.chain(without).collect()
}

/// Those that take every line, of one computer or of all, and where the input ceased to be readable.
fn judged<T: Track>(
    inputs: &[Input],
    candidates: Vec<Candidate<T>>,
    only: Option<&str>,
) -> Result<(Vec<Candidate<T>>, Option<Unreadable>), Unreadable> {
    let (mut reading, headers) = Reading::open(inputs)?;
    let mut order = Judge::<T>::new(T::RIGHT, &headers);
    let mut living: Vec<(Judge<T>, Candidate<T>)> =
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
