"""Saved queries count each attempt once, by tenant and job, in the lines that executors print.

The queries are read as CloudWatch documents their commands; no machine here has Logs Insights.
"""

import json
import re
from collections import Counter
from typing import Any

import pytest

from infra.constructs.observability.log_queries import BUSINESS, OPERATORS
from tests.support.factories import OTHER_TENANT, TENANT, attempt_factory, attempt_id, job_id
from timegate.domain.runs.run import Attempt, RunError, RunState
from timegate.domain.values.tenant import TenantId
from timegate.ports.telemetry import run_events
from timegate.ports.telemetry.telemetry import lines_of_ends
from timegate.runtime.telemetry import LambdaTelemetry

Row = dict[str, Any]
BUSY = RunError(code="http_503", type="HTTPError", message="busy")
HOME, AWAY = str(job_id("home")), str(job_id("away"))


def value(row: Row, name: str) -> Any:  # noqa: ANN401 - as the line has it
    """A field, of a structure by dots; ``None``: the record lacks it."""
    if name in row:
        return row[name]
    first, _, rest = name.partition(".")
    return value(row[first], rest) if rest and isinstance(row.get(first), dict) else None


def _filter(rows: list[Row], told: str) -> list[Row]:
    if present := re.fullmatch(r"ispresent\((\w+)\)", told):
        return [row for row in rows if value(row, present[1]) is not None]
    name, sign, text = re.fullmatch(r'(\w+) (=|!=) "(\w+)"', told).groups()  # type: ignore[union-attr]
    return [row for row in rows if (value(row, name) == text) == (sign == "=")]


def _fields(rows: list[Row], told: str) -> list[Row]:
    if told == "jsonParse(@message) as line":
        return [row | {"line": json.loads(row["@message"])} for row in rows]
    cut = re.fullmatch(r"substr\((.+), (\d+), (\d+)\) as (\w+)", told)
    assert cut, told
    start, length = int(cut[2]), int(cut[3])
    return [row | {cut[4]: value(row, cut[1])[start:][:length]} for row in rows]


def _unnest(rows: list[Row], told: str) -> list[Row]:
    name, _, alias = told.split()
    return [row | {alias: item} for row in rows for item in value(row, name)]


def asked(query: str, lines: list[str]) -> Counter[tuple[Any, ...]]:
    """Attempts by what a query groups them by; ``bin`` is left out of the groups."""
    rows = [json.loads(line) | {"@message": line} for line in lines]
    steps = {"filter": _filter, "fields": _fields, "unnest": _unnest}
    for step in query.split("\n| "):
        command, _, told = step.partition(" ")
        if command == "stats":
            assert "count(*)" in told
            groups = [each for each in told.partition(" by ")[2].split(", ") if "bin(" not in each]
            return Counter(tuple(value(row, name) for name in groups) for row in rows)
        rows = steps[command](rows, told)
    raise AssertionError(query)


def ended(job: str, number: int, tenant: TenantId = TENANT, **fields: Any) -> Attempt:  # noqa: ANN401
    """An attempt that has ended, with success unless said otherwise."""
    own = attempt_id(number, job=job_id(job))
    return attempt_factory(id=own, tenant=tenant, **{"state": RunState.SUCCEEDED, **fields})


