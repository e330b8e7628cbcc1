//! (filled by its owner)
