"""Rescheduling pending runs by filter over HTTP: which are moved, to when, and how often."""

from typing import Any

import pytest

from tests.functional.api.operations.test_many_cancels import job, states
from tests.support.api import Api
from tests.support.factories import TENANT
from tests.support.pools.worker_requests import claim, offer
from tests.unit.usecases.operations.test_bulk_under_faults import dies_in
from timegate.domain.values.identity import JobId

AT = "2026-11-21T12:00:00.000Z"


def move(api: Api, **asked: object) -> dict[str, Any]:
    """The operation, once it has ended."""
    started = api.send("POST", "/v1/runs/reschedule", asked)
    assert started.status == 202, started.body
    api.world.settle()
    found = api.send("GET", f"/v1/operations/{started.body['operation_id']}").body
    assert isinstance(found, dict)
    return found


def due(api: Api, job_id: str) -> list[str]:
    """Return the instants at which a job's runs are due."""
    return [row["due_at"] for row in api.send("GET", f"/v1/jobs/{job_id}/runs").body["items"]]


def test_pending_runs_of_a_job_are_moved(api: Api) -> None:
    """Other jobs' runs stay; progress, filter and instant are recorded."""
    mine, other = job(api, "nightly", runs=3), job(api, "hourly", runs=1)
    before = due(api, other)
    operation = move(api, filter={"name": "nightly"}, at=AT)

    assert (operation["kind"], operation["status"]) == ("reschedule_runs", "succeeded")
    assert operation["counts"] == operation["counts"] | {"matched": 3, "done": 3, "unchanged": 0}
    parameters = operation["parameters"]
    assert (parameters["at"], parameters["spread_seconds"]) == (AT, 0)
    assert parameters["filter"]["name"] == "nightly"
    assert (due(api, mine), due(api, other)) == ([AT] * 3, before)
    assert states(api, mine) == ["waiting"] * 3


def test_a_delay_counts_from_the_request(api: Api) -> None:
    """All are due at one instant, however long the operation takes."""
    mine = job(api, "nightly", runs=2)
    operation = move(api, filter={"job_id": mine}, delay_seconds=7200)

    assert operation["parameters"]["at"] == "2026-11-21T09:00:00.000Z"
    assert due(api, mine) == ["2026-11-21T09:00:00.000Z"] * 2


def test_runs_are_spread_over_a_span(api: Api) -> None:
    """Each has an instant of its own, none before the first nor behind the span."""
    mine = job(api, "nightly", runs=40)
    move(api, filter={"job_id": mine}, at=AT, spread_seconds=60)
    instants = due(api, mine)

    assert len(set(instants)) > 30
    assert min(instants) >= AT
    assert max(instants) <= "2026-11-21T12:01:00.000Z"


def test_a_run_that_is_due_then_already_is_unchanged(api: Api) -> None:
    """It was not moved: nothing was done."""
    mine = job(api, "nightly", schedule={"kind": "at", "at": "2026-11-21T07:02:00Z"})
    operation = move(api, filter={"job_id": mine}, at="2026-11-21T07:02:00Z")

    assert operation["counts"] == operation["counts"] | {"matched": 1, "done": 0, "unchanged": 1}


def test_an_instant_that_passes_before_the_step_is_due_at_once(api: Api) -> None:
    """The first step waits until the index shows what was there: runs start then."""
    mine = job(api, "nightly", runs=2)
    operation = move(api, filter={"job_id": mine}, delay_seconds=0)

    assert operation["counts"]["done"] == 2
    assert due(api, mine) == ["2026-11-21T07:00:00.000Z"] * 2
    assert states(api, mine) == ["succeeded"] * 2


