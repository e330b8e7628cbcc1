//! States that differ in names alone are one: what is searched is the one that stands for them.
//!
//! Launches, revisions and marks are compared and counted up, so only their order matters, and the numbers that nothing
//! mentions any more can be closed up. Gateways are compared for equality only, so they may change places, and all that
//! are dead are one. Then a search within bounds covers behaviours of any length: what its bounds limit is how much is
//! *mentioned at once*, not how much there was.

use smallvec::SmallVec;

use super::state::*;
use crate::set::{Item, Set};

/// Turns the state into the one that stands for it.
pub(super) fn represent(state: &mut State) {
    let mut mentioned = Mentioned::default();
    rename(state, &mut mentioned);
    mentioned.put_in_order();
    let fence = mentioned.rank_of_fence(state.provider.fence);
    rename(state, &mut Ranks { mentioned: &mentioned });
    state.provider.fence = fence;
    rename_gateways(state);
}

/// Closes up the revisions alone.
#[inline]
pub(super) fn close_revisions(state: &mut State) {
    let mut held: SmallVec<[Revision; 4]> = SmallVec::new();
    held.push(state.row.revision);
    held.extend(state.gateways.iter().filter_map(|memory| Some(memory.look?.revision)));
    held.sort_unstable();
    held.dedup();
    state.row.revision = Revision(rank(&held, state.row.revision));
    let looks = state.gateways.iter_mut().filter_map(|memory| memory.look.as_mut());
    looks.for_each(|look| look.revision = Revision(rank(&held, look.revision)));
}

/// Something that is done to each number in a state, but for the fence, which is no launch of its own.
trait Numbers {
    fn launch(&mut self, launch: Launch) -> Launch;
    fn revision(&mut self, revision: Revision) -> Revision;
    fn mark(&mut self, mark: Mark) -> Mark;
}

/// The numbers that a state mentions.
#[derive(Default)]
struct Mentioned {
    launches: SmallVec<[Launch; 8]>,
    revisions: SmallVec<[Revision; 4]>,
    marks: SmallVec<[Mark; 8]>,
}

impl Numbers for Mentioned {
    fn launch(&mut self, launch: Launch) -> Launch {
        self.launches.push(launch);
        launch
    }

    fn revision(&mut self, revision: Revision) -> Revision {
        self.revisions.push(revision);
        revision
    }

    fn mark(&mut self, mark: Mark) -> Mark {
        self.marks.push(mark);
        mark
    }
}

impl Mentioned {
    fn put_in_order(&mut self) {
        self.launches.push(Launch(0));
        self.launches.sort_unstable();
        self.launches.dedup();
        self.revisions.sort_unstable();
        self.revisions.dedup();
        self.marks.push(Mark(0));
        self.marks.sort_unstable();
        self.marks.dedup();
    }

    /// Which of the launches that are mentioned may still come up: all from here on.
    fn rank_of_fence(&self, fence: Launch) -> Launch {
        Launch(self.launches.iter().filter(|launch| **launch < fence).count() as u32)
    }
}

/// Each number's place among those that are mentioned.
struct Ranks<'a> {
    mentioned: &'a Mentioned,
}

impl Numbers for Ranks<'_> {
    fn launch(&mut self, launch: Launch) -> Launch {
        Launch(rank(&self.mentioned.launches, launch))
    }

    fn revision(&mut self, revision: Revision) -> Revision {
        Revision(rank(&self.mentioned.revisions, revision))
    }

    fn mark(&mut self, mark: Mark) -> Mark {
        Mark(rank(&self.mentioned.marks, mark))
    }
}

fn rank<T: Copy + Ord>(mentioned: &[T], number: T) -> u32 {
    mentioned.binary_search(&number).expect("every number was mentioned") as u32
}

fn rename(state: &mut State, numbers: &mut impl Numbers) {
    let State { row, provider, gateways, calls, reports, ghost } = state;
    row.launch = numbers.launch(row.launch);
    row.revision = numbers.revision(row.revision);
    row.mark = numbers.mark(row.mark);
    provider.mark = numbers.mark(provider.mark);
    ghost.come_to = numbers.mark(ghost.come_to);
    provider.instance.iter_mut().for_each(|it| it.launch = numbers.launch(it.launch));
    gateways.iter_mut().for_each(|it| *it = memory(*it, numbers));
    each(calls, |call| Call { launch: numbers.launch(call.launch), ..call });
    each(reports, |report| observation(report, numbers));
}

fn memory(memory: Memory, numbers: &mut impl Numbers) -> Memory {
    let operation = memory.operation.map(|it| {
        let stage = match it.stage {
            Stage::Heard(outcome, mark) => Stage::Heard(outcome, numbers.mark(mark)),
            other @ (Stage::Begun | Stage::Sent) => other,
        };
        Operation { launch: numbers.launch(it.launch), stage, ..it }
    });
    let look = memory.look.map(|it| Look {
        revision: numbers.revision(it.revision),
        launch: numbers.launch(it.launch),
        seen: it.seen.map(|seen| observation(seen, numbers)),
        ..it
    });
    Memory { operation, look, heard: memory.heard.map(|mark| numbers.mark(mark)), ..memory }
}

fn observation(seen: Observation, numbers: &mut impl Numbers) -> Observation {
    Observation { launch: numbers.launch(seen.launch), mark: numbers.mark(seen.mark), ..seen }
}

fn each<T: Item>(set: &mut Set<T>, mut rename: impl FnMut(T) -> T) {
    let mut renamed = Set::default();
    set.iter().for_each(|message| renamed.insert(rename(*message)));
    *set = renamed;
}

/// Gateways in the order of what they have in mind, counting from one; whoever is dead is nobody.
fn rename_gateways(state: &mut State) {
    let owner = state.row.owner;
    let mut memories: SmallVec<[(bool, Memory); 2]> = SmallVec::new();
    for memory in state.gateways.iter() {
        memories.push((owner == Some(memory.gateway), Memory { gateway: Gateway(0), ..*memory }));
    }
    memories.sort_unstable();
    let place = |at: usize| Gateway(at as u32 + 1);
    let owns = memories.iter().position(|(owns, _)| *owns);
    state.row.owner = owner.map(|_| owns.map_or(Gateway(0), place));
    state.gateways = Gateways::with(memories.iter().enumerate().map(|(at, it)| Memory { gateway: place(at), ..it.1 }));
}
