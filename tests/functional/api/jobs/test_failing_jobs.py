"""Jobs that failures pause, over HTTP: asked for, refused, paused, shown and resumed."""

from typing import Any

import pytest

from tests.support.api import Api, new_job
from tests.support.execution.telling import ALERTS, documents
from timegate.domain.jobs.retry import Failure, FailureKind

MINUTELY = {"kind": "rate", "every_seconds": 60}
ONCE = {"kind": "immediate"}
HOOK = {"url": ALERTS, "on": ["paused"]}
GONE = Failure(kind=FailureKind.PERMANENT, code="http_410", type="HttpStatus", message="gone")


def failing(api: Api, **fields: Any) -> str:  # noqa: ANN401 - a job's
    """The path of a job that its second failure in a row pauses, with runs planned ahead."""
    job = api.create(schedule=MINUTELY, pause_after_failures=2, notifications=[HOOK], **fields)
    return f"/v1/jobs/{job['job_id']}"


def minutes(api: Api, *outcomes: Failure | None) -> None:
    """A minute for each outcome of a run; ``None``: it succeeds."""
    world = api.world
    for outcome in outcomes:
        world.tick()
        world.stream()
        world.clock.advance(60)
        now, sent = world.clock.now(), world.publisher.sent
        due = {each.id for each in world.attempts() if each.due_at <= now}
        if outcome is not None:
            world.target.then(outcome)
        world.publisher.sent = [each for each in sent if each.message.attempt in due]
        world.execute(world.receive())
        later = [each for each in sent if each.message.attempt not in due]
        for _ in range(3):
            # The notification of a pause is published by then, and sent.
            world.stream()
            world.execute(world.receive())
        world.publisher.sent += later


def test_a_job_says_how_many_failures_pause_it(api: Api) -> None:
    """Given, left as it is by other changes, changed and taken back."""
    job = api.create(schedule=MINUTELY, pause_after_failures=3)
    path = f"/v1/jobs/{job['job_id']}"
    renamed = api.send("PATCH", path, {"name": "other"}).body
    changed = api.send("PATCH", path, {"pause_after_failures": 1000}).body
    dropped = api.send("PATCH", path, {"pause_after_failures": None}).body

    assert (job["pause_after_failures"], job["auto_pause"]) == (3, None)
    assert renamed["pause_after_failures"] == 3
    assert changed["pause_after_failures"] == 1000
    assert dropped["pause_after_failures"] is None


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        pytest.param({"pause_after_failures": 0}, "too_small", id="none"),
        pytest.param({"pause_after_failures": 1001}, "too_large", id="too-many"),
        pytest.param({"pause_after_failures": "3"}, "wrong_type", id="text"),
        pytest.param(
            {"pause_after_failures": 3, "schedule": ONCE}, "not_for_this_schedule", id="once"
        ),
    ],
)
def test_what_names_no_row_of_failures_is_refused(
    api: Api, fields: dict[str, Any], code: str
) -> None:
    """With a code that stays."""
    answer = api.send("POST", "/v1/jobs", new_job(**fields))

    assert (answer.status, answer.fields) == (400, [("pause_after_failures", code)])


def test_a_schedule_that_repeats_no_more_is_refused(api: Api) -> None:
    """And so is the field for a job that runs once."""
    repeating = api.create(schedule=MINUTELY, pause_after_failures=3)
    once = api.create(schedule={"kind": "delay", "delay_seconds": 600})
    answers = [
        api.send("PATCH", f"/v1/jobs/{repeating['job_id']}", {"schedule": ONCE}),
        api.send("PATCH", f"/v1/jobs/{once['job_id']}", {"pause_after_failures": 3}),
    ]

    for answer in answers:
        found = (answer.status, answer.fields)
        assert found == (400, [("pause_after_failures", "not_for_this_schedule")])


def test_a_hook_of_pauses_needs_one(api: Api) -> None:
    """The field cannot be dropped while a web hook is to hear of it."""
    job = api.create(schedule=MINUTELY, pause_after_failures=3, notifications=[HOOK])
    answers = [
        api.send("POST", "/v1/jobs", new_job(notifications=[HOOK])),
        api.send("PATCH", f"/v1/jobs/{job['job_id']}", {"pause_after_failures": None}),
    ]

    for answer in answers:
        assert (answer.status, answer.fields) == (400, [("notifications.0.on", "never_paused")])


def test_a_failing_job_is_paused_and_says_why(api: Api) -> None:
    """By its record, its runs, ``explain``, the trail and the hook."""
    path = failing(api)
    minutes(api, GONE, GONE, None, None)
    job = api.send("GET", path).body
    pause = job["auto_pause"]
    entry = api.send("GET", f"{path}/audit").body["items"][0]
    runs = api.send("GET", f"{path}/runs").body["items"]
    skipped = [each for each in runs if each["state"] == "skipped"]
    planned = api.send("GET", f"{path}/explain?at={skipped[0]['scheduled_at']}").body
    later = api.send("GET", f"{path}/explain?at=2026-11-21T09:00:00Z").body

    assert (job["status"], job["next_run_at"]) == ("paused", None)
    assert pause == {
        "by": "timegate",
        "reason": "failures",
        "at": pause["at"],
        "failures": 2,
        "run_id": pause["run_id"],
        "on_trial": False,
    }
    assert (entry["actor"]["subject"], entry["operation"]) == ("timegate", "outcomes.pause")
    assert {each["reason"] for each in skipped} == {"paused"}
    cause = f"at {pause['at']}, after 2 failed runs in a row."
    assert f"Timegate paused the job {cause}" in planned["explanation"]
    assert f"Timegate paused it {cause}" in later["explanation"]
    assert [each["type"] for each in documents(api.world)] == ["job.paused"]


def test_a_resumed_job_is_on_trial(api: Api) -> None:
    """One failure pauses it again; a success makes failures count anew."""
    path = failing(api)
    minutes(api, GONE, GONE)
    resumed = api.send("POST", f"{path}/resume").body
    minutes(api, GONE, None)
    again = api.send("GET", path).body
    api.send("POST", f"{path}/resume")
    minutes(api, None)
    passed = api.send("GET", path).body
    minutes(api, GONE)
    counting = api.send("GET", path).body
    minutes(api, GONE)

    assert (resumed["status"], resumed["auto_pause"]["on_trial"]) == ("active", True)
    assert again["status"] == "paused"
    assert again["auto_pause"]["on_trial"] is False
    assert (passed["status"], passed["auto_pause"]) == ("active", None)
    assert counting["status"] == "active"
    assert api.send("GET", path).body["status"] == "paused"
    assert len(documents(api.world)) == 3


def test_a_bulk_resumption_tries_as_well(api: Api) -> None:
    """It resumes as a caller does."""
    path = failing(api)
    minutes(api, GONE, GONE)
    body = {"kind": "resume", "filter": {"all": True}}
    api.send("POST", "/v1/operations", body, Idempotency_Key="resume")
    api.world.operate()

    assert api.send("GET", path).body["auto_pause"]["on_trial"] is True
