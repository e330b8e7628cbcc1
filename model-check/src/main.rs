//! The command `model-check`.
fn main() {}
