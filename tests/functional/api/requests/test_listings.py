"""Every list over HTTP: filters, pages, and cursors that are good for what they came from."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest

from api.http.table import ROUTES
from tests.support.api import Answer, Api
from tests.support.dag_runs.dag_leftovers import add_dag_run
from tests.support.factories import (
    JOB_ID,
    NOW,
    OTHER_TENANT,
    TENANT,
    after,
    attempt_factory,
    attempt_id,
    calendar_factory,
    freeze_factory,
    job_factory,
    job_id,
)
from tests.support.operations.started_operations import operation_factory
from tests.support.ruling import rule_factory
from tests.support.sealed import keep_sealed
from tests.unit.domain.dags.definitions import dag, task
from timegate.domain.dag_runs.progress import DagRunStatus
from timegate.domain.operations.operation import OperationKind, OperationStatus
from timegate.domain.restrictions.freeze import FreezeKind, FreezeScope
from timegate.domain.runs.run import RunState
from timegate.domain.values.identity import OperationId, dag_id_for_key
from timegate.domain.values.instants import rfc3339
from timegate.usecases.services.matching_rows import MAX_PAGES_READ

DAG = dag_id_for_key(TENANT, "nightly")
RUNS = f"/v1/jobs/{JOB_ID}/runs"
DAG_RUNS = f"/v1/dags/{DAG}/runs"
#: A filter that each list takes, and another one.
FILTERED: dict[str, tuple[str, str]] = {
    "/v1/jobs": ("status=active", "status=paused"),
    RUNS: ("state=queued", "state=succeeded"),
    "/v1/runs": ("state=failed", "state=skipped"),
    "/v1/operations": ("kind=pause", "kind=resume"),
    DAG_RUNS: ("status=opening", "status=failed"),
    "/v1/dags": ("status=active", "status=deleted"),
    "/v1/audit": ("actor=ops", "actor=ci"),
    f"/v1/jobs/{JOB_ID}/ledger": (
        "from=2026-11-21T06:00:00Z&to=2026-11-21T08:00:00Z",
        "from=2026-11-21T06:00:00Z&to=2026-11-21T09:00:00Z",
    ),
}


@pytest.fixture
def full(api: Api) -> Api:
    """Three of everything that there are lists of."""
    world = api.world
    world.jobs.create(job_factory(created_at=after(-9)))
    for number in range(3):
        world.jobs.create(job_factory(job_id=job_id(f"{number}"), created_at=after(-number)))
        world.tables.put_attempt(attempt_factory(id=attempt_id(scheduled_at=after(60 * number))))
        world.operations.create(
            operation_factory(
                operation_id=OperationId(job_id(f"operation {number}")), created_at=after(-number)
            )
        )
        calendar = calendar_factory(name=f"calendar-{number}")
        world.restrictions.put_calendar(TENANT, calendar, expected_version=None)
        freeze = freeze_factory(
            scope=FreezeScope(kind=FreezeKind.TAG, value=f"team={number}"), ends_at=after(7200)
        )
        world.restrictions.put_freeze(TENANT, freeze, now=NOW)
        made = dag((task("first"),), dag_id=dag_id_for_key(TENANT, f"{number}"))
        world.dags.create(made)
    world.dags.create(dag((task("first"),), dag_id=DAG))
    world.rules.put_rule(rule_factory(name="nightly"), expected_version=None, now=NOW)
    keep_sealed(world, TENANT, "2026-10")
    for number in range(3):
        add_dag_run(world, TENANT, DAG, f"{number}", DagRunStatus.OPENING)
    return api


def rows(api: Api, path: str, **query: object) -> Iterator[dict[str, Any]]:
    """Every row of every page."""
    cursor: dict[str, object] = {}
    while True:
        answer = api.send("GET", f"{path}?{urlencode({**query, **cursor})}")
        assert answer.status == 200, answer.body
        yield from answer.body["items"]
        if answer.body["next_cursor"] is None:
            return
        cursor = {"cursor": answer.body["next_cursor"]}


def refused(answer: Answer) -> tuple[int, list[tuple[str, str]]]:
    """Return the status and problems of a request."""
    return int(answer.status), answer.fields


@pytest.mark.parametrize("path", FILTERED, ids=lambda path: path.rpartition("/")[2])
def test_a_cursor_goes_on_with_the_filters_it_came_from(full: Api, path: str) -> None:
    """With others its place would be true of other rows: that is told, and not answered wrongly."""
    wanted, other = FILTERED[path]
    first = full.send("GET", f"{path}?{wanted}&limit=1")
    cursor = first.body["next_cursor"] or "00000000.x"
    again = full.send("GET", f"{path}?{wanted}&limit=2&cursor={cursor}")
    mixed = full.send("GET", f"{path}?{other}&limit=1&cursor={cursor}")

    assert first.status == 200
    assert first.body["next_cursor"] is None or again.status == 200
    assert refused(mixed) == (400, [("cursor", "cursor_of_other_filters")])


PAGED = sorted(
    route.path.replace("<job_id>", JOB_ID)
    .replace("<dag_id>", DAG)
    .replace("<rule>", "nightly")
    .replace("<month>", "2026-10")
    for route in ROUTES
    if route.query is not None
    and {"limit", "cursor"} <= route.query.model_fields.keys()
    and not route.of_stage
)


@pytest.mark.parametrize("path", PAGED)
def test_what_is_no_cursor_is_refused(full: Api, path: str) -> None:
    """In every list alike."""
    span = "from=2026-11-21T06:00:00Z&to=2026-11-21T08:00:00Z&" if "ledger" in path else ""
    for cursor in ("x", "abcdef01", "abcdef01.", ".x", "%00", "a" * 512):
        answer = full.send("GET", f"{path}?{span}cursor={cursor}")

        assert refused(answer) == (400, [("cursor", "invalid_cursor")])


#: Ledger and forecast have limits of their own.
OWN_LIMITS = ("ledger", "forecast")


@pytest.mark.parametrize("path", [path for path in PAGED if not path.endswith(OWN_LIMITS)])
def test_what_is_no_limit_is_refused(full: Api, path: str) -> None:
    """Both sides of the bounds, in every list alike."""
    asked = ("0", "1", "100", "101", "-1", "x", "1.5", "")
    told = [int(full.send("GET", f"{path}?limit={limit}").status) for limit in asked]

    assert told == [400, 200, 200, 400, 400, 400, 400, 400]


@pytest.mark.parametrize(
    "path",
    ["/v1/jobs", RUNS, "/v1/operations", "/v1/calendars", "/v1/freezes", "/v1/dags", DAG_RUNS],
)
def test_pages_add_up_to_the_list(full: Api, path: str) -> None:
    """Each row once, in the same order, at any length of pages; foreign cursors are refused."""
    whole = list(rows(full, path))
    first = full.send("GET", f"{path}?limit=1").body["next_cursor"]
    foreign = full.send("GET", f"{path}?cursor={first}", tenant=OTHER_TENANT)

    assert len(whole) >= 3
    assert list(rows(full, path, limit=1)) == whole
    assert list(rows(full, path, limit=2)) == whole
    assert foreign.status in {400, 404}


def test_runs_are_filtered_by_state_and_time(full: Api) -> None:
    """Both ends of the range are within; every criterion must hold."""
    ended = attempt_factory(id=attempt_id(scheduled_at=after(60)), state=RunState.SUCCEEDED)
    full.world.tables.put_attempt(ended)

    def found(**query: str) -> list[str]:
        return [each["scheduled_at"] for each in rows(full, RUNS, limit=1, **query)]

    instants = [rfc3339(after(60 * number)) for number in range(3)]
    assert found() == instants[::-1]
    assert found(state="queued") == [instants[2], instants[0]]
    assert found(state="succeeded", to=instants[0]) == []
    assert found(**{"from": instants[1], "to": instants[1]}) == [instants[1]]
    assert found(**{"from": instants[1], "state": "queued"}) == [instants[2]]


def test_operations_are_filtered_by_kind_and_status(full: Api) -> None:
    """Also those that ended long ago."""
    cancelled = operation_factory(
        operation_id=OperationId(job_id("cancel")),
        kind=OperationKind.CANCEL,
        status=OperationStatus.SUCCEEDED,
        ended_at=NOW,
        created_at=after(-99),
    )
    full.world.operations.create(cancelled)

    def found(**query: str) -> set[str]:
        return {each["operation_id"] for each in rows(full, "/v1/operations", limit=1, **query)}

    assert len(found()) == 4
    assert found(kind="cancel") == found(status="succeeded") == {cancelled.operation_id}
    assert found(kind="cancel", status="running") == set()
    assert len(found(kind="pause", status="running")) == 3


def test_dag_runs_are_filtered_by_status_and_time(full: Api) -> None:
    """By when they were started."""
    add_dag_run(full.world, TENANT, DAG, "failed", DagRunStatus.FAILED)

    def found(**query: str) -> list[str]:
        return [each["status"] for each in rows(full, DAG_RUNS, limit=1, **query)]

    assert sorted(found()) == ["failed", "opening", "opening", "opening"]
    assert found(status="failed") == ["failed"]
    assert found(to="2026-11-20T00:00:00Z") == []
    assert len(found(**{"from": "2026-11-20T00:00:00Z", "status": "opening"})) == 3


@pytest.mark.parametrize("path", [RUNS, DAG_RUNS, "/v1/dead-letters"])
def test_a_range_that_ends_before_it_starts_is_refused(full: Api, path: str) -> None:
    """By the same code everywhere; an instant is a range."""
    backwards = "from=2026-11-22T00:00:00Z&to=2026-11-21T00:00:00Z"
    instant = "from=2026-11-21T00:00:00Z&to=2026-11-21T00:00:00Z"

    assert refused(full.send("GET", f"{path}?{backwards}")) == (400, [("to", "range_reversed")])
    assert full.send("GET", f"{path}?{instant}").status == 200


def test_a_filter_that_nothing_matches_looks_at_a_bounded_part(full: Api) -> None:
    """The page is empty and not the last: a caller that goes on sees everything in the end."""
    for number in range(MAX_PAGES_READ + 3):
        full.world.tables.put_attempt(attempt_factory(id=attempt_id(scheduled_at=after(number))))
    first = full.send("GET", f"{RUNS}?state=failed&limit=1").body

    assert (first["items"], first["next_cursor"] is None) == ([], False)
    assert list(rows(full, RUNS, state="failed", limit=1)) == []


def test_what_is_deleted_between_pages_takes_no_other_with_it(full: Api) -> None:
    """Though the cursor points at it: a DAG leaves its list, a job the filter's."""
    dags = [each["dag_id"] for each in rows(full, "/v1/dags")]
    jobs = [each["job_id"] for each in rows(full, "/v1/jobs", status="active")]
    for path, ids in (("/v1/dags", dags), ("/v1/jobs", jobs)):
        query = f"{path}?status=active&limit=1"
        cursor = full.send("GET", query).body["next_cursor"]
        assert full.send("DELETE", f"{path}/{ids[0]}").status == 200
        rest = full.send("GET", f"{path}?status=active&cursor={cursor}").body["items"]

        assert [each[re.sub(r".*/(\w+)s$", r"\1_id", path)] for each in rest] == ids[1:]


def test_jobs_are_found_by_name(api: Api) -> None:
    """A whole name, or the beginning of one; a bulk change takes the same filter."""
    names = ("nightly report", "nightly load", "the nightly")
    for name in names:
        api.create(name=name)

    def found(name: str) -> list[str]:
        return [each["name"] for each in rows(api, "/v1/jobs", name=name)]

    paused = {"kind": "pause", "filter": {"name": "nightly*"}}
    assert sorted(found("nightly*")) == ["nightly load", "nightly report"]
    assert found("nightly load") == ["nightly load"]
    assert found("nightly") == []
    assert sorted(found("*")) == sorted(names)
    assert api.send("POST", "/v1/operations", paused).status == 202
    api.world.settle()
    assert sorted(each["name"] for each in rows(api, "/v1/jobs", status="paused")) == [
        "nightly load",
        "nightly report",
    ]
