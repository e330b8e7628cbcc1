//! Who depends on whom, and that nobody leaves the lints.

use cargo_metadata::{Dependency, DependencyKind, Metadata, MetadataCommand, Package};

use crate::repository::{place, root, sources};

#[test]
fn crates_depend_as_the_architecture_says() {
    let wrong: Vec<String> = ours(&metadata()).flat_map(|package| wrong_edges(&edges(package))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_package_follows_the_lints_of_the_workspace() {
    let manifests = sources(&["Cargo.toml"]);
    let is_member = |text: &str| text.contains("[package]");
    let members: Vec<_> = manifests.iter().filter(|manifest| is_member(&manifest.text)).collect();
    assert_eq!(members.len(), ours(&metadata()).count());
    for manifest in members {
        assert!(manifest.text.contains("[lints]\nworkspace = true"), "{} goes its own way", manifest.path);
    }
}

/// Functions are held to a length by clippy, which counts better than we would; so what is tested is that it does.
#[test]
fn clippy_holds_functions_to_seventy_lines() {
    let read = |path: &str| std::fs::read_to_string(place(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    assert!(read("clippy.toml").contains("too-many-lines-threshold = 70\n"));
    assert!(read("Cargo.toml").contains("too_many_lines = \"warn\"\n"));
    assert!(read(".ci/run").contains("cargo clippy --workspace --all-targets -- -D warnings\n"));
}

/// One edge between two of our packages.
#[derive(Clone, Copy, Debug)]
struct Edge<'a> {
    from: &'a str,
    to: &'a str,
    is_for_tests: bool,
    is_optional: bool,
    sees_models: bool,
}

fn metadata() -> Metadata {
    let mut command = MetadataCommand::new();
    command.manifest_path(root().join("Cargo.toml")).no_deps().other_options(["--offline".to_owned()]);
    command.exec().expect("cargo can read its own workspace")
}

fn ours(metadata: &Metadata) -> impl Iterator<Item = &Package> {
    metadata.packages.iter()
}

fn edges(package: &Package) -> Vec<Edge<'_>> {
    let to_ours = package.dependencies.iter().filter(|dependency| dependency.path.is_some());
    let edge = |dependency| {
        let Dependency { name, kind, optional, uses_default_features, features, .. }: &Dependency = dependency;
        Edge {
            from: package.name.as_str(),
            to: name,
            is_for_tests: *kind == DependencyKind::Development,
            is_optional: *optional,
            sees_models: *uses_default_features || features.iter().any(|feature| feature == "model"),
        }
    };
    to_ours.map(edge).collect()
}

/// The words of a trace are shared with the implementation, a decision never is.
fn wrong_edges(edges: &[Edge<'_>]) -> Vec<String> {
    let is_right = |edge: &Edge<'_>| match (edge.from, edge.to) {
        ("outlive", "outlive-spec") => !edge.sees_models,
        ("outlive-model-check", "outlive-spec") => true,
        ("outlive-model-check", "outlive") => edge.is_for_tests || edge.is_optional,
        ("outlive-benches", "outlive-spec" | "outlive" | "outlive-model-check") => true,
        _ => false,
    };
    edges.iter().filter(|edge| !is_right(edge)).map(|edge| format!("{edge:?}")).collect()
}

#[test]
fn a_forbidden_edge_is_noticed() {
    let edge = |from, to| Edge { from, to, is_for_tests: false, is_optional: false, sees_models: false };
    let right = [
        edge("outlive", "outlive-spec"),
        Edge { is_optional: true, ..edge("outlive-model-check", "outlive") },
        Edge { sees_models: true, ..edge("outlive-model-check", "outlive-spec") },
    ];
    assert_eq!(wrong_edges(&right), [""; 0]);
    let wrong = [
        Edge { sees_models: true, ..edge("outlive", "outlive-spec") },
        edge("outlive-spec", "outlive"),
        edge("outlive", "outlive-model-check"),
        edge("outlive-model-check", "outlive"),
        Edge { is_for_tests: true, ..edge("outlive-spec", "outlive-model-check") },
        edge("outlive-loom-tests", "outlive"),
    ];
    assert_eq!(wrong_edges(&wrong).len(), wrong.len());
}
