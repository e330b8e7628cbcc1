//! What travels between a gateway and a computer. How it travels is up to you.

use bytes::Bytes;

use crate::id::{ComputerId, GatewayName, Incarnation, OperationName, PageName, SnapshotId};

/// A call to the computer: hand out a page if you are this incarnation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    computer: ComputerId,
    incarnation: Incarnation,
    operation: Option<OperationName>,
}

impl Call {
    pub(super) fn new(computer: ComputerId, incarnation: Incarnation, operation: Option<OperationName>) -> Call {
        Call { computer, incarnation, operation }
    }

    /// Who is called.
    pub fn computer(&self) -> &ComputerId {
        &self.computer
    }

    /// The incarnation that is called. RESTART-3: a computer of another one refuses.
    pub fn incarnation(&self) -> Incarnation {
        self.incarnation
    }

    /// The name of the operation, for the computer's recorder; none if nothing is recorded.
    pub fn operation(&self) -> Option<&OperationName> {
        self.operation.as_ref()
    }
}

/// The right to save the answer to one call. If the store fails, the page is sent again under the same ticket. A ticket
/// cannot be cloned, so that no page is sent under the ticket of another call.
#[must_use = "a ticket is for the answer of its call"]
#[derive(PartialEq, Eq, Debug)]
pub struct Ticket {
    call: Call,
}

impl Ticket {
    pub(super) fn new(call: Call) -> Ticket {
        Ticket { call }
    }

    /// The call to send to the computer.
    pub fn call(&self) -> &Call {
        &self.call
    }
}

/// The computer's answer: the page that was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The computer's own incarnation, and the next generation.
    pub page: PageName,
    /// The page itself. The store does not look inside.
    pub body: Bytes,
}

impl Answer {
    /// A page under its name.
    pub fn new(page: PageName, body: impl Into<Bytes>) -> Answer {
        Answer { page, body: body.into() }
    }
}

/// A stored page as [`super::Gateway::load`] has shown it. Nothing else makes one, since only a page that was loaded
/// can be rolled back to (SAVE-8).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Page {
    computer: ComputerId,
    name: PageName,
    body: Bytes,
}

impl Page {
    pub(super) fn new(computer: ComputerId, name: PageName, body: Bytes) -> Page {
        Page { computer, name, body }
    }

    /// Whose it is.
    pub fn computer(&self) -> &ComputerId {
        &self.computer
    }

    /// The name by which references cite it.
    pub fn name(&self) -> PageName {
        self.name
    }

    /// The page itself.
    pub fn body(&self) -> &Bytes {
        &self.body
    }

    /// The digest of the page itself: equal ids, equal bytes.
    pub fn snapshot_id(&self) -> SnapshotId {
        SnapshotId::of(&self.body)
    }
}

/// An act for the computer: act on this page if it is your newest. Only [`super::Gateway::resolve`] makes one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Act {
    computer: ComputerId,
    page: PageName,
    operation: Option<OperationName>,
}

impl Act {
    pub(super) fn new(computer: ComputerId, page: PageName, operation: Option<OperationName>) -> Act {
        Act { computer, page, operation }
    }

    /// Who is to act.
    pub fn computer(&self) -> &ComputerId {
        &self.computer
    }

    /// The page that it is about. RESTART-5: a computer of another incarnation, or with a newer page, refuses.
    pub fn page(&self) -> PageName {
        self.page
    }

    /// The name of the operation, for the computer's recorder; none if nothing is recorded.
    pub fn operation(&self) -> Option<&OperationName> {
        self.operation.as_ref()
    }
}

/// An order to the computer: forget everything if you are this incarnation. Only [`super::Gateway::send_wipe`] makes
/// one, and only while a reset is under way.
#[must_use = "the computer has not been told yet"]
#[derive(PartialEq, Eq, Debug)]
pub struct WipeOrder {
    computer: ComputerId,
    incarnation: Incarnation,
    by: GatewayName,
}

impl WipeOrder {
    pub(super) fn new(computer: ComputerId, incarnation: Incarnation, by: GatewayName) -> WipeOrder {
        WipeOrder { computer, incarnation, by }
    }

    /// Who is to be wiped.
    pub fn computer(&self) -> &ComputerId {
        &self.computer
    }

    /// The incarnation that is to be wiped. RESET-3: a computer of another one refuses.
    pub fn incarnation(&self) -> Incarnation {
        self.incarnation
    }

    /// The gateway that has sent it, and waits for the answer.
    pub fn by(&self) -> &GatewayName {
        &self.by
    }

    /// Turns the order into the proof of the wipe. Call this only once the computer has confirmed this very order: the
    /// proof ends the reset.
    pub fn confirmed(self) -> Wiped {
        Wiped { computer: self.computer, incarnation: self.incarnation }
    }
}

/// The computer has confirmed that this incarnation of it was wiped: what ends a reset.
#[must_use = "a reset that was not finished is still under way"]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wiped {
    computer: ComputerId,
    incarnation: Incarnation,
}

impl Wiped {
    /// Who was wiped.
    pub fn computer(&self) -> &ComputerId {
        &self.computer
    }

    /// The incarnation that was wiped.
    pub fn incarnation(&self) -> Incarnation {
        self.incarnation
    }
}
