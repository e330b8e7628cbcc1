//! Why the right rules hold, as an invariant: true at the start, and kept by every step from every state of which it is
//! true.
//!
//! Three ideas carry it. What is *minted* is in order and never minted twice, so incarnations tell lives apart and keep
//! their order. What was *wiped* is from before the last reset, and what is from before the last reset does not land.
//! And a process that has lost its place has lost it to a rollback, so that nothing fresh is refused.
//!
//! Each clause speaks of the store, the process and the gateways with at most one message, or of two pages. So a world
//! with two messages is large enough to see a clause break: the one that a step delivers, and the one that the clause
//! is about.

use super::state::*;
use crate::induction::Clause;
use Stamp::Is;

macro_rules! clauses {
    ($($name:ident $sentence:literal)*) => {
        /// The invariant.
        pub(super) const CLAUSES: &[Clause<State>] = &[$(Clause {
            name: stringify!($name), sentence: $sentence, holds: $name,
        },)*];
    };
}

clauses! {
    what_is_named_was_minted "no incarnation is named that the store has not minted"
    a_page_says_the_truth "a page is said to be of the incarnation that it is of"
    an_act_cites_what_it_resolved "an act cites the page that its reference resolved against"
    nothing_is_stored_during_a_reset "no page is stored while a reset is under way"
    the_stored_page_is_since_the_reset "the stored page is not from before the last reset"
    nobody_is_older_than_now "no page, question or wipe is of a life after the present one"
    lives_and_incarnations_agree "of two pages, the one of the later life is of the later incarnation, and of one life there is one incarnation"
    our_pages_bear_our_incarnation "a page of the present life is of the incarnation that the process knows, and its generation was counted"
    what_we_learn_is_new "the reply to a process is above the incarnations of all pages"
    what_was_wiped_is_before "unless a reset is under way, what was wiped is from before the last one"
    who_is_known_is_since "unless a reset is under way, nobody knows or learns an incarnation from before the last one"
    a_late_wipe_is_for_nobody "unless a reset is under way, wipes and confirmed wipes are of incarnations from before the last one"
    a_confirmed_wipe_leaves_nobody "while the wipe of the current incarnation is confirmed, it was wiped, and no process knows or learns who it is"
    a_place_is_lost_to_a_rollback "a process that knows or learns another incarnation than the current one has lost it to a rollback"
    who_is_registered_asks_no_more "every question follows an incarnation from before the one that a process knows or learns"
    only_what_the_rules_write "what only rejected variants write is not written, and nobody is in life 0 or is incarnation 0"
}

/// What was saved, stored or shown.
fn saves(state: &State) -> impl Iterator<Item = &Save> {
    state.saves.iter().chain(&state.store.page).chain(state.shown.iter())
}

/// Every page that is remembered anywhere.
fn pages(state: &State) -> impl Iterator<Item = Page> {
    saves(state).map(|save| save.page).chain(state.acts.iter().filter_map(|act| act.resolved))
}

/// Who the process knows itself as, or is about to.
fn own(process: &Process) -> impl Iterator<Item = Incarnation> {
    process.incarnation.into_iter().chain(process.reply)
}

fn what_is_named_was_minted(state: &State) -> bool {
    let State { store, process, questions, wipes, ghost, .. } = state;
    let was_minted = |named: Incarnation| named <= store.incarnation;
    was_minted(store.since)
        && was_minted(ghost.first_kept)
        && own(process).all(was_minted)
        && pages(state).all(|page| was_minted(page.incarnation))
        && questions.iter().all(|question| was_minted(question.expected))
        && wipes.iter().all(|wipe| was_minted(wipe.incarnation))
        && state.gateways.iter().all(|(_, memory)| !matches!(*memory, Memory::Wiped(wiped) if !was_minted(wiped)))
}

fn a_page_says_the_truth(state: &State) -> bool {
    let says_so =
        |cited: Cited, page: Page| cited == Cited { stamp: Is(page.incarnation), generation: page.generation };
    let is_somebodys = |page: Page| page.incarnation > Incarnation(0);
    saves(state).all(|save| says_so(save.cited, save.page) && is_somebodys(save.page))
}

