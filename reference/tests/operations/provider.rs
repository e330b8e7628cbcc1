//! What a provider and an owner say of their own steps.

use outlive::locks::Locks;
use outlive::provider::{Observation, Start, Watch};
use outlive::store::operation::{Ending, Kind};
use outlive::testing::{FakeProvider, Fault, Verb};
use outlive::trace::{Protocol, Recorder};
use outlive::{ComputerId, Launch, Mark, MemoryStore, OwnerName, Provider, ProviderName, Store};
use serde_json::Value;

fn computer() -> ComputerId {
    ComputerId::new("computer").unwrap()
}

fn launch(number: u64) -> Launch {
    Launch::try_from(number).unwrap()
}

fn recording(store: &MemoryStore) -> FakeProvider {
    FakeProvider::recording(store.recorder().provider(&ProviderName::new("provider").unwrap()))
}

async fn told(store: &MemoryStore) -> Vec<Value> {
    let mut out = Vec::new();
    store.recorder().export(Protocol::Operation, &mut out).await.unwrap();
    String::from_utf8(out).unwrap().lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The fields that say something, in the order of the format.
fn short(event: &Value) -> String {
    let fields = ["phase", "action", "because", "launch", "mark", "kind", "condition", "ending"];
    let word = |field: &&str| match &event[*field] {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    fields.iter().filter_map(word).collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn each_step_of_a_provider_is_recorded_and_each_report_right_behind_it() {
    let (store, locks) = (MemoryStore::recording(), Locks::new(()));
    let (provider, sweep) = (recording(&store), locks.sweep());
    let start = |number| provider.start(sweep.io(), Start { computer: computer(), launch: launch(number) });
    let _ = start(1).await.unwrap();
    // The same again, though nobody hears of it.
    provider.plan(Verb::Start, Fault::LoseAnswer);
    let _ = start(1).await.unwrap_err();
    // One that never arrives is no line.
    provider.plan(Verb::Start, Fault::Lose);
    let _ = start(2).await.unwrap_err();
    assert!(provider.admit(&computer()) && !provider.admit(&computer()));
    assert!(provider.exit(&computer()) && !provider.exit(&computer()));
    assert!(provider.revive(&computer()) && !provider.revive(&computer()));
    let _ = provider.stop(sweep.io(), computer(), launch(1)).await.unwrap();
    assert!(!provider.revive(&computer()));
    let _ = start(1).await.unwrap();
    // A stop of what is stopped changes nothing, and arrives all the same.
    let _ = provider.stop(sweep.io(), computer(), launch(1)).await.unwrap();
    let _ = start(2).await.unwrap();
    assert!(provider.vanish(&computer()) && !provider.vanish(&computer()));
    let _ = provider.remove(sweep.io(), computer(), launch(2)).await.unwrap();
    let expected = [
        "commit arrive 1 start",
        "commit report 1 1 booting",
        "commit arrive RECONCILE-6 1 start",
        "commit admit 1",
        "commit report 1 2 up",
        "commit exit 1",
        "commit report 1 3 exited",
        "commit revive 1",
        "commit report 1 4 booting",
        "commit arrive 1 stop",
        "commit report 1 5 exited",
        "commit revive RECONCILE-14 1",
        "commit arrive RECONCILE-6 1 start",
        "commit arrive 1 stop",
        "commit arrive 2 start",
        "commit report 2 6 booting",
        "commit vanish 2",
        "commit report 2 7 absent",
        "commit arrive 2 delete",
    ];
    assert_eq!(told(&store).await.iter().map(short).collect::<Vec<_>>(), expected);
}

/// Whatever is told under a mark, by whatever way, is what was recorded under it.
#[tokio::test]
async fn what_is_told_under_a_mark_is_what_was_recorded_under_it() {
    let (store, locks) = (MemoryStore::recording(), Locks::new(()));
    let (provider, sweep) = (recording(&store), locks.sweep());
    let _ = provider.start(sweep.io(), Start { computer: computer(), launch: launch(1) }).await.unwrap();
    assert!(provider.admit(&computer()) && provider.exit(&computer()) && provider.vanish(&computer()));
    let mut heard = Vec::new();
    for age in 0..4 {
        provider.plan(Verb::List, Fault::Past(age));
        provider.plan(Verb::Watch, Fault::Past(age));
        heard.extend(provider.list(sweep.io()).await.unwrap());
        let call = Watch { computer: computer(), after: Mark::START };
        heard.push(provider.watch(sweep.io(), call).await.unwrap());
    }
    let recorded = told(&store).await;
    for Observation { launch, seen, mark, .. } in heard {
        let is_it = |event: &&Value| event["action"] == "report" && event["mark"] == mark.number();
        let report = recorded.iter().find(is_it).unwrap_or_else(|| panic!("{mark} was never recorded"));
        let condition = seen.map_or("absent".to_owned(), |seen| format!("{:?}", seen.condition).to_lowercase());
        assert_eq!((&report["launch"], &report["condition"]), (&launch.number().into(), &condition.into()));
    }
}

#[tokio::test]
async fn what_an_owner_asks_and_hears_is_recorded_in_its_phases() {
    let (store, locks) = (MemoryStore::recording(), Locks::new(()));
    let (provider, sweep) = (FakeProvider::new(), locks.sweep());
    let says = store.recorder().owner(&OwnerName::new("one").unwrap());
    let mark = Mark::try_from(3).unwrap();
    says.send(&computer(), Kind::Start, launch(1)).await.unwrap();
    for ending in [Ending::Admitted, Ending::Failed, Ending::Stopped, Ending::Removed] {
        says.hear(&computer(), launch(1), ending, mark).await.unwrap();
    }
    says.fail(&computer(), launch(1)).await.unwrap();
    says.begin_get(&computer()).await.unwrap();
    let call = outlive::provider::Get { computer: computer(), launch: launch(1) };
    says.end_get(&provider.get(sweep.io(), call).await.unwrap()).await.unwrap();
    let expected = [
        "observe send 1 start",
        "end hear 1 3 start done",
        "end hear 1 3 start failed",
        "end hear 1 3 stop done",
        "end hear 1 3 delete done",
        "observe fail 1",
        "begin get",
        "end get 1 0 absent",
    ];
    let told = told(&store).await;
    assert_eq!(told.iter().map(short).collect::<Vec<_>>(), expected);
    assert!(told.iter().all(|event| event["process"] == "one" && event["computer"] == "computer"));
}

#[tokio::test]
async fn where_nothing_is_recorded_a_step_is_written_at_once() {
    let says = Recorder::off().owner(&OwnerName::new("one").unwrap());
    says.send(&computer(), Kind::Stop, launch(1)).await.unwrap();
    let provider = FakeProvider::recording(Recorder::off().provider(&ProviderName::new("provider").unwrap()));
    assert!(!provider.admit(&computer()));
}
