//! What every model declares in the same way: its numbers, its guards, its properties, and the classes that fairness
//! speaks of. Each is one line of a table, so that a reader sees them side by side.

/// Numbers that must not be taken for one another.
macro_rules! number {
    ($(#[$doc:meta])* $name:ident, $word:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        pub struct $name(pub u32);

        impl From<$name> for $crate::guard::Value {
            fn from(number: $name) -> $crate::guard::Value { $crate::guard::Value::Number($word, number.0) }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { write!(f, "{} {}", $word, self.0) }
        }
    };
}

/// The guards, each with its requirement and what it compares; and sets of them.
macro_rules! checks {
    ($($name:ident $requirement:ident $what:literal)*) => {
        /// One comparison that can forbid a step.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Check { $(#[doc = $what] $name,)* }

        impl Check {
            /// All of them.
            pub const ALL: &'static [Check] = &[$(Check::$name),*];

            /// The requirement for which it stands.
            pub fn requirement(self) -> $crate::requirement::Requirement {
                match self { $(Check::$name => $crate::requirement::Requirement::$requirement,)* }
            }

            /// Its name in code.
            pub fn name(self) -> &'static str { match self { $(Check::$name => stringify!($name),)* } }

            /// What it compares.
            pub fn what(self) -> &'static str { match self { $(Check::$name => $what,)* } }
        }

        /// A set of guards.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub struct Checks(u64);

        impl Checks {
            /// None.
            pub const NONE: Checks = Checks(0);

            /// These.
            pub const fn of(checks: &[Check]) -> Checks {
                let (mut bits, mut at) = (0, 0);
                while at < checks.len() {
                    bits |= 1 << checks[at] as u64;
                    at += 1;
                }
                Checks(bits)
            }

            /// Whether it is one of them.
            #[inline]
            pub const fn has(self, check: Check) -> bool {
                self.0 >> (check as u64) & 1 == 1
            }

            /// Both sets.
            pub const fn and(self, other: Checks) -> Checks {
                Checks(self.0 | other.0)
            }
        }
    };
}

/// The properties, each with its requirement, its name, the variant that breaks it, and its sentence.
macro_rules! properties {
    ($($place:ident $requirement:ident $name:literal $broken_by:literal $sentence:literal)*) => {
        /// The properties by name.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Holds { $(#[doc = $sentence] $place,)* }

        /// In the order of [`Holds`].
        pub const PROPERTIES: &[$crate::protocol::Property] = &[$($crate::protocol::Property {
            requirement: $crate::requirement::Requirement::$requirement,
            name: $name,
            sentence: $sentence,
            broken_by: $broken_by,
        },)*];
    };
}

/// The classes of steps that fairness speaks of, each with its name and its sentence. None tells apart what a symmetry
/// takes for one.
macro_rules! classes {
    ($($place:ident $name:literal $sentence:literal)*) => {
        #[derive(Clone, Copy)]
        enum Step { $($place,)* }

        /// In the order of [`Step`].
        pub(super) const CLASSES: &[$crate::protocol::Class] =
            &[$($crate::protocol::Class { name: $name, sentence: $sentence, tells_apart: false },)*];

        const fn of<const N: usize>(steps: [Step; N]) -> $crate::protocol::Classes {
            let mut classes = $crate::protocol::Classes::NONE;
            let mut at = 0;
            while at < N {
                classes = classes.and(steps[at] as usize);
                at += 1;
            }
            classes
        }
    };
}

/// The variants, each with its name, the rows that it comes from, what it changes, and its rules.
macro_rules! variants {
    ($($name:literal $origin:literal $change:literal $rules:expr;)*) => {
        /// The variants with what they change; the first is right.
        pub const VARIANTS: &[($crate::protocol::VariantInfo, Rules)] = &[
            $(($crate::protocol::VariantInfo { name: $name, change: $change, origin: $origin }, $rules),)*
        ];
    };
}
