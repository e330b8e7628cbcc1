//! Batches, arranged: the writer is held by a step of its own until everything that is to share a commit waits behind
//! it.

use std::pin::Pin;
use std::sync::mpsc;
use std::task::{Context, Poll, Waker};

use super::*;
use crate::sync::Mutex;

/// Far longer than a commit takes, so that who waits for nobody is found out.
const LONG: Duration = Duration::from_secs(20);

/// Holds the writer until it is dropped.
struct Held {
    release: mpsc::Sender<()>,
    told: Pending<()>,
}

impl Held {
    /// Returns once the step that holds the writer was told that it is committed: nothing that is submitted now can
    /// have come during its commit.
    fn release(self) {
        drop(self.release);
        soon(self.told);
    }
}

impl Fixture {
    /// Returns once the writer is held, so that nothing which is submitted now comes before that.
    fn hold_the_writer(&self) -> Held {
        let (held, is_held) = self.hold_the_writer_later();
        is_held.recv().unwrap();
        held
    }

    /// The same once its turn comes, which the other half of the channel tells.
    fn hold_the_writer_later(&self) -> (Held, mpsc::Receiver<()>) {
        let (release, released) = mpsc::channel::<()>();
        let (held, is_held) = mpsc::channel();
        let released = Mutex::new(released);
        let told = self.store.shared.writer.submit(move |_| {
            let _ = held.send(());
            let _ = released.lock().recv();
            Ok(())
        });
        (Held { release, told }, is_held)
    }

    fn save(&self, generation: u64) -> Pending<SaveOutcome> {
        self.store.write(self.to_save(generation, 10), decide::save)
    }

    fn save_of_nobody_knows_whom(&self) -> Pending<SaveOutcome> {
        let unknown = ComputerId::new("unknown").unwrap();
        self.store.write(Save { computer: unknown, ..self.to_save(1, 10) }, decide::save)
    }

    /// A step that asserts, among those of its batch, that nothing of it is seen by others and nobody was told.
    fn nothing_is_out<T: Send + 'static>(&self, earlier: Vec<Pending<T>>) -> Pending<Vec<Pending<T>>> {
        let earlier = Mutex::new(earlier);
        let path = self.path.clone();
        self.store.shared.writer.submit(move |raw| {
            assert_ne!(generation(raw), None, "the step does not see what its batch has done");
            assert_eq!(generation(&Raw::open(&path)?), None, "the commit came before the end of the batch");
            let mut earlier = earlier.lock();
            assert!(!earlier.iter_mut().any(is_told), "an outcome went out before the commit");
            Ok(std::mem::take(&mut *earlier))
        })
    }

    /// One caller is inside its commit while the other comes, so that neither was ever in a batch with the other.
    fn save_in_halves(&self) {
        let held = self.hold_the_writer();
        let mut early = self.save(1);
        held.release();
        must_wait(&mut early);
        assert_eq!(soon(self.save(2)), SaveOutcome::Stored);
        assert_eq!(soon(early), SaveOutcome::Stored);
    }

    async fn stored(&self) -> Option<u64> {
        let standing = self.store.look(self.computer.clone()).await.unwrap().unwrap();
        standing.page.map(|page| page.generation.number())
    }
}

fn generation(raw: &Raw) -> Option<i64> {
    raw.query_row("SELECT generation FROM computer", [], |row| row.get(0)).unwrap()
}

fn is_told<T>(pending: &mut Pending<T>) -> bool {
    Pin::new(pending).poll(&mut Context::from_waker(Waker::noop())).is_ready()
}

fn must_wait<T>(pending: &mut Pending<T>) {
    // Far longer than a commit takes.
    std::thread::sleep(Duration::from_millis(50));
    assert!(!is_told(pending), "it was not kept for those who are on their way back");
}

/// The outcome, unless it takes far longer than anything here may take.
fn soon<T>(mut pending: Pending<T>) -> T {
    for _ in 0..5_000 {
        match Pin::new(&mut pending).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(outcome) => return outcome.unwrap(),
            Poll::Pending => std::thread::sleep(Duration::from_millis(1)),
        }
    }
    panic!("the step waits for somebody");
}

