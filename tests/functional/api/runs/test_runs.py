"""Triggering jobs; listing, reading and cancelling runs."""

from datetime import timedelta

import pytest

from tests.support.api import Api
from timegate.domain.jobs.retry import Failure, FailureKind

DAILY = {"kind": "cron", "cron": "0 7 * * *"}
BROKEN = Failure(kind=FailureKind.RETRYABLE, code="http_503", type="HttpStatus", message="busy")

#: How far a run has come that is queued.
#: Computed from the run that a trigger at seven makes.
TRACE = "2044e4c2cdb3c1cd242c89a89f4255a0"
QUEUED = {
    "attempt": 1,
    "state": "queued",
    "due_at": "2026-11-21T07:00:00.000Z",
    "rescheduled_from": None,
    "rate_limited": None,
    "started_at": None,
    "ended_at": None,
    "lateness_ms": None,
    "duration_ms": None,
    "error": None,
    "reason": None,
    "explanation": "It is queued, and starts when it is due and a worker is free.",
    "cancel_requested": False,
    "replaced_by": None,
    "dag_run_id": None,
    "progress": None,
    "checkpoint": None,
    "slices": None,
    "finish_by": None,
    "trace_id": TRACE,
}
#: Fields that only an attempt has.
UNCLAIMED = {
    "timeline": {
        "planned_at": "2026-11-21T07:00:00.000Z",
        "published_at": None,
        "received_at": None,
        "claimed_at": None,
        "started_at": None,
        "ended_at": None,
    },
    "worker": None,
    "fence": 0,
    "handed_over_at": None,
    "result": None,
    "releases": 0,
    "duplicates_prevented": 0,
    "payload_corrected": False,
    "resolution": None,
}
#: Published when it was due, received 250 ms later, and worked for 182 ms.
WORKED = {
    "planned_at": "2026-11-21T07:00:00.000Z",
    "published_at": "2026-11-21T07:00:00.000Z",
    "received_at": "2026-11-21T07:00:00.250Z",
    "claimed_at": "2026-11-21T07:00:00.250Z",
    "started_at": "2026-11-21T07:00:00.250Z",
    "ended_at": "2026-11-21T07:00:00.432Z",
}


def trigger(api: Api, job_id: str | None = None) -> str:
    """The id of a run that was triggered, of a new job unless one is given."""
    job_id = job_id or api.create(schedule=DAILY)["job_id"]
    return str(api.send("POST", f"/v1/jobs/{job_id}/trigger").body["run_id"])


def execute(api: Api) -> None:
    """Deliver what was published; each call takes 182 ms."""
    api.world.stream()
    api.world.call_runner.takes = timedelta(milliseconds=182)
    api.world.execute(api.world.receive())


def test_a_trigger_is_a_run_due_now_and_published(api: Api) -> None:
    """202: it has begun, and can be followed at its own path."""
    job_id = api.create(schedule=DAILY, priority="high", resource_class="long")["job_id"]
    answer = api.send("POST", f"/v1/jobs/{job_id}/trigger")
    run_id = f"{job_id}.t20261121T070000000Z"
    assert answer.status == 202
    assert answer.headers["location"] == f"/v1/runs/{run_id}"
    assert answer.body == {
        "run_id": run_id,
        "job_id": job_id,
        "scheduled_at": "2026-11-21T07:00:00.000Z",
        "origin": "trigger",
        "priority": "high",
        "tags": {},
        "expires_at": None,
        "concurrency_key": None,
        "payload_from": "job",
        "payload": None,
        "payload_size_bytes": None,
        "operation_id": None,
        "triggered_by": None,
        "matched_event": None,
        "collapse": None,
        **QUEUED,
        "duplicates_prevented": 0,
        "attempts": [{**QUEUED, **UNCLAIMED}],
        "triggered": [],
        "message": None,
    }
    assert [sent.message.queue_key for sent in api.world.publisher.sent] == ["high-long"]
    assert api.send("GET", f"/v1/runs/{run_id}").body == answer.body


def test_a_trigger_leaves_the_schedule_alone(api: Api) -> None:
    """Neither its next instant nor its version moves."""
    created = api.create(schedule={**DAILY, "max_runs": 1})
    trigger(api, created["job_id"])
    execute(api)

    assert api.send("GET", f"/v1/jobs/{created['job_id']}").body == created


def test_a_paused_job_can_be_triggered(api: Api) -> None:
    """Pausing stops the schedule, not its owner."""
    job_id = api.create(schedule=DAILY)["job_id"]
    api.send("POST", f"/v1/jobs/{job_id}/pause")
    run_id = trigger(api, job_id)
    execute(api)

    assert api.send("GET", f"/v1/runs/{run_id}").body["state"] == "succeeded"


