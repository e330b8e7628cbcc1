//! What would have to be different for a refused line to be taken: another value in it, a line before it left out, or
//! some steps that come first.
//!
//! Each edit is tried on the model, and so is the rest of the trace behind it. An edit with which the trace goes on
//! most often tells what has really happened, or what should have.

use std::collections::{HashSet, VecDeque};

use outlive_spec::protocol::Protocol;
use outlive_spec::snapshot::Snapshot;
use outlive_spec::snapshot::action::{Action, KINDS};
use outlive_spec::snapshot::bounds::Bounds;
use outlive_spec::snapshot::rules::Rules;
use outlive_spec::trace::Header;

use super::judge::Judge;
use super::past::{Scene, judge_after};
use super::presents::Presents;
use super::report::{Edit, EditKind};
use super::snapshot::Track;
use super::values;

/// How many changes of a value are tried on the rest of the trace.
const CHANGES: usize = 6;
/// How many lines before the refused one are tried to be left out.
const LEFT_OUT: usize = 64;
/// How many steps may come first: a reset has four.
const STEPS: usize = 4;
/// How many states are looked at for them.
const STATES: usize = 3_000;

/// The nearest edit of each kind, first those with which most of the trace goes on.
pub(super) fn nearest(scene: &Scene<'_>, rules: &Rules, header: &Header, bounds: Bounds) -> Vec<Edit> {
    let Some(mut judge) = judge_after(rules, header, &scene.before) else { return Vec::new() };
    let search = Search { scene, rules, header };
    let changed = search.change_a_value(&mut judge);
    let left_out = search.leave_out_a_line();
    let first = search.steps_before(&mut judge, bounds);
    let mut edits: Vec<Edit> = [changed, left_out, first].into_iter().flatten().collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.goes_on));
    edits
}

struct Search<'a> {
    scene: &'a Scene<'a>,
    rules: &'a Rules,
    header: &'a Header,
}

impl Search<'_> {
    fn edit(&self, kind: EditKind, sentence: String, judge: &mut Judge) -> Edit {
        let goes_on = self.scene.behind.iter().take_while(|event| judge.retake(event).is_ok()).count() as u64;
        Edit { kind, sentence, goes_on, of: self.scene.behind.len() as u64 }
    }

    fn change_a_value(&self, judge: &mut Judge) -> Option<Edit> {
        let refused = &self.scene.refused;
        let presents = judge.presents(&refused.computer);
        let gateways = judge.gateways().to_vec();
        let changes = values::changes(refused, presents.track(), &gateways);
        let taken = changes.into_iter().filter(|change| judge.takes(&change.event)).take(CHANGES);
        let edits = taken.collect::<Vec<_>>().into_iter().filter_map(|change| {
            let mut judge = judge_after(self.rules, self.header, self.scene.before.iter().chain([&change.event]))?;
            Some(self.edit(EditKind::ChangeAValue, format!("accepted if {}", change.words), &mut judge))
        });
        // Of those that are as good the first: it is the nearest.
        edits.reduce(|best, edit| if edit.goes_on > best.goes_on { edit } else { best })
    }

    fn leave_out_a_line(&self) -> Option<Edit> {
        let Scene { before, refused, lines, .. } = self.scene;
        (0..before.len()).rev().take(LEFT_OUT).find_map(|at| {
            let others = before[..at].iter().chain(&before[at + 1..]).chain([refused]);
            let mut judge = judge_after(self.rules, self.header, others)?;
            let place = &lines[at].place;
            let sentence =
                format!("accepted if {}:{} (`{}`) were not there", place.file, place.line, before[at].action.word());
            Some(self.edit(EditKind::LeaveOutALine, sentence, &mut judge))
        })
    }

    fn steps_before(&self, judge: &mut Judge, bounds: Bounds) -> Option<Edit> {
        let refused = &self.scene.refused;
        // While calls are open, there is no one state from which to look.
        let Presents::Known(track) = judge.presents(&refused.computer) else { return None };
        let (steps, track) = self.shortest(judge, track, bounds)?;
        let mut judge = judge_after(self.rules, self.header, &self.scene.before)?;
        judge.replace(&refused.computer, Presents::Known(track));
        judge.retake(refused).ok()?;
        let sentence = format!("accepted if {} came first", words(&steps));
        Some(self.edit(EditKind::TakeStepsBefore, sentence, &mut judge))
    }

    /// The shortest way to a state in which the refused event is taken.
    fn shortest(&self, judge: &mut Judge, track: Track, bounds: Bounds) -> Option<(Vec<Action>, Track)> {
        let said = judge.say(&self.scene.refused).ok()?;
        let model = Snapshot { rules: *self.rules, bounds };
        let mut seen = HashSet::from([track.state.clone()]);
        let mut queue = VecDeque::from([(Vec::<Action>::new(), track)]);
        while let Some((steps, track)) = queue.pop_front() {
            let mut proposed = Vec::new();
            model.actions(&track.state, &mut proposed);
            for action in proposed.into_iter().filter(could_have_a_line) {
                let mut next = track.clone();
                if self.rules.apply(&mut next.state, &action).is_err() || !seen.insert(next.state.clone()) {
                    continue;
                }
                let steps: Vec<Action> = steps.iter().copied().chain([action]).collect();
                if Presents::Known(next.clone()).step(self.rules, &said).is_ok() {
                    return Some((steps, next));
                }
                if steps.len() < STEPS && seen.len() < STATES {
                    queue.push_back((steps, next));
                }
            }
        }
        None
    }
}

/// Whether somebody would have recorded it, had it happened. A refusal changes nothing.
fn could_have_a_line(action: &Action) -> bool {
    !matches!(
        action,
        Action::Stamp(..) | Action::Forward(_) | Action::Discard(_) | Action::Crash(_) | Action::Refuse(..)
    )
}

fn words(steps: &[Action]) -> String {
    let kinds: Vec<&str> = steps.iter().map(|step| KINDS[step.kind()]).collect();
    match kinds[..] {
        ["claim", "send-wipe", "wipe", "finish"] => "a reset".to_owned(),
        _ => steps.iter().map(|step| format!("`{step}`")).collect::<Vec<_>>().join(" and "),
    }
}
