"""Cancelling pending runs by filter over HTTP: which are meant, and which are left alone."""

from typing import Any

import pytest

from tests.support.api import Api
from tests.support.factories import OTHER_TENANT
from tests.unit.usecases.operations.test_bulk_under_faults import dies_in

SOON = {"kind": "at", "at": "2026-11-21T07:02:00Z"}


def job(api: Api, name: str, runs: int = 0, **fields: Any) -> str:  # noqa: ANN401 - as ``create``
    """A job that is triggered so many times for an hour from now; its id."""
    asked: dict[str, Any] = {"schedule": {"kind": "manual"}, "name": name} | fields
    job_id = str(api.create(**asked)["job_id"])
    if runs:
        triggers = [{"delay_seconds": 3600, "payload": number} for number in range(runs)]
        path = f"/v1/jobs/{job_id}/trigger/batch"
        assert api.send("POST", path, {"triggers": triggers}).body["failed"] == 0
    return job_id


def cancel(api: Api, **wanted: object) -> dict[str, Any]:
    """The operation, once it has ended."""
    started = api.send("POST", "/v1/runs/cancel", {"filter": wanted})
    assert started.status == 202, started.body
    api.world.settle()
    found = api.send("GET", f"/v1/operations/{started.body['operation_id']}").body
    assert isinstance(found, dict)
    return found


def states(api: Api, job_id: str) -> list[str]:
    """Return the states of a job's runs."""
    return [row["state"] for row in api.send("GET", f"/v1/jobs/{job_id}/runs").body["items"]]


def test_pending_runs_of_a_job_are_cancelled(api: Api) -> None:
    """Other jobs' runs wait on; progress and parameters are recorded."""
    mine, other = job(api, "nightly", runs=3), job(api, "hourly", runs=2)
    operation = cancel(api, job_id=mine)

    assert (operation["kind"], operation["status"]) == ("cancel_runs", "succeeded")
    assert operation["counts"]["done"] == operation["counts"]["matched"] == 3
    assert operation["parameters"]["filter"]["job_id"] == mine
    assert states(api, mine) == ["cancelled"] * 3
    assert states(api, other) == ["waiting"] * 2


@pytest.mark.parametrize(
    "wanted", [{"name": "nightly*"}, {"tags": {"team": "a"}}, {"job_id": "key:mine"}], ids=str
)
def test_jobs_are_named_by_name_tag_and_key(api: Api, wanted: dict[str, object]) -> None:
    """Each filter cancels its job's runs alone; the job in between is passed over."""
    mine = job(api, "nightly load", runs=2, tags={"team": "a"}, key="mine")
    other = job(api, "hourly", runs=1)
    operation = cancel(api, **wanted)

    assert operation["counts"]["done"] == 2
    assert (states(api, mine), states(api, other)) == (["cancelled"] * 2, ["waiting"])


def test_all_of_many_jobs_and_runs_are_cancelled(api: Api) -> None:
    """More than are read at once, and more jobs than a step looks at."""
    many = job(api, "many", runs=130)
    others = [job(api, f"one {number}", runs=number % 2) for number in range(25)]
    operation = cancel(api, all=True)

    assert operation["counts"]["done"] == 130 + 12
    page = api.send("GET", f"/v1/jobs/{many}/runs?limit=100&state=waiting").body
    assert page["items"] == []
    assert {state for each in others for state in states(api, each)} == {"cancelled"}


def test_a_run_that_came_after_the_request_is_left_alone(api: Api) -> None:
    """Its trigger was accepted once the caller had asked to cancel those that waited."""
    mine = job(api, "nightly", runs=1)
    api.send("POST", "/v1/runs/cancel", {"filter": {"job_id": mine}})
    api.world.clock.advance(1)
    api.send("POST", f"/v1/jobs/{mine}/trigger", {"delay_seconds": 3600})
    api.world.settle()

    assert sorted(states(api, mine)) == ["cancelled", "waiting"]


def test_runs_that_a_step_cancelled_before_it_died_are_counted(api: Api) -> None:
    """A caller cancels the operation before the step is repeated."""
    mine = job(api, "nightly", runs=3)
    started = api.send("POST", "/v1/runs/cancel", {"filter": {"job_id": mine}}).body
    dies_in(api.world.operations, "advance", 2, before=True)
    with pytest.raises(KeyboardInterrupt):
        api.world.settle()
    path = f"/v1/operations/{started['operation_id']}"
    api.send("POST", f"{path}/cancel")
    api.world.settle()
    operation = api.send("GET", path).body

    assert states(api, mine) == ["cancelled"] * 3
    assert operation["status"] == "cancelled"
    assert operation["counts"]["done"] == operation["counts"]["matched"] == 3


def test_what_has_begun_or_ended_stays_as_it_is(api: Api) -> None:
    """Only runs that wait are meant."""
    done = job(api, "done", schedule={"kind": "immediate"})
    api.world.settle()
    operation = cancel(api, job_id=done)

    assert operation["counts"] == operation["counts"] | {"matched": 0, "done": 0}
    assert states(api, done) == ["succeeded"]


def test_runs_of_other_instants_are_left_alone(api: Api) -> None:
    """Both bounds are included; runs of more than a week before are meant by ``from`` alone."""
    mine = job(api, "nightly", schedule=SOON)
    api.send("POST", f"/v1/jobs/{mine}/trigger", {"delay_seconds": 3600})
    operation = cancel(api, job_id=mine, to="2026-11-21T07:02:00Z")

    assert operation["counts"]["done"] == 1
    assert states(api, mine) == ["waiting", "cancelled"]


def test_another_tenants_runs_are_never_meant(api: Api) -> None:
    """Also by an id of theirs (S1)."""
    theirs = job(api, "nightly", runs=1)
    started = api.send("POST", "/v1/runs/cancel", {"filter": {"all": True}}, tenant=OTHER_TENANT)
    named = api.send("POST", "/v1/runs/cancel", {"filter": {"job_id": theirs}}, tenant=OTHER_TENANT)
    api.world.settle()

    assert (started.status, named.status) == (202, 202)
    assert states(api, theirs) == ["waiting"]


@pytest.mark.parametrize(
    ("wanted", "field", "code"),
    [
        ({}, "filter", "empty_filter"),
        ({"to": "2026-11-22T00:00:00Z"}, "filter", "empty_filter"),
        ({"all": True, "name": "x"}, "filter.all", "contradicts_filter"),
        ({"job_id": "key:x", "name": "x"}, "filter.job_id", "contradicts_filter"),
    ],
)
def test_a_filter_that_names_no_jobs_or_too_many_is_refused(
    api: Api, wanted: dict[str, object], field: str, code: str
) -> None:
    """A forgotten criterion does not cancel everything."""
    answer = api.send("POST", "/v1/runs/cancel", {"filter": wanted})
    (error,) = answer.body["errors"]

    assert (answer.status, error["field"], error["code"]) == (400, field, code)


def test_each_run_is_in_the_audit_trail(api: Api) -> None:
    """On behalf of the caller who started it."""
    mine = job(api, "nightly", runs=1)
    cancel(api, job_id=mine)
    (run,) = api.send("GET", f"/v1/jobs/{mine}/runs").body["items"]
    trail = api.send("GET", f"/v1/audit?resource=run/{run['run_id']}").body["items"]

    assert "bulk.cancel_runs" in [entry["operation"] for entry in trail]
