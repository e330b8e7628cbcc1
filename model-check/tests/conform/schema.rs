//! The schema that teams without Rust validate by is the one that this code reads by.

use std::fs;
use std::path::Path;

#[test]
fn the_committed_schema_is_generated() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/schema/trace.json");
    let committed = fs::read_to_string(path).expect("the schema is committed");
    let generated = serde_json::to_string_pretty(&outlive_spec::trace::schema()).expect("a schema is JSON") + "\n";
    let hint = "cargo run -p outlive-model-check -- schema trace > docs/schema/trace.json";
    assert!(committed == generated, "the schema has changed; rewrite it with\n{hint}");
}
