//! The reference under load, and the historic stores.

pub mod historic;
