"""Jobs of kind ``manual``: triggers and other jobs start their runs, and none ends them."""

from typing import Any

import pytest

from tests.support.api import Api, new_job

MANUAL = {"kind": "manual"}
MINUTELY = {"kind": "rate", "every_seconds": 60}
#: Later than every look of planner and auditor.
DAYS = 5 * 86_400


@pytest.fixture
def path(api: Api) -> str:
    """The path of a manual job."""
    return f"/v1/jobs/{api.create(schedule=MANUAL)['job_id']}"


def live(api: Api, seconds: float) -> None:
    """Let time pass, with a tick of each clock at the end."""
    api.world.clock.advance(seconds)
    api.world.tick()
    api.world.sweep()
    api.world.audit()
    api.world.settle()


def standing(api: Api, path: str) -> tuple[str, str | None]:
    """The status of a job, and its next run."""
    job = api.send("GET", path).body
    return job["status"], job["next_run_at"]


def runs(api: Api, path: str) -> list[Any]:
    """The runs on record."""
    items: list[Any] = api.send("GET", f"{path}/runs").body["items"]
    return items


def test_a_manual_job_waits_without_an_instant(api: Api, path: str) -> None:
    """However long: nothing is planned, nothing is missed, and it stays active."""
    live(api, DAYS)
    whole = "from=2026-11-20T00:00:00Z&to=2026-12-20T00:00:00Z"
    ledger = api.send("GET", f"{path}/ledger?{whole}").body

    assert api.send("GET", path).body["schedule"] == MANUAL
    assert standing(api, path) == ("active", None)
    assert runs(api, path) == []
    assert ledger["items"] == []
    assert api.world.telemetry.named("audit_finding") == []


def test_each_trigger_is_a_run_and_none_is_the_last(api: Api, path: str) -> None:
    """A job of another kind without instants is completed by the end of a run."""
    for _ in range(2):
        api.send("POST", f"{path}/trigger")
        live(api, DAYS)

    assert [run["state"] for run in runs(api, path)] == ["succeeded", "succeeded"]
    assert standing(api, path) == ("active", None)


def test_a_manual_job_follows_another_one(api: Api, path: str) -> None:
    """The end of the other job's run starts it."""
    follower = path.rpartition("/")[2]
    then = [{"job_id": follower, "on": ["succeeded"]}]
    api.create(schedule={"kind": "immediate"}, then=then)
    live(api, 60)

    assert [run["state"] for run in runs(api, path)] == ["succeeded"]
    assert standing(api, path) == ("active", None)


@pytest.mark.parametrize("catch_up", [False, True], ids=["from-now", "catch-up"])
def test_a_paused_manual_job_is_active_once_resumed(api: Api, path: str, *, catch_up: bool) -> None:
    """A pause skips no instant of it, so there is none to catch up."""
    api.send("POST", f"{path}/pause")
    live(api, DAYS)
    resumed = api.send("POST", f"{path}/resume", {"catch_up": catch_up}).body
    live(api, DAYS)

    assert (resumed["status"], resumed["next_run_at"]) == ("active", None)
    assert standing(api, path) == ("active", None)
    assert runs(api, path) == []


@pytest.mark.parametrize("held", [False, True], ids=["active", "paused"])
def test_a_schedule_may_become_manual_and_the_reverse(api: Api, *, held: bool) -> None:
    """Runs that were planned ahead are superseded; the new schedule starts its own."""
    path = f"/v1/jobs/{api.create(schedule=MINUTELY)['job_id']}"
    api.world.tick()
    if held:
        api.send("POST", f"{path}/pause")
    by_hand = api.send("PATCH", path, {"schedule": MANUAL})
    live(api, 600)
    states = {run["state"] for run in runs(api, path)}
    if held:
        api.send("POST", f"{path}/resume", {"catch_up": True})
    by_rate = api.send("PATCH", path, {"schedule": MINUTELY})

    assert (by_hand.status, by_hand.body["next_run_at"]) == (200, None)
    assert states <= {"skipped"}
    assert (by_rate.status, by_rate.body["status"]) == (200, "active")
    assert by_rate.body["next_run_at"] is not None


def test_a_last_run_does_not_end_a_job_that_became_manual(api: Api) -> None:
    """The run of the instant that it had named ends after the change."""
    at = {"kind": "at", "at": "2026-11-21T07:00:00Z"}
    path = f"/v1/jobs/{api.create(schedule=at)['job_id']}"
    api.send("PATCH", path, {"schedule": MANUAL})
    live(api, 600)

    assert standing(api, path) == ("active", None)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("starts_at", "2026-12-01T00:00:00Z"),
        ("max_runs", 3),
        ("jitter_seconds", 5),
        ("timezone", "Europe/Berlin"),
        ("at", "2026-12-01T00:00:00Z"),
    ],
)
def test_a_manual_schedule_has_no_other_field(api: Api, field: str, value: object) -> None:
    """Each says when, and a manual job has no when."""
    answer = api.send("POST", "/v1/jobs", new_job(schedule=MANUAL | {field: value}))

    assert (answer.status, answer.fields) == (400, [(f"schedule.{field}", "unknown_field")])


def test_a_manual_schedule_is_no_member_of_a_union(api: Api) -> None:
    """It adds no instant."""
    union = {"kind": "union", "any_of": [MINUTELY, MANUAL]}
    answer = api.send("POST", "/v1/jobs", new_job(schedule=union))

    assert (answer.status, answer.fields[0]) == (400, ("schedule.any_of.1.kind", "invalid_choice"))


def test_a_preview_of_a_manual_schedule_is_empty(api: Api) -> None:
    """With the schedule in words."""
    answer = api.send("POST", "/v1/schedules/preview", {"schedule": MANUAL})

    assert (answer.status, answer.body["fires"]) == (200, [])
    assert answer.body["description"] == "Only when it is triggered, or follows another job"


def test_a_simulated_manual_job_has_no_run(api: Api, path: str) -> None:
    """A month of it is empty."""
    asked = {"from": "2026-11-21T07:00:00Z", "to": "2026-12-21T07:00:00Z"}
    answer = api.send("POST", "/v1/simulate", asked | {"job_id": path.rpartition("/")[2]})

    assert (answer.status, answer.body["rows"]) == (200, [])


def test_jobs_are_listed_by_the_kind(api: Api, path: str) -> None:
    """The filter knows it."""
    api.create(schedule=MINUTELY)
    listed = api.send("GET", "/v1/jobs?kind=manual").body["items"]

    assert [f"/v1/jobs/{job['job_id']}" for job in listed] == [path]


def test_an_instant_is_explained(api: Api, path: str) -> None:
    """The schedule does not name it."""
    answer = api.send("GET", f"{path}/explain?at=2026-11-22T07:00:00Z")

    assert (answer.status, answer.body["verdict"]) == (200, "not_named")
