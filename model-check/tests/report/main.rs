//! The pages and documents that are made for others: what stands in them, where they lead, and that nothing which a
//! name says is taken for more than a name.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod colours;
mod command;
mod documents;
mod hostile;
mod loops;
mod page;
mod replay;
mod site;
mod text;
#[path = "../common/validator.rs"]
mod validator;
