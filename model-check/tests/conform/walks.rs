//! Whatever the model does is accepted, however long and wherever the walk goes.

use outlive_model_check::conform::report::Verdict;
use outlive_model_check::conform::walk::{Size, Walk};
use outlive_model_check::conform::{Input, Options, check, render};

#[test]
fn walks_of_the_model_conform() {
    for seed in 0..40 {
        let size = Size { computers: 1 + seed as usize % 7, gateways: 1 + seed as u32 % 3, events: 2_000 };
        let text = Walk::new(seed, size).text();
        let report = check(&[Input::text(&format!("seed {seed}"), text)], &Options::default());
        assert_eq!(report.verdict, Verdict::Conforms, "{}", render::text(&report, render::Colors::Never));
        assert_eq!(report.lines.events, size.events);
    }
}

#[test]
fn a_long_walk_meets_every_danger_and_every_action() {
    let text = Walk::new(1, Size { computers: 50, gateways: 3, events: 100_000 }).text();
    let options = Options { requires_danger_windows: true, ..Options::default() };
    let report = check(&[Input::text("walk", text)], &options);
    println!("{}", render::text(&report, render::Colors::Never));
    assert_eq!(report.verdict, Verdict::Conforms);
}
