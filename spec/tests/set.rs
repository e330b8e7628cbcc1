//! A set is what it holds, wherever it holds it.

use std::collections::BTreeSet;

use outlive_spec::set::Set;
use proptest::prelude::*;

#[test]
fn a_set_is_the_same_inline_and_beyond() {
    let items = [5, 1, 4, 1, 3, 2, 6];
    let mut set = Set::default();
    for (at, &item) in items.iter().enumerate() {
        set.insert(item);
        let mut expected: Vec<i32> = items[..=at].to_vec();
        expected.sort_unstable();
        expected.dedup();
        assert_eq!(set.iter().copied().collect::<Vec<_>>(), expected);
        assert_eq!(set.len(), expected.len());
        assert!(set.contains(&item) && !set.contains(&7));
    }
    let mut few = Set::default();
    [2, 1].into_iter().for_each(|item| few.insert(item));
    set.retain(|item| *item <= 2);
    assert_eq!(set, few, "a set that was larger once is no other set");
    few.clone_from(&set);
    assert_eq!(few, set);
    set.retain(|_| false);
    assert!(set.is_empty() && set == Set::default());
    set.insert(3);
    assert_eq!(set.iter().copied().collect::<Vec<_>>(), [3]);
    few.clone_from(&set);
    assert_eq!(few, set, "what was held before is gone");
}

#[test]
fn a_set_that_was_larger_than_what_it_took_over_grows_as_any_other() {
    let filled = |items: std::ops::Range<i32>| {
        let mut set = Set::default();
        items.for_each(|item| set.push(item));
        set
    };
    let mut set = filled(10..16);
    set.clone_from(&filled(0..3));
    (3..6).for_each(|item| set.push(item));
    assert_eq!(set, filled(0..6), "what it held before comes back");
}

proptest! {
    /// Grows beyond what is held inline and shrinks again, against the standard library's set.
    #[test]
    fn a_set_is_that_of_the_standard_library(steps in prop::collection::vec((0..3, 0..12_u8), 0..60)) {
        let (mut set, mut known, mut copy) = (Set::default(), BTreeSet::new(), Set::default());
        for (step, item) in steps {
            match step {
                0 => {
                    set.insert(item);
                    known.insert(item);
                }
                1 if known.last().is_none_or(|last| *last < item) => {
                    set.push(item);
                    known.insert(item);
                }
                _ => {
                    set.retain(|it| it % 5 != item % 5);
                    known.retain(|it| it % 5 != item % 5);
                }
            }
            prop_assert!(set.iter().eq(&known));
            prop_assert_eq!(set.len(), known.len());
            copy.clone_from(&set);
            prop_assert_eq!(&copy, &set);
            prop_assert_eq!(&set.clone(), &set);
        }
    }
}
