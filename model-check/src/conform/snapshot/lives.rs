//! A computer invents a name for each of its lives; the model numbers them in the order in which they begin.

use std::borrow::Cow;
use std::collections::VecDeque;

use outlive_spec::snapshot::state::{Life, State};

use crate::conform::limits::LIVES;
use crate::conform::names::Name;

/// The last names of one computer's lives.
#[derive(Clone, PartialEq, Eq, Default)]
pub(super) struct Lives(VecDeque<(Life, Name)>);

impl Lives {
    /// The number of a name that begins a life: a new name is the life that comes next.
    pub(super) fn begins(&self, state: &State, name: &str) -> Life {
        self.known(name).unwrap_or(Life(state.process.life.0 + 1))
    }

    /// The number of a name that asks who it is. The first life begins without a line, and has its name from here.
    pub(super) fn asks(&self, state: &State, name: &str) -> Life {
        let is_unnamed = self.0.is_empty() && state.process.life == Life(1);
        if is_unnamed { Life(1) } else { self.begins(state, name) }
    }

    fn known(&self, name: &str) -> Option<Life> {
        self.0.iter().rev().find(|(_, known)| known.is(name)).map(|(life, _)| *life)
    }

    /// Notes the name of the life that has begun, or that has asked for the first time.
    pub(super) fn remember(&mut self, life: Life, name: &str) {
        if self.0.back().is_some_and(|(last, _)| *last >= life) {
            return;
        }
        if self.0.len() == LIVES {
            self.0.pop_front();
        }
        self.0.push_back((life, Name::of(name)));
    }

    /// Looks at the life that most events are of, so that it is in the cache.
    #[inline]
    pub(super) fn touch(&self) -> u32 {
        self.0.back().map_or(0, |(life, _)| life.0)
    }

    /// The names that are remembered.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Life, Cow<'_, str>)> {
        self.0.iter().map(|(life, name)| (*life, name.text()))
    }
}
