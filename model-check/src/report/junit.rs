//! Findings as JUnit shows tests: a suite for each thing that was looked at, a test for each sentence.

use quick_junit::{NonSuccessKind, Report, SerializeError, TestCase, TestCaseStatus, TestSuite};

use super::findings::{Case, End, Findings};

/// The findings as an XML document.
///
/// # Errors
/// If it cannot be written, which is a bug.
pub fn document(findings: &Findings) -> Result<String, SerializeError> {
    let mut report = Report::new(format!("model-check {}", findings.suite));
    for cases in findings.cases.chunk_by(|one, other| one.group == other.group) {
        let mut suite = TestSuite::new(cases[0].group.as_str());
        suite.add_test_cases(cases.iter().map(test));
        report.add_test_suite(suite);
    }
    report.to_string()
}

fn test(case: &Case) -> TestCase {
    let status = match &case.end {
        End::Holds => TestCaseStatus::success(),
        End::Fails(why) => unsuccessful(NonSuccessKind::Failure, case, why),
        // A reader that knows only passed and failed must not take it for passed.
        End::Unknown(why) => unsuccessful(NonSuccessKind::Error, case, why),
    };
    let mut test = TestCase::new(case.rule.as_str(), status);
    test.set_classname(case.group.as_str());
    test
}

fn unsuccessful(kind: NonSuccessKind, case: &Case, why: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_message(case.sentence.as_str()).set_type(case.rule.as_str()).set_description(why);
    status
}
