//! Every state of a small world, reachable or not, of which the invariant is true.
//!
//! A clause that is true of a state is true of the same state with a message less, for each speaks of all messages
//! alike. So messages are added one at a time, and whatever makes a clause false is followed no further.
//!
//! What only rejected variants write is left out, and so is whoever would be incarnation 0, as the last clause says. Of
//! pages that are said to be of another incarnation than they are, only those are here of which nobody knows.

use super::state::*;
use crate::induction::{Clause, Scope};

/// One message of any kind, or one page that an agent was shown.
#[derive(Clone, Copy)]
enum Message {
    Shown(Save),
    Call(Call),
    Save(Save),
    Question(Question),
    Wipe(WipeCall),
    Act(Act),
}

impl Message {
    fn add_to(self, state: &mut State) {
        match self {
            Message::Shown(page) => state.shown.insert(page),
            Message::Call(call) => state.calls.insert(call),
            Message::Save(save) => state.saves.insert(save),
            Message::Question(question) => state.questions.insert(question),
            Message::Wipe(wipe) => state.wipes.insert(wipe),
            Message::Act(act) => state.acts.insert(act),
        }
    }
}

/// Shows every state within the scope of which the clauses are true.
pub(super) fn states(scope: Scope, clauses: &[Clause<State>], show: &mut dyn FnMut(&State)) {
    let holds = |state: &State| clauses.iter().all(|clause| (clause.holds)(state));
    let messages = messages(scope);
    let mut with_messages = |state: &State| add_messages(state, &messages, scope.messages, &holds, show);
    each_silent_state(scope, &mut |state| {
        if holds(state) {
            with_messages(state);
        }
    });
}

fn add_messages(
    state: &State,
    messages: &[Message],
    most: usize,
    holds: &dyn Fn(&State) -> bool,
    show: &mut dyn FnMut(&State),
) {
    show(state);
    if most == 0 {
        return;
    }
    for (at, message) in messages.iter().enumerate() {
        let mut next = state.clone();
        message.add_to(&mut next);
        if holds(&next) {
            add_messages(&next, &messages[at + 1..], most - 1, holds, show);
        }
    }
}

/// Every state in which nothing is under way.
fn each_silent_state(scope: Scope, show: &mut dyn FnMut(&State)) {
    let (processes, ghosts, gateways) = (processes(scope), ghosts(scope), gateways(scope));
    for store in stores(scope) {
        for &process in &processes {
            for &ghost in &ghosts {
                for &memory in &gateways {
                    let mut state = State { store, process, ghost, ..State::default() };
                    state.gateways.set(Gateway(0), memory);
                    show(&state);
                }
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------- what there may be

fn lives(scope: Scope) -> impl Iterator<Item = Life> + Clone {
    (1..=scope.ids).map(Life)
}

fn incarnations(scope: Scope) -> impl Iterator<Item = Incarnation> + Clone {
    (0..=scope.ids).map(Incarnation)
}

fn generations(scope: Scope) -> impl Iterator<Item = Generation> + Clone {
    (0..=scope.counts).map(Generation)
}

fn maybe<T: Copy>(values: impl Iterator<Item = T> + Clone) -> impl Iterator<Item = Option<T>> + Clone {
    std::iter::once(None).chain(values.map(Some))
}

fn stores(scope: Scope) -> Vec<Store> {
    let mut stores = Vec::new();
    for incarnation in incarnations(scope).skip(1) {
        for since in incarnations(scope) {
            for is_resetting in [false, true] {
                let store = |page| Store { incarnation, is_resetting, since, page, deleted: Generation(0) };
                stores.extend(maybe(saves(scope).into_iter()).map(store));
            }
        }
    }
    stores
}

fn processes(scope: Scope) -> Vec<Process> {
    let mut processes = Vec::new();
    for life in lives(scope) {
        for incarnation in maybe(incarnations(scope).skip(1)) {
            for reply in maybe(incarnations(scope).skip(1)) {
                processes.extend(generations(scope).map(|generation| Process { life, incarnation, generation, reply }));
            }
        }
    }
    processes
}

fn ghosts(scope: Scope) -> Vec<Ghost> {
    let mut ghosts = Vec::new();
    for first_unwiped in std::iter::once(Life(0)).chain(lives(scope)) {
        for first_kept in incarnations(scope) {
            let ghost = |owes_a_wipe| Ghost { first_unwiped, first_kept, owes_a_wipe, ..Ghost::default() };
            ghosts.extend([false, true].map(ghost));
        }
    }
    ghosts
}

fn gateways(scope: Scope) -> Vec<Memory> {
    std::iter::once(Memory::Nothing).chain(incarnations(scope).map(Memory::Wiped)).collect()
}

fn pages(scope: Scope) -> Vec<Page> {
    let mut pages = Vec::new();
    for life in lives(scope) {
        for incarnation in incarnations(scope) {
            pages.extend(generations(scope).map(|generation| Page { life, incarnation, generation }));
        }
    }
    pages
}

fn stamps(scope: Scope) -> Vec<Stamp> {
    [Stamp::Unknown, Stamp::Pending].into_iter().chain(incarnations(scope).map(Stamp::Is)).collect()
}

/// Of pages that say the truth about themselves, and of one that does not for each.
fn saves(scope: Scope) -> Vec<Save> {
    let of = |page: Page| {
        let truth = Cited { stamp: Stamp::Is(page.incarnation), generation: page.generation };
        [truth, Cited { stamp: Stamp::Unknown, ..truth }].map(|cited| Save { cited, page })
    };
    pages(scope).into_iter().flat_map(of).collect()
}

fn messages(scope: Scope) -> Vec<Message> {
    let mut messages = Vec::new();
    messages.extend(saves(scope).into_iter().map(Message::Shown));
    messages.extend(saves(scope).into_iter().map(Message::Save));
    messages.extend(stamps(scope).into_iter().map(|stamp| Message::Call(Call { stamp })));
    for life in lives(scope) {
        messages.extend(incarnations(scope).map(|expected| Message::Question(Question { life, expected })));
    }
    for by in [None, Some(Gateway(0))] {
        messages.extend(incarnations(scope).map(|incarnation| Message::Wipe(WipeCall { by, incarnation })));
    }
    for stamp in stamps(scope) {
        for generation in generations(scope) {
            let act = |resolved| Message::Act(Act { cited: Cited { stamp, generation }, resolved });
            messages.extend(maybe(pages(scope).into_iter()).map(act));
        }
    }
    messages
}
