//! Generated blocks: what stands between `<!-- generated: NAME -->` and `<!-- end -->`.

use std::fs;

use crate::generated::Generator;
use crate::repository::{Source, place, sources};

const END: &str = "<!-- end -->";
const UPDATE: &str = "UPDATE_DOCS";

#[test]
fn generated_blocks_are_as_generated() {
    let generator = Generator::default();
    let mut wrong = Vec::new();
    for page in sources(&[".md"]) {
        let fresh = rewrite(&page, |name| generator.block(name)).unwrap_or_else(|what| panic!("{}: {what}", page.path));
        if fresh == page.text {
            continue;
        }
        if std::env::var_os(UPDATE).is_some() {
            fs::write(place(&page.path), fresh).expect("a page can be written");
        } else {
            wrong.push(format!("{}: {}", page.path, first_difference(&page.text, &fresh)));
        }
    }
    let how = "UPDATE_DOCS=1 cargo test -p outlive-model-check --test docs";
    assert!(wrong.is_empty(), "{}\n`{how}` rewrites the blocks", wrong.join("\n"));
}

/// The page with fresh blocks. A name that nobody generates, and a block without an end, are errors.
fn rewrite(page: &Source, block: impl Fn(&str) -> Result<String, String>) -> Result<String, String> {
    let mut fresh = String::new();
    let mut lines = page.text.split_inclusive('\n');
    while let Some(line) = lines.next() {
        fresh += line;
        let Some(name) = line.trim().strip_prefix("<!-- generated: ").and_then(|rest| rest.strip_suffix(" -->")) else {
            continue;
        };
        lines.by_ref().find(|line| line.trim() == END).ok_or_else(|| format!("the block `{name}` has no end"))?;
        let body = block(name)?;
        fresh += &format!("\n{}\n\n{END}\n", body.trim_end());
    }
    Ok(fresh)
}

fn first_difference(old: &str, fresh: &str) -> String {
    let mut lines = old.lines().zip(fresh.lines()).enumerate();
    match lines.find(|(_, (old, fresh))| old != fresh) {
        Some((at, (old, fresh))) => format!("line {} is `{old}` and should be `{fresh}`", at + 1),
        None => "one is longer than the other".to_owned(),
    }
}

#[test]
fn only_the_inside_of_a_block_is_rewritten() {
    let text = "a\n<!-- generated: one -->\nold\n<!-- end -->\nb\n";
    let page = Source { path: "page.md".to_owned(), text: text.to_owned() };
    let fresh = rewrite(&page, |name| Ok(format!("new {name}\n"))).expect("the page is well formed");
    assert_eq!(fresh, "a\n<!-- generated: one -->\n\nnew one\n\n<!-- end -->\nb\n");
    let again = Source { text: fresh.clone(), ..page };
    assert_eq!(rewrite(&again, |name| Ok(format!("new {name}\n"))), Ok(fresh));
}

#[test]
fn a_bad_block_is_noticed() {
    let page = |text: &str| Source { path: "page.md".to_owned(), text: text.to_owned() };
    let open = page("<!-- generated: one -->\nold\n");
    assert!(rewrite(&open, |_| Ok(String::new())).is_err());
    let unknown = page("<!-- generated: two -->\n<!-- end -->\n");
    assert_eq!(rewrite(&unknown, |name| Generator::default().block(name)), Err("nobody generates `two`".to_owned()));
}
