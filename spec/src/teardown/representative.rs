//! States that differ in names alone are one: what is searched is the one that stands for them.
//!
//! Ids are compared for equality, and the next one is above all others, so that only their order matters, and those
//! that nothing mentions any more can be closed up. Workers may change places. Then a search within bounds covers
//! behaviours of any length: what its bounds limit is how much is *mentioned at once*, not how much there was.

use smallvec::SmallVec;

use super::state::*;
use crate::set::{Item, Set};

/// Turns the state into the one that stands for it.
pub(super) fn represent(state: &mut State) {
    let mut mentioned = Mentioned::default();
    rename(state, &mut mentioned);
    mentioned.put_in_order();
    rename(state, &mut Ranks { mentioned: &mentioned });
    let last = |ids: &Ids| ids.len() as u32 - 1;
    state.newest_token = Token(last(&mentioned.tokens));
    state.provider.newest = Instance(last(&mentioned.instances));
    // Whoever does nothing comes last.
    state.workers.sort_unstable_by(|one, other| other.cmp(one));
}

type Ids = SmallVec<[u32; 8]>;

/// Something that is done to each id in a state, but for the newest of each, which nothing is compared with.
trait Names {
    fn owner(&mut self, owner: Owner) -> Owner;
    fn trash(&mut self, trash: TrashCount) -> TrashCount;
    fn token(&mut self, token: Token) -> Token;
    fn instance(&mut self, instance: Instance) -> Instance;
}

/// The ids that a state mentions.
#[derive(Default)]
struct Mentioned {
    owners: Ids,
    trashes: Ids,
    tokens: Ids,
    instances: Ids,
}

impl Names for Mentioned {
    fn owner(&mut self, owner: Owner) -> Owner {
        self.owners.push(owner.0);
        owner
    }

    fn trash(&mut self, trash: TrashCount) -> TrashCount {
        self.trashes.push(trash.0);
        trash
    }

    fn token(&mut self, token: Token) -> Token {
        self.tokens.push(token.0);
        token
    }

    fn instance(&mut self, instance: Instance) -> Instance {
        self.instances.push(instance.0);
        instance
    }
}

impl Mentioned {
    fn put_in_order(&mut self) {
        for ids in [&mut self.owners, &mut self.trashes, &mut self.tokens, &mut self.instances] {
            // The place of none.
            ids.push(0);
            ids.sort_unstable();
            ids.dedup();
        }
    }
}

/// Each id's place among those that are mentioned.
struct Ranks<'a> {
    mentioned: &'a Mentioned,
}

impl Names for Ranks<'_> {
    fn owner(&mut self, owner: Owner) -> Owner {
        Owner(rank(&self.mentioned.owners, owner.0))
    }

    fn trash(&mut self, trash: TrashCount) -> TrashCount {
        TrashCount(rank(&self.mentioned.trashes, trash.0))
    }

    fn token(&mut self, token: Token) -> Token {
        Token(rank(&self.mentioned.tokens, token.0))
    }

    fn instance(&mut self, instance: Instance) -> Instance {
        Instance(rank(&self.mentioned.instances, instance.0))
    }
}

fn rank(mentioned: &Ids, id: u32) -> u32 {
    mentioned.binary_search(&id).expect("every id was mentioned") as u32
}

fn rename(state: &mut State, names: &mut impl Names) {
    let State { tenure, record, intents, newest_token: _, pointers, provider, creates, kills, workers, ghost } = state;
    let Provider { world: _, made, newest: _, revoked, deletes } = provider;
    tenure.owner = names.owner(tenure.owner);
    tenure.trashes = names.trash(tenure.trashes);
    for record in record.iter_mut() {
        record.instance = names.instance(record.instance);
        record.requested = record.requested.map(|trash| names.trash(trash));
    }
    each(intents, |it| Intent { token: names.token(it.token), owner: names.owner(it.owner) });
    each(pointers, |it| Pointer { instance: names.instance(it.instance), ..it });
    each(made, |it| Made {
        instance: names.instance(it.instance),
        token: it.token.map(|token| names.token(token)),
        owner: it.owner.map(|owner| names.owner(owner)),
        ..it
    });
    each(revoked, |token| names.token(token));
    each(creates, |token| names.token(token));
    for instances in [deletes, kills, &mut ghost.licensed] {
        each(instances, |instance| names.instance(instance));
    }
    ghost.watched.iter_mut().for_each(|instance| *instance = names.instance(*instance));
    workers.iter_mut().flatten().for_each(|it| *it = errand(*it, names));
}

fn errand(errand: Errand, names: &mut impl Names) -> Errand {
    let found = match errand.found {
        Found::Licensed(Licence::Teardown(trash)) => Found::Licensed(Licence::Teardown(names.trash(trash))),
        other @ (Found::Licensed(Licence::Deadline) | Found::Claimed | Found::Pointer(_)) => other,
    };
    let stage = match errand.stage {
        Stage::Heard(Answer::Replaced(actual)) => Stage::Heard(Answer::Replaced(names.instance(actual))),
        other @ (Stage::Listed | Stage::Sent { .. } | Stage::Heard(_)) => other,
    };
    Errand { instance: names.instance(errand.instance), found, stage }
}

fn each<T: Item>(set: &mut Set<T>, mut rename: impl FnMut(T) -> T) {
    let mut renamed = Set::default();
    set.iter().for_each(|item| renamed.insert(rename(*item)));
    *set = renamed;
}
