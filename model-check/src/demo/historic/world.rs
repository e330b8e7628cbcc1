//! A store with given statements, a computer, and the trace of what they do: small enough to read, and real enough to
//! have the bug.

use std::collections::BTreeMap;

use outlive_spec::requirement::Requirement;
use outlive_spec::trace::{Event, FORMAT, Header, Implementation, Outcome, Phase, Row, Verb, schema_hash};
use rusqlite::Connection;

use super::sql::Statements;
use crate::conform::write::line;

const COMPUTER: &str = "computer-1";
const PROCESS: &str = "computer-1/process";

/// What a computer fails to look at.
#[derive(Clone, Copy, Default)]
pub(super) struct Blindness {
    /// Whom a call names.
    pub(super) calls: bool,
    /// Whom a wipe names.
    pub(super) wipes: bool,
    /// Whose page an act cites.
    pub(super) acts: bool,
}

/// A page as it is cited.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Cited {
    pub(super) incarnation: u32,
    pub(super) generation: u32,
}

pub(super) struct World {
    database: Connection,
    statements: Statements,
    blindness: Blindness,
    own: Option<u32>,
    generation: u32,
    lives: u32,
    trace: Vec<String>,
    /// How many events each process has.
    sequences: BTreeMap<&'static str, u64>,
}

impl World {
    /// An empty store in memory, and a computer whose first process has registered as incarnation 1.
    pub(super) fn new(name: &str, statements: Statements, blindness: Blindness) -> rusqlite::Result<World> {
        let database = Connection::open_in_memory()?;
        database.execute_batch(include_str!("schema.sql"))?;
        database.execute("INSERT INTO computers (computer) VALUES (?1)", [COMPUTER])?;
        let header = Header {
            format: FORMAT,
            schema: schema_hash(),
            protocol: "snapshot".to_owned(),
            implementation: Implementation { name: format!("historic store {name}"), version: "1".to_owned() },
            store: "sqlite".to_owned(),
            processes: ["gateway-1", "gateway-2", PROCESS].map(str::to_owned).to_vec(),
            claims: Verb::of("snapshot").collect(),
            lossy: false,
        };
        let trace = vec![line(&header)];
        let (own, sequences) = (None, BTreeMap::new());
        let mut world = World { database, statements, blindness, own, generation: 0, lives: 0, trace, sequences };
        world.start()?;
        Ok(world)
    }

    /// The header and the events, a line each.
    pub(super) fn into_trace(self) -> String {
        self.trace.join("\n") + "\n"
    }

    // -- the computer

    /// A process starts, registers, and learns who it is.
    pub(super) fn start(&mut self) -> rusqlite::Result<()> {
        let question = self.start_and_ask()?;
        let minted = self.register(question)?;
        self.learn(minted);
        Ok(())
    }

    /// A process starts and asks; its question is on its way.
    pub(super) fn start_and_ask(&mut self) -> rusqlite::Result<(u32, u32)> {
        if self.lives > 0 {
            self.restart();
        } else {
            self.lives = 1;
        }
        self.ask()
    }

    pub(super) fn restart(&mut self) {
        self.lives += 1;
        (self.own, self.generation) = (None, 0);
        let life = self.life(self.lives);
        self.record(PROCESS, Phase::Commit, Verb::Restart, |event| event.life = Some(life.into()));
    }

    pub(super) fn ask(&mut self) -> rusqlite::Result<(u32, u32)> {
        let (life, expected) = (self.lives, self.current()?);
        let name = self.life(life);
        self.record(PROCESS, Phase::Observe, Verb::Ask, |event| {
            event.life = Some(name.into());
            event.expected = Some(expected.into());
        });
        Ok((life, expected))
    }

    pub(super) fn learn(&mut self, incarnation: u32) {
        self.own = Some(incarnation);
        self.record(PROCESS, Phase::Commit, Verb::Learn, |event| event.incarnation = Some(incarnation.into()));
    }

    /// The computer answers a call, and counts.
    pub(super) fn answer(&mut self, named: u32) -> Cited {
        let is_for_us = self.own == Some(named) || self.blindness.calls;
        assert!(is_for_us, "the script expects an answer");
        self.generation += 1;
        let page = Cited { incarnation: named, generation: self.generation };
        self.cite(PROCESS, Phase::Commit, Verb::Answer, page, None);
        page
    }

    /// The computer wipes itself, and counts on from where it was.
    pub(super) fn wipe(&mut self, named: u32, keeps_its_name: bool) {
        let is_for_us = self.own == Some(named) || self.blindness.wipes;
        assert!(is_for_us, "the script expects an obedient computer");
        self.lives += 1;
        if !keeps_its_name {
            self.own = None;
        }
        let (life, generation) = (self.life(self.lives), self.generation);
        self.record(PROCESS, Phase::Commit, Verb::Wipe, |event| {
            event.incarnation = Some(named.into());
            event.by = Some("gateway-1".into());
            event.life = Some(life.into());
            event.generation = Some(generation.into());
        });
    }

