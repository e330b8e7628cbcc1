//! What must hold: one function for each sentence. Some look at a state; the others are noted by the step that breaks
//! them, since no later state shows it.

use super::state::{Act, Ghost, Incarnation, Life, Page, Process, Save, Stamp, State};
use crate::protocol::Broken;

properties! {
    NoWipedPageResolves Reset6 "no-wiped-page-resolves" "generation-only"
        "no reference ever resolves against a page that was wiped"
    NoWipedPageIsStored Save3 "no-wiped-page-is-stored" "delete-without-fence"
        "the stored page is never one that was wiped"
    PageNeverGoesBack Save4 "page-never-goes-back" "any-different-wins"
        "a save never replaces a page by an older one"
    StampIsTrue Save1 "stamp-is-true" "read-after"
        "a page that names an incarnation is a page of that incarnation"
    NothingActsUnresolved Reset7 "nothing-acts-unresolved" "act-unresolved"
        "the computer never acts on a reference that did not resolve"
    ActsForTheLivingLife Restart5 "acts-for-the-living-life" "far-side-generation-only"
        "the computer acts only on pages of the life that it is in"
    RollbackIsWhatLoads Save7 "rollback-is-what-loads" "rollback-keeps-generation"
        "what was rolled back to is never replaced by a page from before the rollback"
    FreshSaveLands Restart6 "fresh-save-lands" "generation-only"
        "a save of what the registered computer shows now, and the stored page does not, is never refused while no reset is under way"
    RefusalsAreTyped Save5 "refusals-are-typed" "refuse-silently"
        "a save that changes nothing is never reported as stored"
    ResetHasWiped Reset4 "reset-has-wiped" "finish-without-wipe"
        "a reset that is over has wiped the computer"
    WipesAreClaimed Reset3 "wipes-are-claimed" "wipe-any"
        "the computer is wiped only while a reset is under way"
    DecisionsAreCurrent Reset1 "decisions-are-current" "reset-unconditional"
        "a reset or a rollback ends only the incarnation on which it was decided"
    LivesDoNotShare Restart2 "lives-do-not-share" "mint-on-reset-only"
        "no page of another life bears the incarnation that the computer knows itself as"
    ResolvesOnlyCurrent Reset6 "resolves-only-current" "resolve-any-page"
        "a reference resolves only against a page of the current incarnation"
    SettledIsReachable Reset5 "settled-is-reachable" "wipe-forgotten-on-crash"
        "from every reachable state, steps that are not faults lead to one in which no reset is under way and the computer knows who it is"
}

/// What the state breaks, and what the step that led here has broken.
#[inline]
pub(super) fn broken(state: &State) -> Broken {
    let mut broken = state.ghost.harms;
    if !the_stored_page_was_not_wiped(state) {
        broken.add(Holds::NoWipedPageIsStored as usize);
    }
    if !every_stamp_is_true(state) {
        broken.add(Holds::StampIsTrue as usize);
    }
    if !no_page_of_another_life_bears_our_incarnation(state) {
        broken.add(Holds::LivesDoNotShare as usize);
    }
    broken
}

fn no_page_of_another_life_bears_our_incarnation(state: &State) -> bool {
    let Process { life, incarnation, .. } = state.process;
    let is_anothers = |save: &Save| incarnation == Some(save.page.incarnation) && save.page.life != life;
    !state.saves.iter().chain(&state.store.page).any(is_anothers)
}

fn the_stored_page_was_not_wiped(state: &State) -> bool {
    state.store.page.is_none_or(|stored| stored.page.life >= state.ghost.first_unwiped)
}

fn every_stamp_is_true(state: &State) -> bool {
    let is_true = |save: &Save| !matches!(save.cited.stamp, Stamp::Is(said) if said != save.page.incarnation);
    state.saves.iter().chain(&state.store.page).all(is_true)
}

/// No reset is under way, and the computer knows itself as what the store knows it as.
pub(super) fn is_settled(state: &State) -> bool {
    let is_known = state.process.incarnation == Some(state.store.incarnation);
    !state.store.is_resetting && is_known
}

// ---------------------------------------------------------------------------------------- noted by the steps

fn note(state: &mut State, holds: Holds, is_broken: bool) {
    if is_broken {
        state.ghost.harms.add(holds as usize);
    }
}

pub(super) fn a_wiped_page_resolved(state: &mut State, page: Page) {
    note(state, Holds::NoWipedPageResolves, page.life < state.ghost.first_unwiped);
}

