#![allow(missing_docs)]
use outlive_spec::protocol::Protocol;
use outlive_spec::teardown::{Teardowns, bounds::*, rules::*, state::*, variants::*};
use std::collections::HashSet;

fn count(name: &str, rules: Rules, bounds: Bounds, symmetry: bool, cap: usize) {
    let p = Teardowns { rules, bounds };
    let mut seen = HashSet::new();
    let mut stack = Vec::new();
    for s in p.initial() {
        seen.insert(p.pack(&s));
        stack.push(p.pack(&s));
    }
    let mut actions = Vec::new();
    let start = std::time::Instant::now();
    let mut broken = 0u64;
    let mut steps = 0u64;
    'all: while let Some(k) = stack.pop() {
        let s = p.unpack(&k);
        actions.clear();
        p.actions(&s, &mut actions);
        let mut n = s.clone();
        for a in &actions {
            if p.apply(&mut n, a).is_ok() {
                steps += 1;
                broken |= p.broken(&n).0;
                p.forgive(&mut n);
                if symmetry {
                    p.represent(&mut n);
                }
                let k = p.pack(&n);
                if seen.insert(k) {
                    stack.push(k);
                    if seen.len() >= cap {
                        break 'all;
                    }
                }
                n.clone_from(&s);
            }
        }
    }
    println!(
        "{name}: {} states {}{} steps, broken {broken:b}, {:?}",
        seen.len(),
        if seen.len() >= cap { "CAPPED " } else { "" },
        steps,
        start.elapsed()
    );
}

#[test]
fn sizes() {
    let cap = 1_500_000;
    let cap = 4_000_000;
    let d = Bounds { workers: 2, trashes: 1, outsiders: 0, page: 1, ..SMOKE };
    count("2 workers trash1 page1", RIGHT, d, false, cap);
    count("2 workers trash1 page1 owners 1", RIGHT, Bounds { owners: 1, ..d }, false, cap);
    count("2 workers trash1 page1 outsiders", RIGHT, Bounds { outsiders: 1, ..d }, false, cap);
    count(
        "1 worker nodes deadlines trash1 ",
        RIGHT,
        Bounds { outsiders: 1, workers: 1, nodes: true, deadlines: true, page: 2, ..d },
        false,
        cap,
    );
    count(
        "1 worker nodes deadlines trash1 page 1",
        RIGHT,
        Bounds { outsiders: 1, workers: 1, nodes: true, deadlines: true, page: 1, ..d },
        false,
        cap,
    );
    count(
        "1 worker instances 3 trash1 page 1",
        RIGHT,
        Bounds { outsiders: 1, workers: 1, instances: 3, page: 1, ..d },
        false,
        cap,
    );
    count(
        "1 worker instances 3 trash2 page 1",
        RIGHT,
        Bounds { outsiders: 1, workers: 1, instances: 3, trashes: 2, page: 1, ..d },
        false,
        cap,
    );
    count(
        "1 worker instances 3 tokens 3 trash1 page 1",
        RIGHT,
        Bounds { outsiders: 0, workers: 1, instances: 3, trashes: 1, tokens: 3, page: 1, ..d },
        false,
        cap,
    );
    let w = Rules { watches: true, ..RIGHT };
    let e = Bounds { nodes: true, worlds: &[World::Atomic], instances: 2, tokens: 2, owners: 2, trashes: 2, ..ENDLESS };
    count(&format!("endless nodes tokens 2 owners 2 trashes 2"), w, e, true, cap);
    count(&format!("endless nodes tokens 2 owners 1 trashes 1"), w, Bounds { owners: 1, trashes: 1, ..e }, true, cap);
}

fn lengths(name: &str, rules: Rules, bounds: Bounds, cap: usize) {
    use std::collections::BTreeMap;
    let p = Teardowns { rules, bounds };
    let mut seen = HashSet::new();
    let mut level = Vec::new();
    for s in p.initial() {
        seen.insert(p.pack(&s));
        level.push(p.pack(&s));
    }
    let mut actions = Vec::new();
    let mut found: BTreeMap<usize, usize> = BTreeMap::new();
    let mut depth = 0;
    'all: while !level.is_empty() {
        depth += 1;
        let mut next = Vec::new();
        for k in level {
            let s = p.unpack(&k);
            actions.clear();
            p.actions(&s, &mut actions);
            let mut n = s.clone();
            for a in &actions {
                if p.apply(&mut n, a).is_ok() {
                    let b = p.broken(&n);
                    for i in 0..12 {
                        if b.has(i) {
                            found.entry(i).or_insert(depth);
                        }
                    }
                    p.forgive(&mut n);
                    let k = p.pack(&n);
                    if seen.insert(k) {
                        next.push(k);
                        if seen.len() >= cap {
                            break 'all;
                        }
                    }
                    n.clone_from(&s);
                }
            }
        }
        level = next;
    }
    let names: Vec<String> = found.iter().map(|(i, d)| format!("{} {d}", p.properties()[*i].name)).collect();
    println!("VAR {name}: {}{} | {}", seen.len(), if seen.len() >= cap { "+" } else { "" }, names.join(", "));
}

#[test]
fn variants() {
    let b = Bounds { instances: 3, tokens: 2, deadlines: true, nodes: false, ..SMOKE };
    for (info, rules) in VARIANTS {
        lengths(info.name, *rules, b, 700_000);
    }
}