@pytest.fixture
def lines(
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> list[str]:
    """A write of three successes of two tenants, one of them after a failure, which is alone."""
    # A logger keeps the output that its name was first printed to.
    monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", request.node.name)
    telemetry = LambdaTelemetry()
    failed = ended("home", 1, state=RunState.FAILED, error=BUSY, explanation="attempt 1 of 2")
    together = [ended("home", 1), ended("away", 1, OTHER_TENANT), ended("home", 2)]
    for written in ([failed], together):
        for fields in lines_of_ends(written):
            telemetry.event(run_events.RUN_ENDED, **fields)
    return capsys.readouterr().out.splitlines()


def test_a_write_has_a_line_for_ends_that_are_alike(lines: list[str]) -> None:
    """Second attempts are none of the first ones."""
    assert [len(json.loads(line)["ends"]) for line in lines] == [1, 2, 1]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("outcomes-by-tenant", {(TENANT,): 3, (OTHER_TENANT,): 1}),
        ("outcomes-over-time", {("succeeded",): 3, ("failed",): 1}),
        ("top-jobs", {(TENANT, HOME): 3, (OTHER_TENANT, AWAY): 1}),
        ("failing-jobs", {(TENANT, HOME, BUSY.code): 1}),
        ("retries-by-tenant", {(TENANT, BUSY.code): 1}),
        ("cost-by-tenant", {(TENANT,): 3, (OTHER_TENANT,): 1}),
        ("busiest-tenants", {(TENANT,): 3, (OTHER_TENANT,): 1}),
        ("retry-funnel", {(1, "succeeded"): 2, (1, "failed"): 1, (2, "succeeded"): 1}),
    ],
)
def test_a_query_counts_each_attempt_of_a_line(
    lines: list[str], query: str, expected: dict[tuple[object, ...], int]
) -> None:
    """A line of many is as many records, each with its own tenant and job."""
    assert asked({**OPERATORS, **BUSINESS}[query], lines) == expected


def test_lines_of_a_tenant_are_found_by_its_name(lines: list[str]) -> None:
    """In quotes: the name of another may begin with it."""
    text = re.search(r"like '(.+)'", OPERATORS["one-tenant"])
    assert text
    found = text[1].replace("PASTE-A-TENANT", OTHER_TENANT)

    assert [found in line for line in lines] == [False, True, False]


#: Printed by Lambda in its text format, below a function that fails.
OF_LAMBDA = {
    "raised": "[ERROR] KeyError: 'state'\nTraceback (most recent call last):\n  File \"x.py\"",
    "import": "[ERROR] Runtime.ImportModuleError: Unable to import module 'handler'",
    "library": "[ERROR]\t2026-11-21T07:00:00.000Z\t5f0c\tConnection pool is full",
    "timeout": "2026-11-21T07:00:30.003Z 5f0c-11 Task timed out after 30.00 seconds\n\n",
    "killed": "RequestId: 5f0c-11 Error: Runtime exited with error: signal: killed",
    "report": "REPORT RequestId: 5f0c\tDuration: 30000.00 ms\tStatus: timeout",
    "start": "INIT_REPORT Init Duration: 9999.01 ms\tPhase: init\tStatus: error",
}
SOUND = {
    "report": "REPORT RequestId: 5f0c\tDuration: 12.10 ms\tBilled Duration: 13 ms",
    "start": "START RequestId: 5f0c-11 Version: 12",
}


def errors() -> re.Pattern[str]:
    """Return the pattern of lines that the query of errors shows."""
    told = re.search(r"@message like /(.+)/", OPERATORS["errors"])
    assert told
    return re.compile(told[1])


@pytest.mark.parametrize("line", OF_LAMBDA.values(), ids=OF_LAMBDA)
def test_the_query_of_errors_shows_how_a_function_failed(line: str) -> None:
    """Lambda prints that, and not as JSON: no line of a failure has a level in a field."""
    assert errors().search(line)


@pytest.mark.parametrize("line", SOUND.values(), ids=SOUND)
def test_the_query_of_errors_shows_no_sound_invocation(line: str) -> None:
    """Lambda reports each invocation."""
    assert not errors().search(line)


def test_the_query_of_errors_shows_no_event(lines: list[str]) -> None:
    """A tenant's texts stand within lines of JSON, so none begins a line."""
    hostile = [line.replace("busy", said) for line in lines for said in OF_LAMBDA.values()]

    assert not any(errors().search(line) for line in (*lines, *hostile))
    assert {json.loads(line)["level"] for line in lines} == {"INFO"}
