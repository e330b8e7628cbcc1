//! The test functions of the repository, by name.

use crate::repository::Source;

/// The names of the test functions of a source file: a `fn` below an attribute that ends in `test`.
pub(crate) fn tests_of(text: &str) -> Vec<&str> {
    let mut is_test = false;
    let mut names = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some(attribute) = line.strip_prefix("#[") {
            is_test |= is_test_attribute(attribute);
        } else if let Some(name) = function_name(line) {
            if is_test {
                names.push(name);
            }
            is_test = false;
        }
    }
    names
}

fn is_test_attribute(attribute: &str) -> bool {
    let path = attribute.split(['(', ']']).next().unwrap_or_default();
    path == "test" || path.ends_with("::test")
}

fn function_name(line: &str) -> Option<&str> {
    let line = line.strip_prefix("pub ").unwrap_or(line);
    let line = line.strip_prefix("async ").unwrap_or(line);
    let rest = line.strip_prefix("fn ")?;
    rest.split(['(', '<']).next()
}

/// All test functions with the files that they stand in.
pub(crate) fn tests(sources: &[Source]) -> Vec<(&str, &str)> {
    let of = |source| {
        let Source { path, text }: &Source = source;
        tests_of(text).into_iter().map(|name| (name, path.as_str()))
    };
    sources.iter().flat_map(of).collect()
}

#[test]
fn only_functions_with_a_test_attribute_are_tests() {
    let text = "#[test]\nfn one() {}\nfn helper() {}\n    #[tokio::test(flavor = \"current_thread\")]\n    async fn two() {}\n\
                #[test]\n#[should_panic]\nfn three<T>() {}\n#[derive(Debug)]\nfn four() {}\n";
    assert_eq!(tests_of(text), ["one", "two", "three"]);
}