pub(super) fn a_page_of_another_incarnation_resolved(state: &mut State, page: Page) {
    note(state, Holds::ResolvesOnlyCurrent, page.incarnation != state.store.incarnation);
}

/// By what the pages are, not by what is said of them.
pub(super) fn a_page_that_goes_back(state: &mut State, save: &Save) {
    let place = |page: Page| (page.life, page.generation);
    let goes_back = state.store.page.is_some_and(|stored| place(save.page) < place(stored.page));
    note(state, Holds::PageNeverGoesBack, goes_back);
}

/// Every incarnation up to now shows what is rolled back; a process that registers later starts from the stored page.
pub(super) fn a_rollback(state: &mut State) {
    state.ghost.first_kept = Incarnation(state.store.incarnation.0 + 1);
}

/// What was wiped as well is another property's business.
pub(super) fn a_rollback_undone(state: &mut State, save: &Save) {
    let was_wiped = save.page.life < state.ghost.first_unwiped;
    note(state, Holds::RollbackIsWhatLoads, !was_wiped && save.page.incarnation < state.ghost.first_kept);
}

pub(super) fn an_act_on_nothing(state: &mut State, act: &Act) {
    note(state, Holds::NothingActsUnresolved, act.resolved.is_none());
}

pub(super) fn an_act_for_another_life(state: &mut State, act: &Act) {
    let is_for_another = act.resolved.is_some_and(|page| page.life != state.process.life);
    note(state, Holds::ActsForTheLivingLife, is_for_another);
}

/// A bounded response in place of "eventually": the dropped saves of incident A did land in the end, once the young
/// counter had climbed past the old one, and nobody would call that right.
pub(super) fn a_fresh_save_refused(state: &mut State, save: &Save) {
    let is_harm = is_fresh(state, save);
    note(state, Holds::FreshSaveLands, is_harm);
}

/// There is nothing wrong with it: it shows what the computer is now, no reset is under way, and the stored page shows
/// less.
pub(super) fn is_fresh(state: &State, save: &Save) -> bool {
    let process = state.process;
    let is_of_now = save.page.life == process.life && process.incarnation == Some(save.page.incarnation);
    let is_kept = save.page.incarnation >= state.ghost.first_kept;
    let shows_as_much =
        |stored: &Save| stored.page.life == save.page.life && stored.page.generation >= save.page.generation;
    let is_covered = state.store.page.as_ref().is_some_and(shows_as_much);
    is_of_now && is_kept && !state.store.is_resetting && !is_covered
}

pub(super) fn a_refusal_that_reads_as_success(state: &mut State) {
    note(state, Holds::RefusalsAreTyped, true);
}

pub(super) fn a_reset_that_did_not_wipe(state: &mut State) {
    note(state, Holds::ResetHasWiped, state.ghost.owes_a_wipe);
}

/// A second wipe in the same reset is wasteful, not wrong: nothing of the new life has been stored yet.
pub(super) fn a_wipe_without_a_reset(state: &mut State) {
    note(state, Holds::WipesAreClaimed, !state.store.is_resetting);
}

pub(super) fn a_decision_on_another_incarnation(state: &mut State, expected: Incarnation) {
    note(state, Holds::DecisionsAreCurrent, expected != state.store.incarnation);
}

/// The observer forgets as well: that lives were wiped or incarnations rolled back matters only while a page of theirs
/// is about, or a process that could still hand one out.
pub(super) fn forget_what_no_page_recalls(state: &mut State) {
    let Ghost { first_unwiped, first_kept, .. } = state.ghost;
    if (first_unwiped, first_kept) == (Life(0), Incarnation(0)) {
        return;
    }
    let acted_on = state.acts.iter().filter_map(|act| act.resolved);
    let stored = state.saves.iter().chain(&state.store.page).chain(state.shown.iter()).map(|save| save.page);
    let mut pages = stored.chain(acted_on);
    let (mut oldest_life, mut oldest_incarnation) = (state.process.life, state.process.reply.unwrap_or(first_kept));
    oldest_incarnation = oldest_incarnation.min(state.process.incarnation.unwrap_or(first_kept));
    for page in &mut pages {
        oldest_life = oldest_life.min(page.life);
        oldest_incarnation = oldest_incarnation.min(page.incarnation);
    }
    if oldest_life >= first_unwiped {
        state.ghost.first_unwiped = Life(0);
    }
    if oldest_incarnation >= first_kept {
        state.ghost.first_kept = Incarnation(0);
    }
}
