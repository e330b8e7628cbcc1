//! The locks of a database file and the memory that the connections of its log share, as SQLite asks a file system for
//! them. All connections are of this process, and none of it outlives a power cut.

use std::collections::BTreeMap;

/// As SQLite numbers them: none, shared, reserved, pending, exclusive.
pub(crate) type Level = i32;
pub(crate) const SHARED: Level = 1;
pub(crate) const RESERVED: Level = 2;
pub(crate) const PENDING: Level = 3;
pub(crate) const EXCLUSIVE: Level = 4;

/// A region that the connections of a log share has this many words of eight bytes.
const REGION_WORDS: usize = 4_096;
pub(crate) const REGION_BYTES: usize = REGION_WORDS * 8;
const SLOTS: usize = 8;

/// Those of one file.
#[derive(Default)]
pub(crate) struct Locks {
    levels: BTreeMap<u64, Level>,
    slots: [Slot; SLOTS],
    regions: Vec<Box<[u64; REGION_WORDS]>>,
    mapped_by: Vec<u64>,
}

#[derive(Default)]
struct Slot {
    shared: Vec<u64>,
    exclusive: Option<u64>,
}

impl Locks {
    /// Whether the file is locked for this handle up to this level now.
    pub(crate) fn lock(&mut self, handle: u64, wanted: Level) -> bool {
        let mine = self.levels.get(&handle).copied().unwrap_or_default();
        if mine >= wanted {
            return true;
        }
        let of_others = |levels: &BTreeMap<u64, Level>| {
            levels.iter().filter(|(other, _)| **other != handle).map(|(_, level)| *level).max().unwrap_or_default()
        };
        let highest = of_others(&self.levels);
        let (granted, is_enough) = match wanted {
            SHARED if highest < PENDING => (SHARED, true),
            RESERVED if highest < RESERVED => (RESERVED, true),
            EXCLUSIVE if highest == 0 => (EXCLUSIVE, true),
            // Nobody new may read, and those who do are waited for.
            EXCLUSIVE if highest == SHARED => (PENDING, false),
            _ => (mine, false),
        };
        self.levels.insert(handle, granted);
        is_enough
    }

    pub(crate) fn unlock(&mut self, handle: u64, level: Level) {
        self.levels.insert(handle, level);
    }

    pub(crate) fn is_reserved(&self) -> bool {
        self.levels.values().any(|level| *level >= RESERVED)
    }

    /// The address of a region, which stays where it is until the last handle is gone.
    pub(crate) fn map(&mut self, handle: u64, region: usize, is_made: bool) -> Option<*mut u64> {
        if !self.mapped_by.contains(&handle) {
            self.mapped_by.push(handle);
        }
        while is_made && self.regions.len() <= region {
            self.regions.push(Box::new([0; REGION_WORDS]));
        }
        self.regions.get_mut(region).map(|region| region.as_mut_ptr())
    }

    pub(crate) fn unmap(&mut self, handle: u64) {
        self.release(handle, 0..SLOTS);
        self.mapped_by.retain(|other| *other != handle);
        if self.mapped_by.is_empty() {
            self.regions.clear();
        }
    }

    pub(crate) fn take_shared(&mut self, handle: u64, slots: std::ops::Range<usize>) -> bool {
        let is_free = self.slots[slots.clone()].iter().all(|slot| slot.exclusive.is_none_or(|owner| owner == handle));
        for slot in self.slots[slots].iter_mut().filter(|_| is_free) {
            slot.shared.push(handle);
        }
        is_free
    }

    pub(crate) fn take_exclusive(&mut self, handle: u64, slots: std::ops::Range<usize>) -> bool {
        let is_free = self.slots[slots.clone()].iter().all(|slot| {
            slot.exclusive.is_none_or(|owner| owner == handle) && slot.shared.iter().all(|other| *other == handle)
        });
        for slot in self.slots[slots].iter_mut().filter(|_| is_free) {
            slot.exclusive = Some(handle);
        }
        is_free
    }

    pub(crate) fn release(&mut self, handle: u64, slots: std::ops::Range<usize>) {
        for slot in &mut self.slots[slots] {
            slot.shared.retain(|other| *other != handle);
            slot.exclusive = slot.exclusive.filter(|owner| *owner != handle);
        }
    }

    pub(crate) fn forget(&mut self, handle: u64) {
        self.levels.remove(&handle);
        self.unmap(handle);
    }
}
