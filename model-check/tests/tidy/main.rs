//! Taste, made executable: what would be said twice in a review is said once here.

#[path = "../docs/repository.rs"]
mod repository;
#[path = "../docs/tables.rs"]
mod tables;

mod edges;
mod text;
mod words;
