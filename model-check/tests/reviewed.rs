//! The reviewed table is read strictly, and every difference is told.

use outlive_model_check::report::reviewed::{differences, parse};

#[test]
fn a_table_is_read_with_its_comments() {
    let table = parse("# for people\nright 10\n\nbad 20 a=3 b=4 # why\n").unwrap();
    assert_eq!(table.iter().map(ToString::to_string).collect::<Vec<_>>(), ["right 10", "bad 20 a=3 b=4"]);
}

#[test]
fn a_line_that_is_none_is_refused_with_its_number() {
    for (text, message) in [
        ("right", "line 1 of the reviewed table: no number of states"),
        ("right ten", "line 1 of the reviewed table: no number of states"),
        ("right 1\nbad 2 a", "line 2 of the reviewed table: a word without `=`"),
        ("bad 2 a=b", "line 1 of the reviewed table: a length that is neither a number nor two with a `+`"),
        ("bad 2 a=1 a=1", "line 1 of the reviewed table: a property that stands twice"),
    ] {
        assert_eq!(parse(text).unwrap_err().to_string(), message);
    }
}

#[test]
fn equal_tables_do_not_differ() {
    let table = parse("right 1\nbad 2 a=3").unwrap();
    assert!(differences(&table, &table).is_empty());
}

#[test]
fn a_known_bad_variant_that_passes_is_told_apart_from_one_that_changed() {
    let known = parse("right 1\nbad 2 a=3\nworse 2 a=3\ngone 1").unwrap();
    let found = parse("right 1\nbad 2\nworse 2 a=4\nnew 5").unwrap();
    let differences = differences(&known, &found);
    let starts: Vec<&str> = differences.iter().map(|difference| difference.lines().next().unwrap()).collect();
    assert_eq!(
        starts,
        [
            "`bad` is known to be bad, and passes",
            "`worse` differs",
            "`new` has not been reviewed; it reads: new 5",
            "`gone` was reviewed, and is no variant any more",
        ]
    );
}