#[tokio::test]
async fn what_waits_shares_a_commit_and_nobody_is_told_before_it() {
    let fixture = Fixture::new(SqliteOptions::new()).await;
    let held = fixture.hold_the_writer();
    let saves = (1..=16).map(|generation| fixture.save(generation)).collect();
    let checked = fixture.nothing_is_out(saves);
    drop(held);
    // Each is stored over the one before: they were taken in the order in which they were submitted.
    for save in checked.await.unwrap() {
        assert_eq!(save.await.unwrap(), SaveOutcome::Stored);
    }
    assert_eq!(fixture.stored().await, Some(16));
}

#[tokio::test]
async fn a_limit_of_one_gives_each_step_a_commit_of_its_own() {
    for limit in [0, 1] {
        let fixture = Fixture::new(SqliteOptions::new().largest_batch(limit)).await;
        let held = fixture.hold_the_writer();
        let (save, path) = (fixture.save(1), fixture.path.clone());
        let seen = fixture.store.shared.writer.submit(move |_| Ok(generation(&Raw::open(&path)?)));
        drop(held);
        assert_eq!((save.await.unwrap(), seen.await.unwrap()), (SaveOutcome::Stored, Some(1)));
    }
}

#[tokio::test]
async fn who_asks_for_the_impossible_fails_alone_within_the_batch() {
    let fixture = Fixture::new(SqliteOptions::new()).await;
    let held = fixture.hold_the_writer();
    let (first, unknown) = (fixture.save(1), fixture.save_of_nobody_knows_whom());
    let (checked, last) = (fixture.nothing_is_out(vec![first]), fixture.save(2));
    drop(held);
    assert!(matches!(unknown.await, Err(StoreError::NoSuchComputer { .. })));
    assert_eq!(checked.await.unwrap().pop().unwrap().await.unwrap(), SaveOutcome::Stored);
    assert_eq!(last.await.unwrap(), SaveOutcome::Stored);
}

#[tokio::test]
async fn a_step_that_has_written_and_fails_leaves_nothing_and_takes_no_other_with_it() {
    let fixture = Fixture::new(SqliteOptions::new()).await;
    let held = fixture.hold_the_writer();
    let first = fixture.save(1);
    let unknown = ComputerId::new("unknown").unwrap();
    let failed = fixture.store.shared.writer.submit::<()>(move |raw| {
        raw.execute("INSERT INTO computer (id, incarnation, resetting, since) VALUES ('unknown', 0, 0, 0)", [])?;
        Err(Fault::NoSuchComputer(unknown.clone()))
    });
    let last = fixture.save(2);
    drop(held);
    assert!(matches!(failed.await, Err(StoreError::NoSuchComputer { .. })));
    assert_eq!((first.await.unwrap(), last.await.unwrap()), (SaveOutcome::Stored, SaveOutcome::Stored));
    assert_eq!(fixture.store.look(ComputerId::new("unknown").unwrap()).await.unwrap(), None);
}

#[tokio::test]
async fn a_step_with_which_the_engine_ends_the_transaction_takes_no_other_with_it() {
    let fixture = Fixture::new(SqliteOptions::new()).await;
    fixture.limit_pages(1).await;
    let held = fixture.hold_the_writer();
    let first = fixture.save(1);
    let too_large = fixture.store.write(fixture.to_save(2, 1 << 20), decide::save);
    let last = fixture.save(3);
    drop(held);
    assert!(matches!(too_large.await, Err(StoreError::DiskFull { .. })));
    assert_eq!((first.await.unwrap(), last.await.unwrap()), (SaveOutcome::Stored, SaveOutcome::Stored));
    assert_eq!(fixture.stored().await, Some(3));
}

#[tokio::test]
async fn a_commit_that_fails_is_told_to_all_who_share_it_as_what_nobody_knows() {
    let fixture = Fixture::new(SqliteOptions::new().recording()).await;
    let before = fixture.export().await;
    let held = fixture.hold_the_writer();
    let (first, second) = (fixture.save(1), fixture.save(2));
    // A foreign key that is looked at when the transaction ends.
    let spoiler = fixture.store.shared.writer.submit(|raw| {
        Ok(raw.execute_batch(
            "CREATE TEMP TABLE parent (id INTEGER PRIMARY KEY);
             CREATE TEMP TABLE child (of INTEGER REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED);
             INSERT INTO child VALUES (1)",
        )?)
    });
    drop(held);
    for error in [first.await.unwrap_err(), second.await.unwrap_err(), spoiler.await.unwrap_err()] {
        assert!(matches!(error, StoreError::Io { .. }) && !error.is_transient(), "{error:?}");
    }
    assert_eq!((fixture.stored().await, fixture.export().await), (None, before));
}

