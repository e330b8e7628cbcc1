//! Compiles the lock files of `outlive` against loom's locks. No flag and no copy: `cargo test --workspace` runs it.
