//! States that differ in names alone are one: what is searched is the one that stands for them.
//!
//! Three kinds of names say nothing by themselves. The rules compare lives and incarnations, and mint above the
//! highest; so only their order matters, and the numbers that nothing mentions any more can be closed up. Gateways are
//! compared for equality only, so they may change places. Then a search within bounds covers behaviours of any length:
//! what its bounds limit is how many lives are *mentioned at once*, not how many there were.
//!
//! Generations stay as they are. Rejected variants compare them across incarnations, where a young counter climbs past
//! an old one, and closing up the gap would take that climb away.

use smallvec::SmallVec;

use super::state::*;
use crate::set::{Item, Set};

/// Turns the state into the one that stands for it.
pub(super) fn represent(state: &mut State) {
    let mut mentioned = Mentioned::default();
    rename(state, &mut mentioned);
    mentioned.put_in_order(state);
    rename(state, &mut Ranks { mentioned: &mentioned });
}

/// Something that is done to each name in a state.
trait Names {
    fn life(&mut self, life: Life) -> Life;
    fn incarnation(&mut self, incarnation: Incarnation) -> Incarnation;
    fn gateway(&mut self, gateway: Gateway) -> Gateway;
}

/// The names that a state mentions; zero is nobody's.
#[derive(Default)]
struct Mentioned {
    lives: SmallVec<[Life; 8]>,
    incarnations: SmallVec<[Incarnation; 8]>,
    gateways: SmallVec<[Gateway; 4]>,
}

impl Names for Mentioned {
    fn life(&mut self, life: Life) -> Life {
        self.lives.push(life);
        life
    }

    fn incarnation(&mut self, incarnation: Incarnation) -> Incarnation {
        self.incarnations.push(incarnation);
        incarnation
    }

    fn gateway(&mut self, gateway: Gateway) -> Gateway {
        self.gateways.push(gateway);
        gateway
    }
}

impl Mentioned {
    fn put_in_order(&mut self, state: &State) {
        self.lives.sort_unstable();
        self.lives.dedup();
        self.incarnations.sort_unstable();
        self.incarnations.dedup();
        // By what each remembers and waits for; two that are equal in both are equal.
        let part = |gateway: &Gateway| {
            let waits: SmallVec<[Incarnation; 4]> =
                state.wipes.iter().filter(|wipe| wipe.by == Some(*gateway)).map(|wipe| wipe.incarnation).collect();
            (state.gateways.get(*gateway), waits)
        };
        self.gateways.sort_unstable();
        self.gateways.dedup();
        self.gateways.sort_by_cached_key(part);
    }
}

/// Each name's place among those that are mentioned.
struct Ranks<'a> {
    mentioned: &'a Mentioned,
}

impl Names for Ranks<'_> {
    fn life(&mut self, life: Life) -> Life {
        Life(rank(&self.mentioned.lives, Life(0), life))
    }

    /// An incarnation that is over and that nothing mentions can still be named by somebody, so room is left for one.
    fn incarnation(&mut self, incarnation: Incarnation) -> Incarnation {
        let incarnations = &self.mentioned.incarnations;
        let rank = rank(incarnations, Incarnation(0), incarnation);
        let first = incarnations.iter().find(|mentioned| mentioned.0 > 0);
        let room = u32::from(rank > 0 && first.is_some_and(|first| first.0 > 1));
        Incarnation(rank + room)
    }

    fn gateway(&mut self, gateway: Gateway) -> Gateway {
        let place = self.mentioned.gateways.iter().position(|mentioned| *mentioned == gateway);
        Gateway(place.expect("every name was mentioned") as u32)
    }
}

/// Zero is nobody's and stays zero; the others count from one.
fn rank<T: Copy + Ord>(mentioned: &[T], nobody: T, name: T) -> u32 {
    if name == nobody {
        return 0;
    }
    let place = mentioned.binary_search(&name).expect("every name was mentioned") as u32;
    if mentioned[0] == nobody { place } else { place + 1 }
}

fn rename(state: &mut State, names: &mut impl Names) {
    let State { store, process, gateways, shown, calls, saves, questions, wipes, acts, is_retrying: _, ghost } = state;
    store.incarnation = names.incarnation(store.incarnation);
    store.since = names.incarnation(store.since);
    store.page = store.page.map(|row| save(row, names));
    process.life = names.life(process.life);
    process.incarnation = process.incarnation.map(|own| names.incarnation(own));
    process.reply = process.reply.map(|reply| names.incarnation(reply));
    ghost.first_unwiped = names.life(ghost.first_unwiped);
    ghost.first_kept = names.incarnation(ghost.first_kept);
    let mut renamed = Gateways::default();
    for (gateway, memory) in gateways.iter() {
        let memory = match *memory {
            Memory::Wiped(incarnation) => Memory::Wiped(names.incarnation(incarnation)),
            other @ (Memory::Nothing | Memory::Claimed) => other,
        };
        renamed.set(names.gateway(*gateway), memory);
    }
    *gateways = renamed;
    each(shown, |page| save(page, names));
    each(calls, |call| Call { stamp: stamp(call.stamp, names) });
    each(saves, |it| save(it, names));
    each(questions, |it| Question { life: names.life(it.life), expected: names.incarnation(it.expected) });
    each(wipes, |wipe| WipeCall {
        by: wipe.by.map(|by| names.gateway(by)),
        incarnation: names.incarnation(wipe.incarnation),
    });
    each(acts, |act| Act { cited: cited(act.cited, names), resolved: act.resolved.map(|it| page(it, names)) });
}

fn each<T: Item>(set: &mut Set<T>, mut rename: impl FnMut(T) -> T) {
    let mut renamed = Set::default();
    set.iter().for_each(|message| renamed.insert(rename(*message)));
    *set = renamed;
}

fn save(save: Save, names: &mut impl Names) -> Save {
    Save { cited: cited(save.cited, names), page: page(save.page, names) }
}

fn cited(cited: Cited, names: &mut impl Names) -> Cited {
    Cited { stamp: stamp(cited.stamp, names), ..cited }
}

fn stamp(stamp: Stamp, names: &mut impl Names) -> Stamp {
    match stamp {
        Stamp::Is(incarnation) => Stamp::Is(names.incarnation(incarnation)),
        other @ (Stamp::Unknown | Stamp::Pending) => other,
    }
}

fn page(page: Page, names: &mut impl Names) -> Page {
    Page { life: names.life(page.life), incarnation: names.incarnation(page.incarnation), ..page }
}