    /// The computer acts on a page.
    pub(super) fn perform(&mut self, page: Cited) {
        let is_for_us = self.own == Some(page.incarnation) || self.blindness.acts;
        assert!(is_for_us && self.generation == page.generation, "the script expects an act");
        self.cite(PROCESS, Phase::Commit, Verb::Perform, page, None);
    }

    // -- a gateway

    pub(super) fn begin(&mut self) -> rusqlite::Result<u32> {
        let current = self.current()?;
        self.record("gateway-1", Phase::Observe, Verb::Begin, |event| event.incarnation = Some(current.into()));
        Ok(current)
    }

    /// A call that names nobody.
    pub(super) fn begin_unnamed(&mut self) {
        self.record("gateway-1", Phase::Observe, Verb::Begin, |_| {});
    }

    pub(super) fn send_wipe(&mut self) -> rusqlite::Result<u32> {
        let current = self.current()?;
        self.record("gateway-1", Phase::Observe, Verb::SendWipe, |event| event.incarnation = Some(current.into()));
        Ok(current)
    }

    pub(super) fn load(&mut self) -> rusqlite::Result<Option<Cited>> {
        let page = self.row()?;
        self.record("gateway-1", Phase::Observe, Verb::Load, |event| {
            event.incarnation = page.map(|page| page.incarnation.into());
            event.generation = page.map(|page| page.generation.into());
        });
        Ok(page)
    }

    /// A gateway that looks at what it loaded, and not at the store.
    pub(super) fn resolve_from_cache(&mut self, page: Cited) {
        self.cite("gateway-1", Phase::Observe, Verb::Resolve, page, None);
    }

    /// A reference that does not resolve, and says so.
    pub(super) fn resolve_in_vain(&mut self, page: Cited) -> rusqlite::Result<()> {
        let found = self.finds(self.statements.resolve, page)?;
        assert!(!found, "the script expects a reference that does not resolve");
        self.cite("gateway-1", Phase::Observe, Verb::Resolve, page, Some(Requirement::Reset6));
        Ok(())
    }

    // -- the store

    pub(super) fn register(&mut self, (life, expected): (u32, u32)) -> rusqlite::Result<u32> {
        let done = self.changes(self.statements.register, None, expected)?;
        let (minted, name) = (self.current()?, self.life(life));
        self.record(PROCESS, Phase::Commit, Verb::Register, |event| {
            event.life = Some(name.into());
            event.expected = Some(expected.into());
            if done {
                event.minted = Some(minted.into());
            } else {
                refuse(event, Requirement::Restart1);
            }
        });
        Ok(minted)
    }

    /// Whether the store says that it took the page.
    pub(super) fn save(&mut self, page: Cited, refused_because: Requirement) -> rusqlite::Result<bool> {
        let stored = self.changes(self.statements.save, Some(page), 0)?;
        let refusal = (!stored).then_some(refused_because);
        self.cite("gateway-1", Phase::Commit, Verb::Save, page, refusal);
        Ok(stored)
    }

    /// The same, but the caller is told that it went well.
    pub(super) fn save_and_say_stored(&mut self, page: Cited) -> rusqlite::Result<()> {
        let stored = self.changes(self.statements.save, Some(page), 0)?;
        assert!(!stored, "the script expects a refusal to hide");
        let row = self.observed()?;
        self.record("gateway-1", Phase::Commit, Verb::Save, |event| {
            event.incarnation = Some(page.incarnation.into());
            event.generation = Some(page.generation.into());
            event.row = Some(row);
        });
        Ok(())
    }

    pub(super) fn claim(&mut self, expected: u32) -> rusqlite::Result<()> {
        let done = self.changes(self.statements.claim, None, expected)?;
        assert!(done, "the script expects a reset");
        self.record("gateway-1", Phase::Commit, Verb::Claim, |event| event.expected = Some(expected.into()));
        Ok(())
    }

    /// Ends the reset by a gateway that has heard of this wipe.
    pub(super) fn finish(&mut self, wiped: u32) -> rusqlite::Result<()> {
        let done = self.changes(self.statements.finish, Some(Cited { incarnation: wiped, generation: 0 }), wiped)?;
        assert!(done, "the script expects the end of a reset");
        let minted = self.current()?;
        self.record("gateway-1", Phase::Commit, Verb::Finish, |event| {
            event.incarnation = Some(wiped.into());
            event.minted = Some(minted.into());
        });
        Ok(())
    }

    /// A reset from beginning to end, after which nobody has registered yet.
    pub(super) fn reset(&mut self) -> rusqlite::Result<()> {
        let current = self.current()?;
        self.claim(current)?;
        let named = self.send_wipe()?;
        self.wipe(named, false);
        self.finish(named)
    }

