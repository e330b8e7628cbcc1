//! Tables of Markdown: read, and written so that they read well unrendered.

/// The cells of each row of each table in a text, without heads and rules.
pub(crate) fn rows(text: &str) -> Vec<Vec<&str>> {
    let mut rows: Vec<Vec<&str>> = Vec::new();
    for line in text.lines().map(str::trim) {
        let Some(inner) = line.strip_prefix('|').and_then(|line| line.strip_suffix('|')) else { continue };
        let cells: Vec<&str> = inner.split('|').map(str::trim).collect();
        let is_rule =
            cells.iter().all(|cell| cell.len() >= 3 && cell.trim_matches(':').bytes().all(|byte| byte == b'-'));
        if is_rule {
            rows.pop();
        } else {
            rows.push(cells);
        }
    }
    rows
}

/// A table whose columns are as wide as their widest cell, but for those that no line could bear.
pub(crate) fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    const WIDEST: usize = 48;
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        let widest = cells.chain([head[column].chars().count(), 3]).max().unwrap_or(3);
        if widest > WIDEST { 3 } else { widest }
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let line = |cells: &[&str]| {
        let cells = cells.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}"));
        format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
    };
    let rule: Vec<String> = widths.iter().map(|&width| "-".repeat(width)).collect();
    let mut text = line(head) + &format!("| {} |\n", rule.join(" | "));
    for row in rows {
        let cells: Vec<&str> = row.iter().map(String::as_str).collect();
        text += &line(&cells);
    }
    text
}

#[test]
fn a_table_that_is_written_is_read_back() {
    let written = vec![vec!["a".to_owned(), "one, two".to_owned()], vec!["b".to_owned(), "-".to_owned()]];
    let text = table(&["row", "ends in"], &written);
    assert_eq!(text, "| row | ends in  |\n| --- | -------- |\n| a   | one, two |\n| b   | -        |\n");
    assert_eq!(rows(&text), written);
}
