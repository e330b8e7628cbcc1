//! The historic stores run into their races; until the trace check judges them, that they do is what is tested here.

use outlive_model_check::demo::historic::HISTORIC;

#[test]
fn every_historic_store_runs_into_its_race_the_same_way_each_time() {
    for store in HISTORIC {
        let trace = store.run().unwrap_or_else(|error| panic!("{}: {error}", store.variant));
        assert!(trace.lines().count() > 2, "{}: {trace}", store.variant);
        assert_eq!(trace, store.run().unwrap(), "{}", store.variant);
    }
}