#[tokio::test]
async fn a_step_of_a_batch_is_taken_though_nobody_waits_for_it() {
    let fixture = Fixture::new(SqliteOptions::new()).await;
    let held = fixture.hold_the_writer();
    let first = fixture.save(1);
    drop(fixture.save(2));
    let third = fixture.save(2);
    drop(held);
    assert_eq!(first.await.unwrap(), SaveOutcome::Stored);
    assert!(matches!(third.await.unwrap(), SaveOutcome::Superseded { .. }), "the dropped one was not taken");
}

#[tokio::test]
async fn trace_6_no_event_of_a_batch_stands_behind_a_lost_one_without_the_mark() {
    let fixture = Fixture::new(SqliteOptions::new().recording()).await;
    let held = fixture.hold_the_writer();
    let first = fixture.save(1);
    // 1. An event of the computer finds no room. 2. Behind it in the same batch is a step that finds some.
    let recording = fixture.store.shared.recording.clone().unwrap();
    let lost = fixture.store.shared.writer.submit_or::<()>(
        |_| Err(Fault::from(rusqlite::Error::InvalidQuery)),
        move |connection| recording.lose(connection),
    );
    let marked = fixture
        .store
        .shared
        .writer
        .submit(|raw| Ok(raw.query_row("SELECT lossy FROM trace_loss", [], |row| row.get::<_, bool>(0))?));
    drop(held);
    assert!(lost.await.is_err() && marked.await.unwrap());
    assert_eq!(first.await.unwrap(), SaveOutcome::Stored);
}

#[tokio::test]
async fn who_is_alone_waits_for_nobody() {
    let fixture = Fixture::new(SqliteOptions::new().gather_for(LONG)).await;
    for generation in 1..=3 {
        assert_eq!(soon(fixture.save(generation)), SaveOutcome::Stored);
    }
}

#[tokio::test]
async fn the_callers_of_the_last_batch_are_waited_for() {
    let fixture = Fixture::new(SqliteOptions::new().gather_for(LONG)).await;
    fixture.save_in_halves();
    let mut early = fixture.save(3);
    must_wait(&mut early);
    assert_eq!(soon(fixture.save(4)), SaveOutcome::Stored);
    assert_eq!(soon(early), SaveOutcome::Stored);
}

#[tokio::test]
async fn who_came_during_a_commit_is_kept_for_all_who_share_it() {
    let fixture = Fixture::new(SqliteOptions::new().gather_for(LONG)).await;
    // 1. Three share a commit, and one of them holds it up.
    let first = fixture.hold_the_writer();
    let one = fixture.save(1);
    let (second, is_held) = fixture.hold_the_writer_later();
    first.release();
    let other = fixture.save(2);
    is_held.recv().unwrap();
    // 2. A fourth comes, and the three are told.
    let mut early = fixture.save(3);
    second.release();
    assert_eq!((soon(one), soon(other)), (SaveOutcome::Stored, SaveOutcome::Stored));
    // 3. It could go on at once, or with two of the three: it is kept until the third is back.
    must_wait(&mut early);
    let back = [fixture.save(4), fixture.save(5)];
    must_wait(&mut early);
    assert_eq!(soon(fixture.save(6)), SaveOutcome::Stored);
    for save in [early].into_iter().chain(back) {
        assert_eq!(soon(save), SaveOutcome::Stored);
    }
}

#[tokio::test]
async fn the_callers_of_the_last_batch_are_not_waited_for_longer_than_asked() {
    let fixture = Fixture::new(SqliteOptions::new()).await;
    let held = fixture.hold_the_writer();
    let batch = [fixture.save(1), fixture.save(2)];
    drop(held);
    for save in batch {
        assert_eq!(soon(save), SaveOutcome::Stored);
    }
    assert_eq!(soon(fixture.save(3)), SaveOutcome::Stored);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_read_that_begins_after_an_outcome_sees_the_write() {
    let fixture = Arc::new(Fixture::new(SqliteOptions::new().durability(Durability::Normal).readers(3)).await);
    let next = Arc::new(std::sync::atomic::AtomicU64::new(1));
    let tasks: Vec<_> = (0..8)
        .map(|_| {
            let (fixture, next) = (fixture.clone(), next.clone());
            tokio::spawn(async move {
                for _ in 0..50 {
                    let generation = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    let _ = fixture.save(generation).await.unwrap();
                    assert!(fixture.stored().await >= Some(generation), "{generation} was stored or superseded");
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
}
