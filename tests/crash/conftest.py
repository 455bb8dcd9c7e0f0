"""One region for all stories of a process, and the count of what was tried."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.crash.region import Region
from tests.crash.services.cloud import Cloud
from tests.iam.conftest import cloud_that_tells, keyed_roles, recorders, roles, telling_roles
from tests.infra.conftest import keyed, prod, synthesise

__all__ = [
    "cloud_that_tells",
    "keyed",
    "keyed_roles",
    "prod",
    "recorders",
    "roles",
    "synthesise",
    "telling_roles",
]

#: Under which a test notes what it tried, for the summary: it may have run in another process.
TRIED = "crash points"


@pytest.fixture(scope="module")
def cloud() -> Iterator[Cloud]:
    """Everything deployed, with its shards open and its first ticks done."""
    with pytest.MonkeyPatch.context() as patch:
        cloud = Cloud(Region(patch))
        for function in ("planner", "sweeper"):
            cloud.invoke(function, {"shards": [0], "of": 1})
        yield cloud


def pytest_terminal_summary(terminalreporter: Any) -> None:  # noqa: ANN401 - pytest's own
    """Say how much was tried."""
    tried = [
        (report.nodeid, value)
        for reports in terminalreporter.stats.values()
        for report in reports
        if getattr(report, "when", None) == "call"
        for name, value in report.user_properties
        if name == TRIED
    ]
    if not tried:
        return
    terminalreporter.section("crash matrix")
    for _, (flow, calls, points) in sorted(tried):
        terminalreporter.line(f"{flow:<20}{calls:>6} calls{points:>8} crash points")
    calls, points = (sum(value[n] for _, value in tried) for n in (1, 2))
    terminalreporter.line(f"{len(tried)} flows{calls:>18} calls{points:>8} crash points")