    pub(super) fn resolve(&mut self, page: Cited) -> rusqlite::Result<()> {
        let found = self.finds(self.statements.resolve, page)?;
        assert!(found, "the script expects a reference that resolves");
        self.cite("gateway-1", Phase::Observe, Verb::Resolve, page, None);
        Ok(())
    }

    pub(super) fn rollback(&mut self, to: Cited, expected: u32) -> rusqlite::Result<()> {
        let done = self.changes(self.statements.rollback, Some(to), expected)?;
        assert!(done, "the script expects a rollback");
        let minted = self.current()?;
        self.record("gateway-1", Phase::Commit, Verb::Rollback, |event| {
            event.incarnation = Some(to.incarnation.into());
            event.generation = Some(to.generation.into());
            event.expected = Some(expected.into());
            event.minted = Some(minted.into());
        });
        Ok(())
    }

    /// A snapshot from call to store.
    pub(super) fn snapshot(&mut self) -> rusqlite::Result<Cited> {
        let named = self.begin()?;
        let page = self.answer(named);
        assert!(self.save(page, Requirement::Save4)?, "the script expects the page to be stored");
        Ok(page)
    }

    // -- what the store says of itself

    pub(super) fn current(&self) -> rusqlite::Result<u32> {
        let sql = "SELECT incarnation FROM computers WHERE computer = ?1";
        self.database.query_row(sql, [COMPUTER], |row| row.get(0))
    }

    fn row(&self) -> rusqlite::Result<Option<Cited>> {
        let sql = "SELECT page_incarnation, page_generation FROM computers WHERE computer = ?1";
        let page: (Option<u32>, Option<u32>) =
            self.database.query_row(sql, [COMPUTER], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(page.0.zip(page.1).map(|(incarnation, generation)| Cited { incarnation, generation }))
    }

    /// The whole row, as a trace shows it.
    fn observed(&self) -> rusqlite::Result<Row> {
        let page = self.row()?.map(|page| (page.incarnation.into(), page.generation.into()));
        let sql = "SELECT incarnation, resetting, since FROM computers WHERE computer = ?1";
        self.database.query_row(sql, [COMPUTER], |row| {
            let (incarnation, since): (u32, u32) = (row.get(0)?, row.get(2)?);
            Ok(Row { incarnation: incarnation.into(), resetting: row.get(1)?, since: since.into(), page })
        })
    }

    fn changes(&self, sql: &str, page: Option<Cited>, expected: u32) -> rusqlite::Result<bool> {
        let minted = self.current()? + 1;
        let mut statement = self.database.prepare_cached(sql)?;
        bind(&mut statement, page, expected, minted)?;
        Ok(statement.raw_execute()? > 0)
    }

    fn finds(&self, sql: &str, page: Cited) -> rusqlite::Result<bool> {
        let mut statement = self.database.prepare_cached(sql)?;
        bind(&mut statement, Some(page), 0, 0)?;
        let found = statement.raw_query().next()?.is_some();
        Ok(found)
    }

    // -- the trace

    fn life(&self, life: u32) -> String {
        format!("life-{life}")
    }

    fn cite(&mut self, process: &'static str, phase: Phase, action: Verb, page: Cited, refusal: Option<Requirement>) {
        self.record(process, phase, action, |event| {
            event.incarnation = Some(page.incarnation.into());
            event.generation = Some(page.generation.into());
            if let Some(because) = refusal {
                refuse(event, because);
            }
        });
    }

    fn record<'a>(&mut self, process: &'static str, phase: Phase, action: Verb, fill: impl FnOnce(&mut Event<'a>)) {
        let next = self.sequences.entry(process).or_default();
        let (sequence, commit) = (*next, Some(self.trace.len() as u64));
        *next += 1;
        let mut event = Event { sequence, commit, ..Event::new(process, phase, action, COMPUTER) };
        fill(&mut event);
        self.trace.push(line(&event));
    }
}

fn refuse(event: &mut Event<'_>, because: Requirement) {
    event.outcome = Outcome::Refused;
    event.because = Some(because);
}

/// Binds what the statement names.
fn bind(
    statement: &mut rusqlite::Statement<'_>,
    page: Option<Cited>,
    expected: u32,
    minted: u32,
) -> rusqlite::Result<()> {
    let incarnation = page.map(|page| page.incarnation);
    let generation = page.map(|page| page.generation);
    for (name, value) in [
        (":incarnation", incarnation),
        (":generation", generation),
        (":expected", Some(expected)),
        (":minted", Some(minted)),
    ] {
        if let Some(place) = statement.parameter_index(name)? {
            statement.raw_bind_parameter(place, value)?;
        }
    }
    let place = statement.parameter_index(":computer")?;
    statement.raw_bind_parameter(place.unwrap_or_default(), COMPUTER)
}
