//! Text can be read on what it stands on: WCAG 2 asks for a contrast of at least 4.5 to 1, in the light, in the dark,
//! and on paper.

const STYLE: &str = include_str!("../../src/report/html/style.css");

/// What stands on what.
const PAIRS: [(&str, &str); 17] = [
    ("text", "page"),
    ("text", "soft"),
    ("text", "bad-soft"),
    ("text", "doubt-soft"),
    ("quiet", "page"),
    ("quiet", "soft"),
    ("quiet", "bad-soft"),
    ("quiet", "doubt-soft"),
    ("link", "page"),
    ("link", "soft"),
    ("link", "bad-soft"),
    ("link", "doubt-soft"),
    ("bad", "page"),
    ("bad", "bad-soft"),
    ("doubt", "doubt-soft"),
    ("good", "page"),
    ("good", "good-soft"),
];

#[test]
fn text_stands_out_in_every_scheme() {
    let schemes: Vec<&str> = STYLE.split(":root {").skip(1).map(|rest| rest.split('}').next().unwrap()).collect();
    assert_eq!(schemes.len(), 3, "light, dark and paper");
    for scheme in schemes {
        for (text, ground) in PAIRS {
            let contrast = contrast(colour(scheme, text), colour(scheme, ground));
            assert!(contrast >= 4.5, "{text} on {ground}: {contrast:.2} in {scheme}");
        }
    }
}

#[test]
fn contrast_is_as_the_standard_defines_it() {
    assert!((contrast([0, 0, 0], [255, 255, 255]) - 21.0).abs() < 0.001);
    assert!((contrast([0x77, 0x77, 0x77], [255, 255, 255]) - 4.48).abs() < 0.01);
}

fn colour(scheme: &str, name: &str) -> [u8; 3] {
    let (_, rest) = scheme.split_once(&format!("--{name}: #")).unwrap_or_else(|| panic!("no {name} in {scheme}"));
    let part = |at: usize| u8::from_str_radix(&rest[at..at + 2], 16).unwrap();
    [part(0), part(2), part(4)]
}

fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

fn luminance(colour: [u8; 3]) -> f64 {
    let linear = |part: u8| {
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    let [red, green, blue] = colour.map(linear);
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}
