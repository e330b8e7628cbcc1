//! What a store is asked. Each write names what its author expects to be current, but for the creation of a computer.

use bytes::Bytes;

use crate::id::{ComputerId, GatewayName, Incarnation, LifeName, OperationName, PageName};

/// Somebody creates a computer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Create {
    /// The new computer.
    pub computer: ComputerId,
}

/// A process that does not know who it is asks whom it would follow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ask {
    /// The computer whose process it is.
    pub computer: ComputerId,
    /// The name that it gave to its own life.
    pub life: LifeName,
}

/// A process asks to follow an incarnation. [`super::Store::ask`] makes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// The computer whose process asks.
    pub computer: ComputerId,
    /// The life that asks: the reply is for it alone.
    pub life: LifeName,
    /// The incarnation that it read, and expects to follow.
    pub expected: Incarnation,
}

impl Question {
    pub(crate) fn new(ask: Ask, expected: Incarnation) -> Question {
        Question { computer: ask.computer, life: ask.life, expected }
    }
}

/// A gateway begins a snapshot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Begin {
    /// The gateway that asks.
    pub gateway: GatewayName,
    /// The computer that it is about.
    pub computer: ComputerId,
    /// Pairs it with the answer and the save, in a trace.
    pub operation: Option<OperationName>,
}

/// A gateway asks for a page to be stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Save {
    /// The gateway that asks.
    pub gateway: GatewayName,
    /// The computer that it is about.
    pub computer: ComputerId,
    /// The incarnation that the call named, and the generation that the computer answered with.
    pub page: PageName,
    /// The page itself.
    pub body: Bytes,
    /// The operation of the [`Begin`].
    pub operation: Option<OperationName>,
}

/// A gateway asks to begin a reset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The gateway that asks.
    pub gateway: GatewayName,
    /// The computer that it is about.
    pub computer: ComputerId,
    /// The incarnation that is to end.
    pub expected: Incarnation,
}

/// A gateway asks what it must have wiped for the reset that is under way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SendWipe {
    /// The gateway that asks.
    pub gateway: GatewayName,
    /// The computer that it is about.
    pub computer: ComputerId,
}

/// A gateway says that the computer was wiped, and asks to end the reset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finish {
    /// The gateway that asks.
    pub gateway: GatewayName,
    /// The computer that it is about.
    pub computer: ComputerId,
    /// The incarnation whose wipe the computer has confirmed.
    pub wiped: Incarnation,
}

/// A gateway asks for the stored page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Load {
    /// The gateway that asks.
    pub gateway: GatewayName,
    /// The computer that it is about.
    pub computer: ComputerId,
}

/// A gateway asks whether a reference may be acted on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resolve {
    /// The gateway that asks.
    pub gateway: GatewayName,
    /// The computer that it is about.
    pub computer: ComputerId,
    /// The page that the agent was looking at.
    pub cited: PageName,
    /// Pairs it with what the computer does, in a trace.
    pub operation: Option<OperationName>,
}

/// A gateway asks to put a page back that it has loaded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rollback {
    /// The gateway that asks.
    pub gateway: GatewayName,
    /// The computer that it is about.
    pub computer: ComputerId,
    /// The page, under its own old name.
    pub to: PageName,
    /// The page itself.
    pub body: Bytes,
    /// The incarnation that is to end.
    pub expected: Incarnation,
}
