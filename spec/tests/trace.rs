//! The trace format, as its writers and readers meet it.

use std::borrow::Cow;

use outlive_spec::requirement::Requirement;
use outlive_spec::trace::{Event, Header, Outcome, Phase, Text, Verb, schema, schema_hash};
use serde::Deserialize;

const SAVE: &str = r#"{"process":"gateway-1","sequence":7,"commit":40,"phase":"commit","action":"save","computer":"c","outcome":"refused","because":"SAVE-3","incarnation":2,"generation":5}"#;

#[test]
fn an_event_borrows_from_its_line() {
    let event: Event<'_> = serde_json::from_str(SAVE).unwrap();
    assert!(matches!(event.process.0, Cow::Borrowed("gateway-1")));
    assert_eq!((event.action, event.phase, event.outcome), (Verb::Save, Phase::Commit, Outcome::Refused));
    assert_eq!(event.because, Some(Requirement::Save3));
    assert_eq!((event.incarnation, event.generation, event.expected), (Some(2), Some(5), None));
}

#[test]
fn an_event_is_written_as_it_was_read() {
    let event: Event<'_> = serde_json::from_str(SAVE).unwrap();
    assert_eq!(serde_json::to_string(&event).unwrap(), SAVE);
}

#[test]
fn text_with_escapes_is_read_as_well() {
    let line = SAVE.replace("gateway-1", r"g\u0061teway");
    let event: Event<'_> = serde_json::from_str(&line).unwrap();
    assert_eq!(&*event.process, "gateway");
}

#[test]
fn trace_1_a_field_that_does_not_exist_is_refused_but_for_the_extension() {
    let typo = SAVE.replace("\"generation\"", "\"generatoin\"");
    let error = serde_json::from_str::<Event<'_>>(&typo).unwrap_err().to_string();
    assert!(error.contains("unknown field `generatoin`"), "{error}");

    let extended = SAVE.replace("\"sequence\"", "\"x\":{\"region\":[1,2]},\"sequence\"");
    let event: Event<'_> = serde_json::from_str(&extended).unwrap();
    assert_eq!(event.x.unwrap().get(), r#"{"region":[1,2]}"#);
}

#[test]
fn words_are_spelled_as_their_serialization() {
    for &verb in Verb::ALL {
        assert_eq!(serde_json::to_value(verb).unwrap(), verb.word());
    }
    for &requirement in Requirement::ALL {
        assert_eq!(serde_json::to_value(requirement).unwrap(), requirement.id());
    }
}

#[test]
fn the_schema_names_itself_and_every_field() {
    let text = schema().to_string();
    for field in ["process", "sequence", "commit", "incarnation", "minted", "claims", "lossy"] {
        assert!(text.contains(&format!("\"{field}\"")), "{field} is not in the schema");
    }
}

/// Every trace names it, so it changes only when the format does; a reviewer decides whether that is version 2.
#[test]
fn the_schema_is_the_one_that_was_reviewed() {
    assert_eq!(schema_hash(), "42ae2bbcd1893232");
}

#[test]
fn a_header_says_what_it_claims_to_log() {
    let header = r#"{"format":1,"schema":"0","protocol":"snapshot","implementation":{"name":"n","version":"1"},"store":"sqlite","processes":["g"],"claims":["save"]}"#;
    let read: Header = serde_json::from_str(header).unwrap();
    assert_eq!((read.claims.as_slice(), read.lossy), ([Verb::Save].as_slice(), false));
    assert_eq!(serde_json::to_string(&read).unwrap(), header);
}

#[test]
fn a_text_is_read_from_whoever_hands_it_over_and_nothing_else_is() {
    let handed_over = Text::deserialize(serde_json::Value::from("one")).unwrap();
    assert_eq!(&*handed_over, "one");
    let error = Text::deserialize(serde_json::Value::from(1)).unwrap_err();
    assert!(error.to_string().contains("expected a string"), "{error}");
}
