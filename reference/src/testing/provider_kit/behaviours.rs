//! The list. Each behaviour removes what it has started, so that nothing is left running.

use super::*;
use crate::provider::StartOutcome::Fenced;
use Condition::{Booting, Exited, Up};

macro_rules! behaviours {
    ($($name:ident)*) => {
        pub(super) async fn hold_to_all<P: Provider, O: Outside>(provider: &P, outside: &O) -> usize {
            let mut held = 0;
            $(
                let subject = Subject::new(provider, outside);
                $name(&subject).await;
                let _ = subject.remove(LAST).await;
                held += 1;
            )*
            held
        }
    };
}

/// No behaviour starts a newer one.
const LAST: u64 = 99;

behaviours! {
    of_an_unknown_computer_nothing_is_there
    a_start_boots_until_it_is_admitted
    a_start_again_answers_the_same_instance
    a_start_again_does_not_start_again
    an_older_launch_does_not_come_up
    a_newer_launch_takes_the_place_of_an_older_one
    a_stop_ends_every_launch_up_to_it
    a_stop_of_an_older_launch_ends_nothing
    a_stop_may_come_before_its_start
    a_stop_again_proves_the_same
    a_stopped_launch_is_not_started_again
    a_removal_takes_the_instance_and_leaves_the_fence
    a_removal_of_an_older_launch_leaves_the_instance
    a_removal_may_follow_a_stop
    what_exits_is_shown_as_exited
    what_exits_is_revived_until_it_is_stopped
    a_new_launch_is_revived_after_a_stop
    an_id_is_not_used_twice
    a_watch_tells_what_happened_before_it
    marks_go_forward_over_a_whole_life
    a_list_is_not_ahead_of_the_authority
}

async fn of_an_unknown_computer_nothing_is_there(subject: &Subject<'_, impl Provider, impl Outside>) {
    let nothing = subject.get(7).await;
    assert_eq!((nothing.launch, nothing.seen, nothing.mark), (launch(7), None, Mark::START));
}

async fn a_start_boots_until_it_is_admitted(subject: &Subject<'_, impl Provider, impl Outside>) {
    let instance = subject.started(1).await;
    assert_eq!(subject.there().await, Some((1, instance.clone(), Booting)));
    subject.admit().await;
    assert_eq!(subject.there().await, Some((1, instance, Up)));
}

async fn a_start_again_answers_the_same_instance(subject: &Subject<'_, impl Provider, impl Outside>) {
    let instance = subject.started(1).await;
    subject.admit().await;
    assert_eq!(subject.started(1).await, instance);
    // It goes on: another one would boot.
    assert_eq!(subject.there().await, Some((1, instance, Up)));
}

async fn a_start_again_does_not_start_again(subject: &Subject<'_, impl Provider, impl Outside>) {
    let instance = subject.started(1).await;
    subject.exit().await;
    assert_eq!(subject.started(1).await, instance);
    assert_eq!(subject.there().await, Some((1, instance, Exited)));
}

async fn an_older_launch_does_not_come_up(subject: &Subject<'_, impl Provider, impl Outside>) {
    let instance = subject.started(3).await;
    assert_eq!(subject.start(2).await, Fenced { up_to: launch(3) });
    assert_eq!(subject.there().await, Some((3, instance, Booting)));
}

async fn a_newer_launch_takes_the_place_of_an_older_one(subject: &Subject<'_, impl Provider, impl Outside>) {
    let old = subject.started(1).await;
    subject.admit().await;
    let new = subject.started(2).await;
    assert_ne!(new, old);
    assert_eq!(subject.there().await, Some((2, new, Booting)));
}

async fn a_stop_ends_every_launch_up_to_it(subject: &Subject<'_, impl Provider, impl Outside>) {
    let instance = subject.started(2).await;
    let _ = subject.stop(3).await;
    assert_eq!(subject.there().await, Some((2, instance, Exited)));
    // Its call is still on its way.
    assert_eq!(subject.start(3).await, Fenced { up_to: launch(3) });
    let next = subject.started(4).await;
    assert_eq!(subject.there().await, Some((4, next, Booting)));
}

async fn a_stop_of_an_older_launch_ends_nothing(subject: &Subject<'_, impl Provider, impl Outside>) {
    let instance = subject.started(3).await;
    let _ = subject.stop(2).await;
    assert_eq!(subject.there().await, Some((3, instance, Booting)));
    // Nor is it disarmed, or its fence moved back.
    subject.exit().await;
    subject.revive().await;
    assert_eq!(subject.condition().await, Some(Booting));
    assert_eq!(subject.start(2).await, Fenced { up_to: launch(3) });
}

async fn a_stop_may_come_before_its_start(subject: &Subject<'_, impl Provider, impl Outside>) {
    let _ = subject.stop(5).await;
    assert_eq!(subject.start(5).await, Fenced { up_to: launch(5) });
    assert_eq!(subject.there().await, None);
}

