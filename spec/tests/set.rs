//! A set is what it holds, wherever it holds it.

use outlive_spec::set::Set;

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
