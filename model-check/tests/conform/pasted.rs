//! As `conform` shows it. `UPDATE_TRACES=1` rewrites this file.

/// SAVE-3: a save lands only under the current incarnation.
#[test]
fn save_3_refuses_this_save() {
    use outlive_model_check::conform::{Input, Options, check};
    let trace = r#"{"format":1,"schema":"42ae2bbcd1893232","protocol":"snapshot","implementation":{"name":"by hand","version":"1"},"store":"none","processes":["gateway-1","host"],"claims":["restart","ask","register","learn","begin","answer","save","claim","send-wipe","wipe","finish","load","resolve","perform","rollback","crash"]}
{"process":"host","sequence":0,"phase":"observe","action":"ask","computer":"red","expected":0,"life":"life-1"}
{"process":"host","sequence":1,"phase":"commit","action":"register","computer":"red","expected":0,"minted":1,"life":"life-1"}
{"process":"host","sequence":2,"phase":"commit","action":"learn","computer":"red","incarnation":1}
{"process":"gateway-1","sequence":0,"phase":"commit","action":"claim","computer":"red","expected":1}
{"process":"gateway-1","sequence":1,"phase":"observe","action":"send-wipe","computer":"red","incarnation":1}
{"process":"host","sequence":3,"phase":"commit","action":"wipe","computer":"red","incarnation":1,"generation":0,"life":"life-2","by":"gateway-1"}
{"process":"gateway-1","sequence":2,"phase":"commit","action":"finish","computer":"red","incarnation":1,"minted":2}
{"process":"gateway-1","sequence":3,"phase":"commit","action":"save","computer":"red","incarnation":1,"generation":1}
"#;
    let report = check(&[Input::text("trace", trace)], &Options::default());
    let divergence = report.divergence.expect("the trace is no behaviour of the model");
    assert_eq!(divergence.requirement.map(|it| it.id()), Some("SAVE-3"));
    assert_eq!(divergence.line.place.line, 9);
}
