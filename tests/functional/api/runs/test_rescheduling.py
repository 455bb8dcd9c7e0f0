"""Rescheduling a run over HTTP: what counts from its new instant, and what a race decides."""

from typing import Any
from unittest.mock import Mock

import pytest

from tests.support.api import Answer, Api
from timegate.domain.runs.run import Attempt

SOON = {"kind": "at", "at": "2026-11-21T07:01:30Z"}
NOON = "2026-11-21T12:00:00.000Z"


def run_of(api: Api, **fields: Any) -> str:  # noqa: ANN401 - as ``create``
    """The only run of a new job."""
    asked: dict[str, Any] = {"schedule": SOON} | fields
    job_id = api.create(**asked)["job_id"]
    (run,) = api.send("GET", f"/v1/jobs/{job_id}/runs").body["items"]
    return str(run["run_id"])


def reschedule(api: Api, run: str, **body: object) -> Answer:
    """Ask for another instant."""
    return api.send("POST", f"/v1/runs/{run}/reschedule", body)


def state(api: Api, run: str) -> str:
    """Return a run's state."""
    return str(api.send("GET", f"/v1/runs/{run}").body["state"])


def test_a_run_is_due_at_another_instant_and_keeps_its_own(api: Api) -> None:
    """The planner's message of before begins nothing, and the run begins once, at its new one."""
    run = run_of(api)
    moved = reschedule(api, run, at=NOON)
    api.world.clock.advance(120)
    api.world.settle()
    before = state(api, run)
    api.world.clock.advance(5 * 3600)
    api.world.sweep()
    api.world.settle()

    assert moved.status == 200
    assert (moved.body["run_id"], moved.body["scheduled_at"]) == (run, "2026-11-21T07:01:30.000Z")
    assert (moved.body["state"], moved.body["due_at"]) == ("waiting", NOON)
    assert moved.body["rescheduled_from"] == "2026-11-21T07:01:30.000Z"
    assert "A caller moved it: it was due at 2026-11-21T07:01:30.000Z." in moved.body["explanation"]
    assert (before, state(api, run)) == ("waiting", "succeeded")
    assert len(api.world.target.calls) == 1


def test_a_caller_who_loses_every_race_is_told_so(api: Api) -> None:
    """The run keeps its instant; the caller may try again."""
    run = run_of(api)
    api.world.runs.replace = Mock(return_value=False)  # type: ignore[method-assign]
    answer = reschedule(api, run, at=NOON)

    assert (answer.status, answer.code) == (409, "conflict")


def test_a_run_begins_earlier(api: Api) -> None:
    """Its first message finds that it has ended."""
    run = run_of(api)
    moved = reschedule(api, run, delay_seconds=10)
    api.world.clock.advance(10)
    api.world.settle()
    early = state(api, run)
    api.world.clock.advance(120)
    api.world.settle()

    assert (moved.body["state"], moved.body["due_at"]) == ("queued", "2026-11-21T07:00:10.000Z")
    assert (early, len(api.world.target.calls)) == ("succeeded", 1)


def test_start_limit_and_expiry_count_from_the_new_instant(api: Api) -> None:
    """A run that was moved for five hours is not five hours late."""
    run = run_of(api, start_within_seconds=60)
    reschedule(api, run, at=NOON)
    job_id = api.create(schedule={"kind": "manual"})["job_id"]
    body = {"delay_seconds": 60, "expires_after_seconds": 60}
    triggered = api.send("POST", f"/v1/jobs/{job_id}/trigger", body).body["run_id"]
    moved = reschedule(api, triggered, at=NOON)
    api.world.clock.advance(5 * 3600)
    api.world.sweep()
    api.world.settle()

    assert moved.body["expires_at"] is None
    assert (state(api, run), state(api, triggered)) == ("succeeded", "succeeded")


def test_it_is_repeated_and_moved_again_without_harm(api: Api) -> None:
    """``rescheduled_from`` stays the instant of the first due time."""
    run = run_of(api)
    first, second = reschedule(api, run, at=NOON), reschedule(api, run, at=NOON)
    third = reschedule(api, run, at="2026-11-22T12:00:00Z")

    assert first.body == second.body
    assert third.body["rescheduled_from"] == first.body["rescheduled_from"]
    assert third.body["due_at"] == "2026-11-22T12:00:00.000Z"


def test_the_audit_trail_says_who_moved_it_from_where_to_where(api: Api) -> None:
    """An entry for each move."""
    run = run_of(api)
    reschedule(api, run, at=NOON)
    (entry,) = [
        each
        for each in api.send("GET", f"/v1/audit?resource=run/{run}").body["items"]
        if each["operation"] == "rescheduleRun"
    ]
    changes = {each["field"]: each for each in entry["changes"]}

    assert changes["due_at"]["before"] == "2026-11-21T07:01:30.000Z"
    assert changes["due_at"]["after"] == NOON


@pytest.mark.parametrize(
    ("body", "field", "code"),
    [
        ({}, "at", "missing"),
        ({"at": NOON, "delay_seconds": 1}, "delay_seconds", None),
        ({"at": "2026-11-21T06:59:59Z"}, "at", "in_the_past"),
        ({"at": "2028-01-01T00:00:00Z"}, "at", "out_of_range"),
        ({"delay_seconds": -1}, "delay_seconds", None),
    ],
)
def test_an_instant_that_is_none_is_refused(
    api: Api, body: dict[str, object], field: str, code: str | None
) -> None:
    """One of both, and not in the past."""
    answer = reschedule(api, run_of(api), **body)
    (error,) = answer.body["errors"]

    assert (answer.status, error["field"]) == (400, field)
    assert code in {None, error["code"]}


def test_a_run_that_has_ended_is_not_moved(api: Api) -> None:
    """Nor is one that no job has."""
    run = run_of(api, schedule={"kind": "immediate"})
    api.world.settle()
    answer = reschedule(api, run, at=NOON)

    assert (answer.status, answer.body["code"]) == (409, "run_finished")
    assert reschedule(api, f"{'a' * 26}.s20261121T070000000Z", at=NOON).status == 404


def test_a_worker_that_is_faster_keeps_the_run(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """A claim came between the read and the write, which changes nothing then."""
    run = run_of(api)
    runs = api.world.runs
    attempts = runs.attempts
    raced: list[Attempt] = []

    def claimed_meanwhile(*asked: object) -> tuple[Attempt, ...]:
        read = attempts(*asked)  # type: ignore[arg-type]
        if not raced:
            raced.append(read[-1])
            api.world.clock.advance(90)
            api.world.settle()
        return read

    monkeypatch.setattr(runs, "attempts", claimed_meanwhile)
    answer = reschedule(api, run, at=NOON)

    assert [each.state for each in raced] == ["queued"]
    assert (answer.status, answer.body["code"]) == (409, "run_finished")
    assert len(api.world.target.calls) == 1


def test_a_freeze_holds_a_moved_run_back_as_any_other(api: Api) -> None:
    """It is judged anew at its new instant."""
    run = run_of(api)
    span = {"starts_at": "2026-11-21T11:00:00Z", "ends_at": "2026-11-21T13:00:00Z"}
    frozen = api.send("POST", "/v1/freezes", {"scope": {"kind": "tenant"}, **span})
    reschedule(api, run, at=NOON)
    api.world.clock.advance(5 * 3600)
    api.world.sweep()
    api.world.settle()

    assert frozen.status == 201, frozen.body
    assert state(api, run) == "waiting"