async fn a_stop_again_proves_the_same(subject: &Subject<'_, impl Provider, impl Outside>) {
    let _ = subject.started(1).await;
    let _ = subject.stop(1).await;
    let before = subject.there().await;
    let _ = subject.stop(1).await;
    assert_eq!(subject.there().await, before);
}

async fn a_stopped_launch_is_not_started_again(subject: &Subject<'_, impl Provider, impl Outside>) {
    let instance = subject.started(1).await;
    let _ = subject.stop(1).await;
    assert_eq!(subject.start(1).await, Fenced { up_to: launch(1) });
    assert_eq!(subject.there().await, Some((1, instance, Exited)));
}

async fn a_removal_takes_the_instance_and_leaves_the_fence(subject: &Subject<'_, impl Provider, impl Outside>) {
    let _ = subject.started(2).await;
    let _ = subject.remove(2).await;
    let nothing = subject.get(2).await;
    assert_eq!((nothing.launch, nothing.seen), (launch(2), None));
    for late in [1, 2] {
        assert_eq!(subject.start(late).await, Fenced { up_to: launch(2) });
    }
    let _ = subject.started(3).await;
}

async fn a_removal_of_an_older_launch_leaves_the_instance(subject: &Subject<'_, impl Provider, impl Outside>) {
    let instance = subject.started(3).await;
    let _ = subject.remove(2).await;
    assert_eq!(subject.there().await, Some((3, instance, Booting)));
}

async fn a_removal_may_follow_a_stop(subject: &Subject<'_, impl Provider, impl Outside>) {
    let _ = subject.started(1).await;
    let _ = subject.stop(1).await;
    let _ = subject.remove(1).await;
    assert_eq!(subject.there().await, None);
}

async fn what_exits_is_shown_as_exited(subject: &Subject<'_, impl Provider, impl Outside>) {
    let instance = subject.started(1).await;
    subject.admit().await;
    subject.exit().await;
    assert_eq!(subject.there().await, Some((1, instance, Exited)));
}

async fn what_exits_is_revived_until_it_is_stopped(subject: &Subject<'_, impl Provider, impl Outside>) {
    let instance = subject.started(1).await;
    subject.admit().await;
    // What runs is left alone.
    subject.revive().await;
    assert_eq!(subject.there().await, Some((1, instance.clone(), Up)));
    subject.exit().await;
    subject.revive().await;
    // It boots: the word of its former life is no admission.
    assert_eq!(subject.there().await, Some((1, instance.clone(), Booting)));
    let _ = subject.stop(1).await;
    subject.revive().await;
    assert_eq!(subject.there().await, Some((1, instance, Exited)));
}

async fn a_new_launch_is_revived_after_a_stop(subject: &Subject<'_, impl Provider, impl Outside>) {
    let _ = subject.started(1).await;
    let _ = subject.stop(1).await;
    let _ = subject.started(2).await;
    subject.exit().await;
    subject.revive().await;
    assert_eq!(subject.condition().await, Some(Booting));
}

async fn an_id_is_not_used_twice(subject: &Subject<'_, impl Provider, impl Outside>) {
    let mut ids = Vec::new();
    for launch in 1..=3 {
        let id = subject.started(launch).await;
        assert!(!ids.contains(&id), "{id} comes twice");
        ids.push(id);
        let _ = subject.remove(launch).await;
    }
}

async fn a_watch_tells_what_happened_before_it(subject: &Subject<'_, impl Provider, impl Outside>) {
    let instance = subject.started(1).await;
    let _ = subject.stop(1).await;
    let report = subject.watch(Mark::START).await;
    let is_there = report.seen.as_ref().is_some_and(|seen| seen.instance == instance);
    assert!(is_there && report.launch == launch(1), "{report:?}");
}

async fn marks_go_forward_over_a_whole_life(subject: &Subject<'_, impl Provider, impl Outside>) {
    let _ = subject.started(1).await;
    let up = subject.admit().await;
    assert!(!up.is_beyond(subject.get(1).await.mark), "a read has come at least as far as the reports before it");
    let exited = subject.exit().await;
    let proof = subject.remove(1).await;
    let _ = subject.started(2).await;
    let again = subject.admit().await;
    let order = [Mark::START, up, exited, proof.mark(), again];
    assert!(up.is_beyond(Mark::START) && exited.is_beyond(up) && again.is_beyond(exited), "{order:?}");
    assert!(!exited.is_beyond(proof.mark()) && again.is_beyond(proof.mark()), "{order:?}");
}

async fn a_list_is_not_ahead_of_the_authority(subject: &Subject<'_, impl Provider, impl Outside>) {
    let instance = subject.started(1).await;
    subject.admit().await;
    let Some(line) = subject.list().await else { return };
    let truth = subject.get(1).await;
    assert!(!line.mark.is_beyond(truth.mark), "{line:?} is ahead of {truth:?}");
    assert!(line.seen.is_none_or(|seen| seen.instance == instance), "a list has what never was");
}
