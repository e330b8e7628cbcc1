//! The page that accounts for each dependency names those that there are, and who uses them.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{DependencyKind, MetadataCommand};

use crate::repository::{place, sources};
use crate::tables::rows;

const PAGE: &str = "docs/decisions/0010-dependencies.md";

/// Who uses what: folders of the workspace, `tests` for what is not linked into anything.
type Users = BTreeMap<String, BTreeSet<String>>;

#[test]
fn every_dependency_is_accounted_for() {
    let page = sources(&["0010-dependencies.md"]).pop().expect(PAGE);
    assert_eq!(told(&page.text), declared());
}

/// What the manifests say.
fn declared() -> Users {
    let metadata = MetadataCommand::new().manifest_path(place("Cargo.toml")).no_deps().exec().expect("cargo metadata");
    let mut users = Users::new();
    for package in &metadata.packages {
        let folder = package.manifest_path.parent().and_then(|folder| folder.file_name()).expect("a folder");
        // A bench is nothing but what is run to measure.
        let is_bench = folder == "benches";
        for dependency in package.dependencies.iter().filter(|dependency| dependency.path.is_none()) {
            let is_for_tests = dependency.kind == DependencyKind::Development && !is_bench;
            let user = if is_for_tests { "tests" } else { folder };
            users.entry(dependency.name.clone()).or_default().insert(user.to_owned());
        }
    }
    users
}

/// What the page says: the crates of a row, without their features, and the third column.
fn told(page: &str) -> Users {
    let mut users = Users::new();
    for cells in rows(page) {
        for name in cells[0].split(", ").map(|name| name.split(' ').next().unwrap_or(name)) {
            users.insert(name.to_owned(), cells[2].split(", ").map(str::to_owned).collect());
        }
    }
    users
}

#[test]
fn a_row_is_read_as_it_is_meant() {
    let page = "| crate | licence | used by | why |\n|---|---|---|---|\n| a (`x`), b | MIT | spec, tests | so |\n";
    let users = BTreeSet::from(["spec".to_owned(), "tests".to_owned()]);
    assert_eq!(told(page), Users::from([("a".to_owned(), users.clone()), ("b".to_owned(), users)]));
}
