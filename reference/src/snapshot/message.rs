//! What travels between a gateway and a computer. How it travels is the user's.

use bytes::Bytes;

use crate::id::{ComputerId, GatewayName, Incarnation, OperationName, PageName, SnapshotId};

/// To the computer: a page, please, if you are this incarnation.
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

    /// Whom it is for. RESTART-3: a computer of another incarnation refuses.
    pub fn incarnation(&self) -> Incarnation {
        self.incarnation
    }

    /// What the computer gives its recorder, if there is one.
    pub fn operation(&self) -> Option<&OperationName> {
        self.operation.as_ref()
    }
}

/// The right to save the answer to one call. It cannot be cloned: a page is sent under the ticket of its own call, as
/// often as the store fails, and under no other.
#[must_use = "a ticket is for the answer of its call"]
#[derive(PartialEq, Eq, Debug)]
pub struct Ticket {
    call: Call,
}

impl Ticket {
    pub(super) fn new(call: Call) -> Ticket {
        Ticket { call }
    }

    /// What the computer must be called with.
    pub fn call(&self) -> &Call {
        &self.call
    }
}

/// From the computer: the page that was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The incarnation that the computer is, and the next generation.
    pub page: PageName,
    /// The page itself; what is in it is the user's.
    pub body: Bytes,
}

impl Answer {
    /// A page under its name.
    pub fn new(page: PageName, body: impl Into<Bytes>) -> Answer {
        Answer { page, body: body.into() }
    }
}

/// A stored page as [`super::Gateway::load`] has shown it. Nothing else makes one: SAVE-8 asks that what is rolled back to
/// was loaded.
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

    /// What references cite.
    pub fn name(&self) -> PageName {
        self.name
    }

    /// What is on it.
    pub fn body(&self) -> &Bytes {
        &self.body
    }

    /// Names what is on it.
    pub fn snapshot_id(&self) -> SnapshotId {
        SnapshotId::of(&self.body)
    }
}

/// To the computer: act on this page, if it is your newest. Only [`super::Gateway::resolve`] makes one.
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

    /// The page. RESTART-5: a computer of another incarnation, or with a newer page, refuses.
    pub fn page(&self) -> PageName {
        self.page
    }

    /// What the computer gives its recorder, if there is one.
    pub fn operation(&self) -> Option<&OperationName> {
        self.operation.as_ref()
    }
}

/// To the computer: forget everything, if you are this incarnation. Only [`super::Gateway::send_wipe`] makes one, and
/// only while a reset is under way.
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

    /// Whom it is for. RESET-3: a computer of another incarnation refuses.
    pub fn incarnation(&self) -> Incarnation {
        self.incarnation
    }

    /// Who waits for the answer.
    pub fn by(&self) -> &GatewayName {
        &self.by
    }

    /// What the computer's confirmation of this very order is worth. Saying so without having heard it ends a reset that
    /// has not happened.
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

    /// What it was.
    pub fn incarnation(&self) -> Incarnation {
        self.incarnation
    }
}
