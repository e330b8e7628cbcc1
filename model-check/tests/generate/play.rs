//! How scripts are played, whatever their protocol: each step by a driver, and what was recorded goes to the check.

use std::collections::BTreeMap;
use std::sync::Arc;

use outlive::Store;
use outlive::trace::Protocol;
use outlive_model_check::conform::report::Verdict;
use outlive_model_check::conform::{Input, Options, check, render};
use outlive_model_check::generate::script::{Expect, Line, Script, Step};
use outlive_model_check::generate::{Cover, Scripts, Summary};
use outlive_spec::requirement::Requirement;
use tokio::runtime::Runtime;

/// A driver of one computer.
pub(crate) trait Player<S>: Sized {
    const PROTOCOL: Protocol;
    /// What the computers of all scripts share.
    type World;

    fn world(store: &Arc<S>) -> Self::World;

    /// A new computer, in the state in which each script starts.
    async fn start(world: &Self::World, script: u64) -> Self;

    /// Takes the step, whatever is expected of it, and says how it has ended; nothing, if the reference has no way to
    /// try it.
    async fn take(&mut self, step: &Step) -> Option<Expect>;
}

/// Every so many-th script, through JSON, as a driver in another language would read it. All of them, if the
/// environment asks for that.
pub(crate) fn scripts(protocol: &str, cover: Cover, every: u64) -> (Vec<Script>, Summary) {
    let every = if std::env::var("SCRIPTS").is_ok_and(|which| which == "all") { 1 } else { every };
    let (mut scripts, mut numbers) = (Vec::new(), 0..);
    let summary = Scripts::named(protocol).expect("it has scripts").generate(cover, &mut |line| {
        if let Line::Script(script) = line {
            assert_eq!(Some(script.script), numbers.next());
            if script.script % every != 0 {
                return Ok(());
            }
        }
        let text = serde_json::to_string(line).expect("a line is JSON");
        match serde_json::from_str(&text).expect("what is written can be read") {
            Line::Header(header) => {
                assert_eq!((header.format, &*header.protocol, header.cover), (1, protocol, cover));
            }
            Line::Script(script) => scripts.push(script),
        }
        Ok(())
    });
    let summary = summary.expect("nothing is written");
    assert_eq!(numbers.next(), Some(summary.scripts));
    assert!(summary.steps >= summary.edges, "a script has each edge that it covers");
    println!("{protocol}, {cover:?}: {summary:?}, of which {} are played", scripts.len());
    (scripts, summary)
}

/// How often each action was played, with each of its ends.
pub(crate) type Coverage = BTreeMap<(&'static str, Option<Requirement>), u64>;

/// What came of the scripts.
#[derive(Default)]
pub(crate) struct Played {
    pub(crate) coverage: Coverage,
    /// What the reference cannot try.
    pub(crate) impossible: Coverage,
}

/// Plays the scripts, and has the trace checked.
pub(crate) fn play<P: Player<S>, S: Store>(store: Arc<S>, scripts: &[Script]) -> Played {
    let mut played = Played::default();
    let trace = runtime().block_on(async {
        let world = P::world(&store);
        for script in scripts {
            let mut driver = P::start(&world, script.script).await;
            for (at, step) in script.steps.iter().enumerate() {
                let end = (step.what.action.word(), step.expect.because);
                *played.coverage.entry(end).or_default() += 1;
                match driver.take(step).await {
                    Some(end) => {
                        assert_eq!(end, step.expect, "script {}, step {at}: {:?}", script.script, step.what);
                    }
                    None => *played.impossible.entry(end).or_default() += 1,
                }
            }
        }
        let mut trace = Vec::new();
        store.recorder().export(P::PROTOCOL, &mut trace).await.expect("the trace is exported");
        trace
    });
    let report = check(&[Input::text("scripts", trace)], &Options::default());
    assert_eq!(report.verdict, Verdict::Conforms, "{}", render::text(&report, render::Colors::Never));
    println!("{} scripts, {} events conform", scripts.len(), report.lines.events);
    played
}

/// Plays a script that was spoiled at one step: whether that is noticed there.
pub(crate) fn is_noticed<P: Player<S>, S: Store>(store: &Arc<S>, script: &Script, at: usize) -> bool {
    runtime().block_on(async {
        let mut driver = P::start(&P::world(store), script.script).await;
        for step in &script.steps[..at] {
            let _ended = driver.take(step).await;
        }
        driver.take(&script.steps[at]).await.as_ref() != Some(&script.steps[at].expect)
    })
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread().build().expect("a runtime")
}
