//! Runs a scenario in every interleaving, or in many, and a wrong twin in a process of its own.

use std::env;
use std::process::Command;

/// How often each scenario is run, a line each: its name, and the numbers at two and at three preemptions.
#[cfg(not(feature = "shuttle"))]
const REVIEWED: &str = include_str!("../executions.txt");

/// Runs the scenario, which must hold each time, as often as was reviewed. With `LOOM_UNCOUNTED` that is not asked:
/// locks that lack a guard are other locks.
#[cfg(not(feature = "shuttle"))]
pub(crate) fn explore(name: &str, scenario: impl Fn() + Send + Sync + 'static) {
    let (preemptions, executions) = run(scenario);
    if env::var_os("LOOM_UNCOUNTED").is_some() {
        return;
    }
    let line = REVIEWED.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = "));
    let line = line.unwrap_or_else(|| panic!("executions.txt lacks `{name}`: {executions} at {preemptions}"));
    // More than three are for whoever has the time, and have no number.
    let reviewed = preemptions.checked_sub(2).and_then(|place| line.split(' ').nth(place));
    if let Some(reviewed) = reviewed {
        assert_eq!(
            executions.to_string(),
            reviewed,
            "`{name}` has become another scenario ({preemptions} preemptions)"
        );
    }
}

/// Up to how many preemptions it was run, and how often.
#[cfg(not(feature = "shuttle"))]
pub(crate) fn run(scenario: impl Fn() + Send + Sync + 'static) -> (usize, usize) {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    let mut model = loom::model::Builder::new();
    let preemptions = *model.preemption_bound.get_or_insert(2);
    assert!(preemptions >= 2, "LOOM_MAX_PREEMPTIONS={preemptions} is too few for the races that are looked for");
    // Of the standard library, so that it outlives each run and adds no interleaving.
    let runs = Arc::new(AtomicUsize::new(0));
    let counted = runs.clone();
    model.check(move || {
        counted.fetch_add(1, Ordering::Relaxed);
        scenario();
    });
    (preemptions, runs.load(Ordering::Relaxed))
}

/// Runs the scenario, which must hold each time.
#[cfg(feature = "shuttle")]
pub(crate) fn explore(_name: &str, scenario: impl Fn() + Send + Sync + 'static) {
    run(scenario);
}

/// Runs a scenario of one thread: what it says holds in every interleaving.
pub(crate) fn explore_alone(name: &str, scenario: impl Fn() + Send + Sync + 'static) {
    #[cfg(not(feature = "shuttle"))]
    explore(name, scenario);
    // PCT refuses what has no interleavings.
    #[cfg(feature = "shuttle")]
    {
        let _ = name;
        shuttle::check_random(scenario, 1);
    }
}

/// Draws schedules by PCT, which meets a mistake that takes three steps in one order with a known probability.
/// `SHUTTLE_SEED` and `SHUTTLE_ITERATIONS` draw others, and more.
#[cfg(feature = "shuttle")]
pub(crate) fn run(scenario: impl Fn() + Send + Sync + 'static) {
    use shuttle::scheduler::PctScheduler;

    let number = |name: &str, default| env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let iterations = usize::try_from(number("SHUTTLE_ITERATIONS", 5_000)).expect("a number of runs");
    let scheduler = PctScheduler::new_from_seed(number("SHUTTLE_SEED", 1), 3, iterations);
    shuttle::Runner::new(scheduler, shuttle::Config::default()).run(scenario);
}

/// Runs a wrong twin, which must fail and say this. In a process of its own: a model that has failed is of no more use,
/// and may end the process while it unwinds.
pub(crate) fn must_find(twin: &str, wanted: &str) {
    let this_program = env::current_exe().expect("the path of this program");
    let twin = format!("scenarios::{twin}");
    let output =
        Command::new(this_program).args(["--exact", &twin, "--ignored", "--nocapture"]).output().expect("it starts");
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(said.contains("running 1 test"), "there is no twin of that name:\n{said}");
    assert!(!output.status.success(), "what is wrong with {twin} was not found:\n{said}");
    assert!(said.contains(wanted), "{twin} failed for another reason:\n{said}");
}
