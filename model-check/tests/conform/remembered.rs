//! Where the memory of a check ends, and where a line does: on both sides of each limit.

use outlive_model_check::conform::limits::LIMITS;
use outlive_model_check::conform::report::{Report, Verdict};
use outlive_model_check::conform::unreadable::Kind;
use outlive_model_check::conform::{Input, Options, check};
use outlive_spec::snapshot::check::{Check, Checks};
use outlive_spec::snapshot::rules::Rules;
use outlive_spec::snapshot::variants::RIGHT;
use outlive_spec::trace::{LINE_LIMIT, Verb, schema_hash};
use serde_json::{Value, json};

/// How many pages that were shown are remembered.
fn remembered() -> usize {
    let limit = LIMITS.iter().find(|limit| limit.what.starts_with("pages")).expect("pages are limited");
    usize::try_from(limit.most).expect("a memory has that many")
}

/// A trace of one process that does everything, for one computer.
struct Story {
    lines: Vec<Value>,
}

impl Story {
    /// Its computer is incarnation 1.
    fn new() -> Story {
        let claims: Vec<&str> = Verb::of("snapshot").map(Verb::word).collect();
        let header = json!({
            "format": 1, "schema": schema_hash(), "protocol": "snapshot",
            "implementation": {"name": "test", "version": "1"}, "store": "none",
            "processes": ["a"], "claims": claims,
        });
        let mut story = Story { lines: vec![header] };
        story.tell("observe", "ask", json!({"life": "one", "expected": 0}));
        story.tell("commit", "register", json!({"life": "one", "expected": 0, "minted": 1}));
        story.tell("commit", "learn", json!({"incarnation": 1}));
        story
    }

    fn tell(&mut self, phase: &str, action: &str, mut event: Value) {
        event["process"] = "a".into();
        event["sequence"] = (self.lines.len() - 1).into();
        event["phase"] = phase.into();
        event["action"] = action.into();
        event["computer"] = "red".into();
        self.lines.push(event);
    }

    /// So many pages are made, stored and shown, one after another.
    fn show_pages(&mut self, pages: usize) {
        for generation in 1..=pages {
            let page = || json!({"incarnation": 1, "generation": generation});
            self.tell("observe", "begin", json!({"incarnation": 1}));
            self.tell("commit", "answer", page());
            self.tell("commit", "save", page());
            self.tell("observe", "load", page());
        }
    }

    fn roll_back(&mut self, generation: usize, current: u64) {
        let expected = json!({"incarnation": 1, "generation": generation, "expected": current, "minted": current + 1});
        self.tell("commit", "rollback", expected);
    }

    fn reset(&mut self) {
        self.tell("commit", "claim", json!({"expected": 1}));
        self.tell("observe", "send-wipe", json!({"incarnation": 1}));
        self.tell("commit", "wipe", json!({"incarnation": 1, "by": "a", "life": "two", "generation": 0}));
        self.tell("commit", "finish", json!({"incarnation": 1, "minted": 2}));
    }

    fn judge(&self) -> Report {
        self.judge_without(Checks::NONE)
    }

    fn judge_without(&self, without: Checks) -> Report {
        let text: String = self.lines.iter().map(|line| format!("{line}\n")).collect();
        check(&[Input::text("trace", text)], &Options { snapshot: Rules { without, ..RIGHT }, ..Options::default() })
    }
}

#[test]
fn a_rollback_to_a_page_that_is_not_remembered_is_inconclusive() {
    for (generation, expected) in [(1, Verdict::Inconclusive), (2, Verdict::Conforms)] {
        let mut story = Story::new();
        story.show_pages(remembered() + 1);
        story.roll_back(generation, 1);
        let report = story.judge();
        assert_eq!(report.verdict, expected, "generation {generation}: {:?}", report.doubts);
    }
}

/// Rules that let a page go back show an older page later, and forget it once more; what was forgotten before is still
/// not known.
#[test]
fn a_page_that_is_forgotten_again_makes_no_other_known() {
    let last_forgotten = 3;
    for (generation, expected) in [
        (last_forgotten - 1, Verdict::Inconclusive),
        (last_forgotten, Verdict::Inconclusive),
        (last_forgotten + 1, Verdict::Conforms),
    ] {
        let mut story = Story::new();
        story.show_pages(remembered() + last_forgotten);
        let page = || json!({"incarnation": 1, "generation": 1});
        story.tell("commit", "save", page());
        story.tell("observe", "load", page());
        story.roll_back(generation, 1);
        let report = story.judge_without(Checks::of(&[Check::SaveIsNewer]));
        assert_eq!(report.verdict, expected, "generation {generation}: {:?}", report.doubts);
    }
}

/// What was forgotten was wiped as well, so it is known again that nobody may go back to it.
#[test]
fn a_rollback_to_before_the_reset_is_refused_though_its_page_was_forgotten() {
    let mut story = Story::new();
    story.show_pages(remembered() + 1);
    story.reset();
    story.roll_back(1, 2);
    let report = story.judge();
    assert_eq!((report.verdict, report.exit), (Verdict::Diverges, 20), "{:?}", report.doubts);
}

#[test]
fn a_line_is_as_long_as_the_limit_and_no_longer() {
    for (spare, kind) in [(0, None), (1, Some(Kind::LineTooLong))] {
        let mut story = Story::new();
        story.lines[2]["x"] = "".into();
        let padding = LINE_LIMIT + spare - story.lines[2].to_string().len();
        story.lines[2]["x"] = "x".repeat(padding).into();
        assert_eq!(story.judge().unreadable.map(|unreadable| unreadable.kind), kind);
    }
}
