//! Two threads count together. It says nothing of `outlive`: it says that the model of threads is at work.

use super::Threads;
use crate::explore::{explore, must_find, run};
use crate::sync::{Arc, Mutex};

fn two_who_count(under_one_lock: bool) {
    let counter = Arc::new(Mutex::new(0));
    let count = move |counter: &Mutex<i32>| {
        if under_one_lock {
            *counter.lock() += 1;
        } else {
            // 1. This thread reads 0. 2. The other reads 0 and writes 1. 3. This one writes 1 over it.
            let seen = *counter.lock();
            *counter.lock() = seen + 1;
        }
    };
    let mut threads = Threads::default();
    threads.spawn({
        let counter = counter.clone();
        move || count(&counter)
    });
    count(&counter);
    threads.join();
    assert_eq!(*counter.lock(), 2, "an increment was lost");
}

#[test]
fn two_who_count_under_the_lock_lose_nothing() {
    explore("counting", || two_who_count(true));
}

#[test]
#[ignore = "a wrong twin: the test below runs it"]
fn wrong_twin_two_who_read_and_then_write() {
    run(|| two_who_count(false));
}

#[test]
fn a_count_without_the_lock_is_found() {
    must_find("counting::wrong_twin_two_who_read_and_then_write", "an increment was lost");
}