def test_a_run_shows_every_attempt_with_its_times_and_error(api: Api) -> None:
    """A retry is a new record beside the one that failed."""
    retry = {"initial_delay_seconds": 2, "jitter": False}
    job_id = api.create(schedule=DAILY, retry=retry)["job_id"]
    api.world.target.then(BROKEN)
    run_id = trigger(api, job_id)
    api.world.clock.advance(0.25)
    execute(api)
    execute(api)
    run = api.send("GET", f"/v1/runs/{run_id}").body
    first, second = run["attempts"]

    assert (run["state"], run["attempt"]) == ("succeeded", 2)
    assert first == {
        "attempt": 1,
        "state": "failed",
        "due_at": "2026-11-21T07:00:00.000Z",
        "rescheduled_from": None,
        "rate_limited": None,
        "started_at": "2026-11-21T07:00:00.250Z",
        "ended_at": "2026-11-21T07:00:00.432Z",
        "lateness_ms": 250,
        "duration_ms": 182,
        "error": {"code": "http_503", "type": "HttpStatus", "message": "busy"},
        "reason": "retried",
        "explanation": "attempt 1 of 3, next at 2026-11-21T07:00:02.432Z",
        "cancel_requested": False,
        "replaced_by": None,
        **dict.fromkeys(["progress", "checkpoint", "slices", "dag_run_id", "finish_by"]),
        "trace_id": TRACE,
        "worker": "worker-1",
        "fence": 1,
        "timeline": WORKED,
        **{name: UNCLAIMED[name] for name in UNCLAIMED.keys() - {"worker", "fence", "timeline"}},
    }
    assert (second["due_at"], second["state"]) == ("2026-11-21T07:00:02.432Z", "succeeded")
    assert second["result"] == "ok"


def test_runs_are_listed_latest_first_page_by_page(api: Api) -> None:
    """Scheduled and triggered ones together, each once, as its last attempt shows it."""
    job_id = api.create(schedule={"kind": "rate", "every_seconds": 120, "max_runs": 3})["job_id"]
    trigger(api, job_id)
    execute(api)
    path = f"/v1/jobs/{job_id}/runs"
    first = api.send("GET", f"{path}?limit=3").body
    second = api.send("GET", f"{path}?limit=3&cursor={first['next_cursor']}").body

    assert [run["scheduled_at"][11:16] for run in first["items"]] == ["07:06", "07:04", "07:02"]
    assert [(run["origin"], run["state"]) for run in second["items"]] == [("trigger", "succeeded")]
    assert second["next_cursor"] is None
    assert "attempts" not in second["items"][0]


def test_a_job_that_never_ran_has_an_empty_history(api: Api) -> None:
    """That is not the same as no job."""
    job_id = api.create(schedule=DAILY)["job_id"]
    answer = api.send("GET", f"/v1/jobs/{job_id}/runs")

    assert answer.status == 200
    assert answer.body == {
        "items": [],
        "damaged": {"count": 0, "run_ids": []},
        "next_cursor": None,
    }


def test_a_queued_run_is_cancelled_at_once(api: Api) -> None:
    """Its message finds nothing to do; cancelling again changes nothing."""
    run_id = trigger(api)
    first = api.send("POST", f"/v1/runs/{run_id}/cancel")
    execute(api)
    second = api.send("POST", f"/v1/runs/{run_id}/cancel")

    assert (first.status, first.body["state"]) == (200, "cancelled")
    assert first.body["reason"] == "cancel_requested"
    assert second.body == first.body
    assert api.world.target.calls == []


def test_a_run_under_way_is_asked_to_stop(api: Api) -> None:
    """It is cancelled at its worker's next heartbeat; until then it says what is wanted."""
    run_id = trigger(api)
    world = api.world
    original = world.target.invoke
    asked = []

    def cancel_meanwhile(call: object) -> object:
        asked.append(api.send("POST", f"/v1/runs/{run_id}/cancel"))
        return original(call)  # type: ignore[arg-type]

    world.target.invoke = cancel_meanwhile  # type: ignore[assignment, method-assign]
    world.call_runner.takes = None
    world.execute(world.receive())
    run = api.send("GET", f"/v1/runs/{run_id}").body

    assert (asked[0].status, asked[0].body["state"]) == (200, "running")
    assert asked[0].body["cancel_requested"] is True
    assert (run["state"], run["reason"]) == ("cancelled", "cancel_requested")


def test_a_run_that_has_ended_cannot_be_cancelled(api: Api) -> None:
    """409: what happened happened."""
    run_id = trigger(api)
    execute(api)
    answer = api.send("POST", f"/v1/runs/{run_id}/cancel")

    assert (answer.status, answer.code) == (409, "run_finished")


@pytest.mark.parametrize("milliseconds", [0, 1])
def test_triggers_of_one_millisecond_are_one_run(api: Api, milliseconds: int) -> None:
    """A trigger whose answer was lost meets itself; a millisecond later it is another."""
    job_id = api.create(schedule=DAILY)["job_id"]
    first = trigger(api, job_id)
    api.world.clock.advance(milliseconds / 1000)
    second = trigger(api, job_id)

    assert (first == second) == (milliseconds == 0)
