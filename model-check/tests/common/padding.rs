//! Whether something that is missing in a protocol is noticed: by what is reached, by what is broken in how many steps,
//! or by who waits in vain.

use std::collections::{BTreeMap, HashSet};
use std::sync::OnceLock;

use outlive_model_check::report::counterexample::Length;
use outlive_spec::protocol::Protocol;

use super::crippled::{Crippled, Freeze, Missing, hidden, reachable};

/// The lengths by property, as far as they are known.
type Lengths = BTreeMap<String, Length>;

/// What is broken in how many steps, and which phases there are.
fn looks<P: Protocol>(protocol: &Crippled<P>) -> (Lengths, Vec<&'static str>) {
    let outcome = super::search_all(protocol);
    (super::lengths(protocol, &outcome), outcome.statistics.phases.into_keys().collect())
}

/// One variant, and what it is like where nothing is missing. Each part is found once, and only if somebody gets that
/// far.
pub(crate) struct Whole<P: Protocol> {
    /// Within bounds at which most variants still break.
    protocol: P,
    /// Within those of behaviours without end.
    endless: P,
    reachable: OnceLock<HashSet<P::State>>,
    looks: OnceLock<(Lengths, Vec<&'static str>)>,
    waits: OnceLock<Lengths>,
}

impl<P: Protocol + Copy> Whole<P> {
    pub(crate) fn new(protocol: P, endless: P) -> Whole<P> {
        let (reachable, looks, waits) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Whole { protocol, endless, reachable, looks, waits }
    }

    fn without(&self, missing: Missing<P::State>) -> Crippled<P> {
        Crippled { inner: self.protocol, missing }
    }

    pub(crate) fn reaches_the_same(&self, missing: Missing<P::State>, hide: Option<Freeze<P::State>>) -> bool {
        let whole = self.reachable.get_or_init(|| reachable(&self.without(Missing::Nothing)));
        let (like, found) = (&self.protocol.initial()[0], reachable(&self.without(missing)));
        match hide {
            Some(hide) => hidden(like, whole, hide) == hidden(like, &found, hide),
            None => *whole == found,
        }
    }

    pub(crate) fn looks_the_same(&self, missing: Missing<P::State>) -> bool {
        *self.looks.get_or_init(|| looks(&self.without(Missing::Nothing))) == looks(&self.without(missing))
    }

    pub(crate) fn waits_the_same(&self, missing: Missing<P::State>) -> bool {
        let waits = |missing| super::endless_lengths(&Crippled { inner: self.endless, missing });
        *self.waits.get_or_init(|| waits(Missing::Nothing)) == waits(missing)
    }
}

/// Whether some variant reaches something else, looks otherwise, or keeps somebody waiting where this is missing. Most
/// of what can be missing shows in the first variant already.
pub(crate) fn is_noticed<P: Protocol + Copy>(
    every: &[Whole<P>],
    missing: Missing<P::State>,
    hide: Option<Freeze<P::State>>,
) -> bool {
    every.iter().any(|it| !it.reaches_the_same(missing, hide) || !it.looks_the_same(missing))
        || every.iter().rev().any(|it| !it.waits_the_same(missing))
}

/// Each kind of step is missed by somebody.
pub(crate) fn assert_steps_are_missed<P: Protocol + Copy + Sync>(every: &[Whole<P>])
where
    P::State: Send + Sync,
{
    let kinds = every[0].protocol.kinds();
    let steps: Vec<usize> = (0..kinds.len()).filter(|kind| !kinds[*kind].starts_with("refuse-")).collect();
    super::for_each(&steps, |&kind| {
        assert!(is_noticed(every, Missing::Kind(kind), None), "nobody misses `{}`", kinds[kind]);
    });
}

/// A refusal changes little, so that most are missed only by the coverage: under the right rules each is taken, and one
/// that is not fails the main job.
pub(crate) fn assert_refusals_are_covered<P: Protocol>(whole: &P, crippled: impl Fn(Missing<P::State>) -> Crippled<P>) {
    let (kinds, taken) = (whole.kinds(), super::search_all(whole).statistics.kinds);
    for kind in (0..kinds.len()).filter(|kind| kinds[*kind].starts_with("refuse-")) {
        assert!(taken[kind].taken > 0, "{} is never taken", kinds[kind]);
        assert_eq!(super::search_all(&crippled(Missing::Kind(kind))).statistics.kinds[kind].taken, 0);
    }
}

/// Where nothing is missing, nothing is noticed.
pub(crate) fn assert_nothing_missing_is_nothing_noticed<P: Protocol + Copy>(whole: &Whole<P>, some: Freeze<P::State>) {
    assert!(whole.reaches_the_same(Missing::Nothing, None) && whole.looks_the_same(Missing::Nothing));
    assert!(whole.waits_the_same(Missing::Nothing) && whole.reaches_the_same(Missing::Nothing, Some(some)));
}
