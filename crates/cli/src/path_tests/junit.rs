//! Results of path tests as `JUnit` XML, which build servers display.

use std::fmt::Write as _;

use super::{CaseReport, SuiteReport};

/// Formats the results as an XML document.
pub(super) fn to_xml(report: &SuiteReport) -> String {
    let n_errors = report.cases.iter().filter(|case| case.error.is_some()).count();
    let n_failures = report.n_failed - n_errors;
    let secs: f32 = report.cases.iter().map(seconds).sum();
    let counts = format!(
        "tests=\"{}\" failures=\"{n_failures}\" errors=\"{n_errors}\" time=\"{secs:.6}\"",
        report.cases.len()
    );
    let name = escaped(report.suite_name());
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    // Writing to a string cannot fail.
    let _ = writeln!(xml, "<testsuites name=\"walkable test\" {counts}>");
    let _ = writeln!(xml, "  <testsuite name=\"{name}\" {counts} skipped=\"0\">");
    for case in &report.cases {
        let of_case = escaped(&case.name);
        let _ = write!(
            xml,
            "    <testcase name=\"{of_case}\" classname=\"{name}\" time=\"{:.6}\"",
            seconds(case)
        );
        if case.passed {
            xml.push_str("/>\n");
            continue;
        }
        xml.push_str(">\n");
        let element = if case.error.is_some() { "error" } else { "failure" };
        let problems: Vec<_> = case.problems().collect();
        let message = escaped(&problems.join("; "));
        let details = escaped(&case.in_words().join("\n"));
        let _ = writeln!(
            xml,
            "      <{element} type=\"path_test\" message=\"{message}\">{details}</{element}>"
        );
        xml.push_str("    </testcase>\n");
    }
    xml.push_str("  </testsuite>\n</testsuites>\n");
    xml
}

fn seconds(case: &CaseReport) -> f32 {
    case.ms / 1e3
}

/// Escapes a text for an attribute or the content of an element. Characters that XML cannot contain become U+FFFD.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // A parser would read these as spaces in an attribute.
            '\t' => escaped.push_str("&#9;"),
            '\n' => escaped.push_str("&#10;"),
            '\r' => escaped.push_str("&#13;"),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}
