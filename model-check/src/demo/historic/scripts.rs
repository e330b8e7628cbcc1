//! The races, step by step. Each begins with a computer that has registered as incarnation 1, and ends where its store
//! does what it should not have done.

use outlive_spec::requirement::Requirement::{Save3, Save4};
use rusqlite::Result;

use super::world::{Cited, World};

/// The first race of incident A.
pub(super) fn late_save_after_reset(world: &mut World) -> Result<()> {
    world.snapshot()?;
    let named = world.begin()?;
    let late = world.answer(named);
    world.reset()?;
    world.save(late, Save3)?;
    Ok(())
}

pub(super) fn fresh_save_under_the_floor(world: &mut World) -> Result<()> {
    world.snapshot()?;
    world.snapshot()?;
    world.reset()?;
    world.start()?;
    let named = world.begin()?;
    let fresh = world.answer(named);
    assert!(!world.save(fresh, Save4)?, "the floor keeps it out");
    Ok(())
}

pub(super) fn late_save_after_restart(world: &mut World) -> Result<()> {
    let named = world.begin()?;
    let late = world.answer(named);
    world.start()?;
    world.snapshot()?;
    assert!(world.save(late, Save3)?, "the page of the dead process wins");
    Ok(())
}

pub(super) fn late_save_during_reset(world: &mut World) -> Result<()> {
    let named = world.begin()?;
    let late = world.answer(named);
    let current = world.current()?;
    world.claim(current)?;
    let wiped = world.send_wipe()?;
    world.wipe(wiped, false);
    assert!(world.save(late, Save3)?, "nobody told the store");
    Ok(())
}

pub(super) fn save_of_a_process_that_registers_during_reset(world: &mut World) -> Result<()> {
    let current = world.current()?;
    world.claim(current)?;
    world.start()?;
    world.snapshot()?;
    Ok(())
}

pub(super) fn restart_under_the_old_name(world: &mut World) -> Result<()> {
    world.snapshot()?;
    let question = world.start_and_ask()?;
    world.register(question)?;
    Ok(())
}

pub(super) fn reset_under_the_old_name(world: &mut World) -> Result<()> {
    let named = world.begin()?;
    world.answer(named);
    let current = world.current()?;
    world.claim(current)?;
    let wiped = world.send_wipe()?;
    world.wipe(wiped, true);
    world.finish(wiped)
}

pub(super) fn late_registration(world: &mut World) -> Result<()> {
    let late = world.start_and_ask()?;
    world.start()?;
    world.snapshot()?;
    world.register(late)?;
    Ok(())
}

pub(super) fn reset_asked_for_twice(world: &mut World) -> Result<()> {
    let seen = world.current()?;
    world.reset()?;
    world.start()?;
    world.snapshot()?;
    world.claim(seen)
}

pub(super) fn finish_after_a_registration(world: &mut World) -> Result<()> {
    let current = world.current()?;
    world.claim(current)?;
    let wiped = world.send_wipe()?;
    world.wipe(wiped, false);
    world.start()?;
    world.finish(wiped)
}

pub(super) fn call_that_names_nobody(world: &mut World) -> Result<()> {
    world.begin_unnamed();
    Ok(())
}

pub(super) fn stamp_after_the_answer(world: &mut World) -> Result<()> {
    let named = world.begin()?;
    let page = world.answer(named);
    world.start()?;
    let current = world.current()?;
    world.save(Cited { incarnation: current, ..page }, Save4)?;
    Ok(())
}

pub(super) fn answer_for_another(world: &mut World) -> Result<()> {
    let named = world.begin()?;
    world.start()?;
    world.answer(named);
    Ok(())
}

pub(super) fn late_wipe(world: &mut World) -> Result<()> {
    let current = world.current()?;
    world.claim(current)?;
    let late = world.send_wipe()?;
    world.wipe(late, false);
    world.finish(late)?;
    world.start()?;
    world.snapshot()?;
    world.wipe(late, false);
    Ok(())
}

pub(super) fn late_act(world: &mut World) -> Result<()> {
    let page = world.snapshot()?;
    world.load()?;
    world.resolve(page)?;
    world.reset()?;
    world.perform(page);
    Ok(())
}

pub(super) fn resolve_after_restart(world: &mut World) -> Result<()> {
    let page = world.snapshot()?;
    world.start()?;
    world.resolve(page)
}

pub(super) fn forward_unresolved(world: &mut World) -> Result<()> {
    let page = world.snapshot()?;
    world.load()?;
    let current = world.current()?;
    world.claim(current)?;
    world.resolve_in_vain(page)?;
    world.perform(page);
    Ok(())
}

pub(super) fn resolve_from_cache(world: &mut World) -> Result<()> {
    let page = world.snapshot()?;
    world.load()?;
    world.reset()?;
    world.resolve_from_cache(page);
    Ok(())
}

pub(super) fn silent_refusal(world: &mut World) -> Result<()> {
    let named = world.begin()?;
    let late = world.answer(named);
    world.reset()?;
    world.save_and_say_stored(late)
}

pub(super) fn rollback_under_the_old_name(world: &mut World) -> Result<()> {
    let page = world.snapshot()?;
    world.load()?;
    world.snapshot()?;
    let current = world.current()?;
    world.rollback(page, current)
}

pub(super) fn rollback_past_reset(world: &mut World) -> Result<()> {
    let page = world.snapshot()?;
    world.load()?;
    world.reset()?;
    let current = world.current()?;
    world.rollback(page, current)
}

pub(super) fn rollback_during_reset(world: &mut World) -> Result<()> {
    let page = world.snapshot()?;
    world.load()?;
    let current = world.current()?;
    world.claim(current)?;
    world.rollback(page, current)
}

pub(super) fn rollback_sent_twice(world: &mut World) -> Result<()> {
    let page = world.snapshot()?;
    world.load()?;
    let seen = world.current()?;
    world.rollback(page, seen)?;
    world.start()?;
    world.snapshot()?;
    world.rollback(page, seen)
}