fn an_act_cites_what_it_resolved(state: &State) -> bool {
    let cites = |act: &Act| {
        act.resolved.is_some_and(|page| act.cited == Cited { stamp: Is(page.incarnation), generation: page.generation })
    };
    state.acts.iter().all(cites)
}

fn nothing_is_stored_during_a_reset(state: &State) -> bool {
    !state.store.is_resetting || state.store.page.is_none()
}

fn the_stored_page_is_since_the_reset(state: &State) -> bool {
    state.store.page.is_none_or(|stored| stored.page.incarnation >= state.store.since)
}

fn nobody_is_older_than_now(state: &State) -> bool {
    let now = state.process.life;
    state.ghost.first_unwiped <= now
        && pages(state).all(|page| page.life <= now)
        && state.questions.iter().all(|question| question.life <= now)
}

fn lives_and_incarnations_agree(state: &State) -> bool {
    pages(state)
        .all(|one| pages(state).all(|other| one.life.cmp(&other.life) == one.incarnation.cmp(&other.incarnation)))
}

fn our_pages_bear_our_incarnation(state: &State) -> bool {
    let Process { life, incarnation, generation, .. } = state.process;
    let agrees = |page: Page| {
        let is_ours = page.life == life;
        let is_counted = !is_ours || page.generation <= generation;
        is_counted
            && is_ours == (incarnation == Some(page.incarnation))
            && incarnation.is_none_or(|own| page.incarnation <= own)
    };
    pages(state).all(agrees)
}

fn what_we_learn_is_new(state: &State) -> bool {
    let Process { incarnation, reply, .. } = state.process;
    reply.is_none_or(|reply| incarnation.is_none() && pages(state).all(|page| page.incarnation < reply))
}

fn what_was_wiped_is_before(state: &State) -> bool {
    let was_wiped = |page: &Page| page.life < state.ghost.first_unwiped;
    state.store.is_resetting || pages(state).filter(was_wiped).all(|page| page.incarnation < state.store.since)
}

fn who_is_known_is_since(state: &State) -> bool {
    state.store.is_resetting || own(&state.process).all(|own| own >= state.store.since)
}

fn a_late_wipe_is_for_nobody(state: &State) -> bool {
    let is_before = |wiped: Incarnation| wiped < state.store.since;
    let heard = |memory: &Memory| matches!(*memory, Memory::Wiped(wiped) if !is_before(wiped));
    state.store.is_resetting
        || (state.wipes.iter().all(|wipe| is_before(wipe.incarnation))
            && !state.gateways.iter().any(|(_, memory)| heard(memory)))
}

fn a_confirmed_wipe_leaves_nobody(state: &State) -> bool {
    let confirmed = Memory::Wiped(state.store.incarnation);
    let is_confirmed = state.gateways.iter().any(|(_, memory)| *memory == confirmed);
    !is_confirmed || (!state.ghost.owes_a_wipe && own(&state.process).next().is_none())
}

fn a_place_is_lost_to_a_rollback(state: &State) -> bool {
    own(&state.process).all(|own| own == state.store.incarnation || own < state.ghost.first_kept)
}

fn who_is_registered_asks_no_more(state: &State) -> bool {
    own(&state.process).all(|own| state.questions.iter().all(|question| question.expected < own))
}

fn only_what_the_rules_write(state: &State) -> bool {
    let remembers_a_claim = state.gateways.iter().any(|(_, memory)| *memory == Memory::Claimed);
    let State { store, process, is_retrying, .. } = state;
    let is_somebody = own(process).all(|own| own > Incarnation(0)) && store.incarnation > Incarnation(0);
    let is_alive = process.life > Life(0) && pages(state).all(|page| page.life > Life(0));
    store.deleted == Generation(0) && !is_retrying && !remembers_a_claim && is_somebody && is_alive
}
