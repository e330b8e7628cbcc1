//! The page of the trace format says what the code does: which actions there are, why each can be refused, and examples
//! that are events.

use outlive_model_check::conform::causes::causes;
use outlive_spec::trace::{Event, Header, Verb};

const PAGE: &str = include_str!("../../../docs/trace-format.md");

#[test]
fn the_table_of_actions_has_each_with_whatever_refuses_it() {
    let cells = |line: &'static str| line.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>();
    let table = PAGE.split("| can be refused by |").nth(1).expect("the table of actions");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|')).map(cells);
    let found: Vec<(String, String)> = rows.map(|row| (row[0].replace('`', ""), row[3].to_owned())).collect();
    let ids = |verb: &Verb| causes(*verb).iter().map(|because| because.id()).collect::<Vec<_>>().join(", ");
    let wanted: Vec<(String, String)> = Verb::ALL.iter().map(|verb| (verb.word().to_owned(), ids(verb))).collect();
    assert_eq!(found, wanted);
}

#[test]
fn every_example_is_a_line_of_a_trace() {
    let lines: Vec<&str> = PAGE.lines().filter(|line| line.starts_with('{')).collect();
    let (headers, events): (Vec<&str>, Vec<&str>) = lines.into_iter().partition(|line| line.contains("\"format\""));
    assert!(!headers.is_empty() && events.len() > 1, "the examples are gone");
    headers.iter().for_each(|line| drop(serde_json::from_str::<Header>(line).expect(line)));
    events.iter().for_each(|line| drop(serde_json::from_str::<Event<'_>>(line).expect(line)));
}
