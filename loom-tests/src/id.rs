//! What stands for `reference/src/id.rs`: the locks ask of a name that it is ordered and can be copied, and no more.

/// Names a computer.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ComputerId(pub u8);