@pytest.mark.parametrize("is_cancelled", [True, False], ids=["cancelled", "repeated"])
def test_runs_that_a_step_moved_before_it_died_are_counted(api: Api, *, is_cancelled: bool) -> None:
    """Repeated or called off: they were moved once, to their own instants of the span."""
    mine = job(api, "nightly", runs=3)
    asked = {"filter": {"job_id": mine}, "at": AT, "spread_seconds": 600}
    started = api.send("POST", "/v1/runs/reschedule", asked).body
    dies_in(api.world.operations, "advance", 2, before=True)
    with pytest.raises(KeyboardInterrupt):
        api.world.settle()
    moved = due(api, mine)
    path = f"/v1/operations/{started['operation_id']}"
    if is_cancelled:
        api.send("POST", f"{path}/cancel")
    # The stream shows the record again.
    api.world.read_operations -= 1
    api.world.settle()
    operation = api.send("GET", path).body

    assert due(api, mine) == moved
    assert operation["status"] == ("cancelled" if is_cancelled else "succeeded")
    assert operation["counts"]["done"] == operation["counts"]["matched"] == 3


def test_a_run_that_is_moved_leaves_the_line_for_slots(api: Api) -> None:
    """No worker reads it there; the ones behind it stay."""
    overlap = {"policy": "queue", "max_concurrent": 1, "concurrency_key": "books"}
    offered = [offer(api, name=name, overlap=overlap) for name in "abc"]
    (held,) = claim(api, max=5)
    first, second = (each for each in offered if each != held["job_id"])
    assert line(api, first) == {first, second}
    move(api, filter={"job_id": first}, at=AT)

    assert line(api, first) == {second}


def line(api: Api, job_id: str) -> set[str]:
    """Jobs whose runs wait in the line of a job."""
    key = api.world.jobs.get(TENANT, JobId(job_id)).slot_key
    assert key is not None
    waiters = api.world.slots.look(key, now=api.world.clock.now(), most=9).waiters
    return {each.attempt.run.job_id for each in waiters}


def test_what_has_begun_or_ended_stays_as_it_is(api: Api) -> None:
    """Only runs that wait are meant."""
    done = job(api, "done", schedule={"kind": "immediate"})
    api.world.settle()
    operation = move(api, filter={"job_id": done}, at=AT)

    assert operation["counts"] == operation["counts"] | {"matched": 0, "done": 0}
    assert states(api, done) == ["succeeded"]


@pytest.mark.parametrize(
    ("asked", "field", "code"),
    [
        ({"filter": {"all": True}}, "at", "missing"),
        ({"filter": {"all": True}, "at": AT, "delay_seconds": 1}, "delay_seconds", "contradictory"),
        ({"filter": {"all": True}, "at": "2026-11-21T06:59:59Z"}, "at", "in_the_past"),
        ({"filter": {}, "at": AT}, "filter", "empty_filter"),
        ({"filter": {"all": True}, "at": AT, "spread_seconds": 86401}, "spread_seconds", None),
    ],
)
def test_a_request_that_leaves_runs_or_instant_open_is_refused(
    api: Api, asked: dict[str, object], field: str, code: str | None
) -> None:
    """Nothing is started."""
    answer = api.send("POST", "/v1/runs/reschedule", asked)
    (error,) = answer.body["errors"]

    assert (answer.status, error["field"]) == (400, field)
    assert code in {None, error["code"]}


def test_a_repeated_request_starts_nothing(api: Api) -> None:
    """The key names the operation, also where a delay counts from another instant."""
    mine = job(api, "nightly", runs=1)
    asked = {"filter": {"job_id": mine}, "delay_seconds": 3600}
    first = api.send("POST", "/v1/runs/reschedule", asked, Idempotency_Key="k")
    api.world.clock.advance(5)
    second = api.send("POST", "/v1/runs/reschedule", asked, Idempotency_Key="k")

    assert (first.status, second.status) == (202, 200)
    assert first.body["operation_id"] == second.body["operation_id"]


def test_each_run_is_in_the_audit_trail(api: Api) -> None:
    """On behalf of the caller who started it."""
    mine = job(api, "nightly", runs=1)
    move(api, filter={"job_id": mine}, at=AT)
    (run,) = api.send("GET", f"/v1/jobs/{mine}/runs").body["items"]
    trail = api.send("GET", f"/v1/audit?resource=run/{run['run_id']}").body["items"]

    assert "bulk.reschedule_runs" in [entry["operation"] for entry in trail]
