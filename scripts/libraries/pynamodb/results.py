"""A plugin for pytest that appends a line to $SUITE_RESULTS for each test: pass, fail or skip, the name of the test, and the
message of the error."""
import os

STATUS = {"passed": "pass", "failed": "fail", "skipped": "skip"}


def line(status, name, message):
    with open(os.environ["SUITE_RESULTS"], "a", encoding="utf-8") as file:
        print(status, name, " ".join(message.split())[:300], sep="\t", file=file)


def pytest_runtest_logreport(report):
    # Set-up and tear-down count only when something is wrong with them.
    if report.when == "call" or report.outcome != "passed":
        crash = getattr(report.longrepr, "reprcrash", None)
        line(STATUS[report.outcome], report.nodeid, crash.message if crash else "")


def pytest_collectreport(report):
    if report.failed:
        line("fail", report.nodeid, str(report.longrepr))
