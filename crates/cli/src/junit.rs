//! Results as `JUnit` XML, which build servers display.

use std::fmt::Write as _;

pub(crate) struct Suite<'a> {
    pub(crate) command: &'a str,
    pub(crate) name: &'a str,
    pub(crate) kind: &'a str,
    pub(crate) cases: Vec<Case>,
}

pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) seconds: f32,
    /// `None` if the case passed.
    pub(crate) problem: Option<Problem>,
}

pub(crate) struct Problem {
    /// Whether the case could not run.
    pub(crate) is_error: bool,
    pub(crate) message: String,
    pub(crate) details: String,
}

impl Suite<'_> {
    pub(crate) fn to_xml(&self) -> String {
        let problems = || self.cases.iter().filter_map(|case| case.problem.as_ref());
        let n_errors = problems().filter(|problem| problem.is_error).count();
        let n_failures = problems().count() - n_errors;
        let secs: f32 = self.cases.iter().map(|case| case.seconds).sum();
        let counts = format!(
            "tests=\"{}\" failures=\"{n_failures}\" errors=\"{n_errors}\" time=\"{secs:.6}\"",
            self.cases.len()
        );
        let [command, name] = [self.command, self.name].map(escaped);
        let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        // Writing to a string cannot fail.
        let _ = writeln!(xml, "<testsuites name=\"{command}\" {counts}>");
        let _ = writeln!(xml, "  <testsuite name=\"{name}\" {counts} skipped=\"0\">");
        for case in &self.cases {
            let of_case = escaped(&case.name);
            let _ = write!(
                xml,
                "    <testcase name=\"{of_case}\" classname=\"{name}\" time=\"{:.6}\"",
                case.seconds
            );
            let Some(problem) = &case.problem else {
                xml.push_str("/>\n");
                continue;
            };
            xml.push_str(">\n");
            let element = if problem.is_error { "error" } else { "failure" };
            let [message, details] = [&problem.message, &problem.details].map(|text| escaped(text));
            let _ = writeln!(
                xml,
                "      <{element} type=\"{}\" message=\"{message}\">{details}</{element}>",
                self.kind
            );
            xml.push_str("    </testcase>\n");
        }
        xml.push_str("  </testsuite>\n</testsuites>\n");
        xml
    }
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
