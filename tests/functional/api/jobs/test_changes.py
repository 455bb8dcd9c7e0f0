"""Updating, pausing, resuming and cancelling jobs."""

import pytest

from tests.support.api import Api, new_job
from timegate.domain.runs.run import Reason, RunState

SHARED = {"concurrency_key": "erp", "key_from": "/a"}
DAILY = {"kind": "cron", "cron": "0 7 * * *", "timezone": "UTC"}

#: Fields that follow from a payload or a schedule.
FOUND = {"payload_size_bytes", "next_run_at", "next_unplanned_at"}


def path_of(api: Api, **fields: object) -> str:
    """The path of a new job."""
    created = api.send("POST", "/v1/jobs", new_job(**fields))
    return f"/v1/jobs/{created.body['job_id']}"


def run_everything(api: Api) -> list[tuple[RunState, Reason | None]]:
    """Deliver every message there is at its time; how each run ended."""
    world = api.world
    world.stream()
    world.clock.advance(600)
    world.execute(world.receive())
    return [(attempt.state, attempt.reason) for attempt in world.attempts()]


@pytest.mark.parametrize(
    "change",
    [
        {"name": "renamed"},
        {"description": "What it is for.\nAnd why."},
        {"schedule": {"kind": "at", "at": "2026-12-24T17:00:00.000Z"}},
        {
            "action": {
                "type": "sqs",
                "queue_url": f"https://sqs.eu-west-1.amazonaws.com/{1:012}/timegate-target-x",
                "message_group_id": None,
            }
        },
        {"payload": [1, 2]},
        {"payload": "x" * 5000},
        {"priority": "critical"},
        {"resource_class": "long", "timeout_seconds": 840},
        {"precision": "subsecond"},
        {"catch_up": {"policy": "all", "limit": 7, "window_seconds": 60, "grace_seconds": 5}},
        {"overlap": {"policy": "queue", "max_concurrent": 2, **SHARED}},
        {"start_within_seconds": 90},
        {"tags": {"team": "ops"}},
        {"metadata": {"ticket": "A-1"}},
        {"name": "renamed", "tags": {}, "priority": "low"},
    ],
    ids="+".join,
)
def test_a_field_that_is_given_replaces_the_stored_one(api: Api, change: dict[str, object]) -> None:
    """The job gets a new version; every other field stays."""
    path = path_of(api, schedule=DAILY, tags={"old": "tag"}, payload={"old": True})
    before = api.send("GET", path).body
    api.world.clock.advance(1)
    answer = api.send("PATCH", path, change)
    after = api.send("GET", path)
    changed = {name for name in before if before[name] != after.body[name]}

    assert (answer.status, answer.headers["etag"]) == (200, '"2"')
    assert change.items() <= after.body.items()
    assert changed - FOUND == {*change, "version", "updated_at"}
    assert after.body["updated_at"] == "2026-11-21T07:00:01.000Z"


def test_null_removes_the_payload(api: Api) -> None:
    """Null is no payload."""
    path = path_of(api, payload={"old": True})
    answer = api.send("PATCH", path, {"payload": None})

    assert (answer.body["payload"], answer.body["payload_size_bytes"]) == (None, 0)


def test_null_removes_the_limit_of_lateness(api: Api) -> None:
    """And what a policy leaves out is its default, whatever was stored."""
    path = path_of(api, start_within_seconds=5, catch_up={"policy": "all", "window_seconds": 3})
    answer = api.send("PATCH", path, {"start_within_seconds": None, "catch_up": {"limit": 4}})

    assert answer.body["start_within_seconds"] is None
    assert answer.body["catch_up"] == {
        "policy": "all",
        "limit": 4,
        "window_seconds": 86_400,
        "grace_seconds": 60,
    }


@pytest.mark.parametrize("change", [{}, {"name": "send the report"}, {"tags": {}}])
def test_a_change_to_what_is_stored_already_is_none(api: Api, change: dict[str, object]) -> None:
    """Repeating a request does not count up versions."""
    path = path_of(api)
    answer = api.send("PATCH", path, change)

    assert (answer.status, answer.body["version"]) == (200, 1)


@pytest.mark.parametrize(
    ("method", "suffix", "body"),
    [
        ("PATCH", "", {"name": "renamed"}),
        ("DELETE", "", None),
        ("POST", "/pause", None),
        ("POST", "/resume", None),
    ],
)
def test_a_change_can_be_bound_to_a_version(
    api: Api, method: str, suffix: str, body: dict[str, object] | None
) -> None:
    """Another version is refused with 412 and untouched; its ETag, or a star, is accepted."""
    path = path_of(api)
    api.send("POST", f"{path}/pause")
    stale = api.send(method, path + suffix, body, If_Match='"1"')
    untouched = api.send("GET", path)
    fresh = api.send(method, path + suffix, body, If_Match=untouched.headers["etag"])

    assert (stale.status, stale.code) == (412, "version_mismatch")
    assert "version 2" in stale.body["detail"]
    assert untouched.body["version"] == 2
    assert fresh.status == 200
    assert api.send(method, path + suffix, body, If_Match="*").status == 200


def test_runs_that_a_new_schedule_does_not_name_never_execute(api: Api) -> None:
    """They were stored for the old version; the target hears nothing of them."""
    path = path_of(api, schedule={"kind": "delay", "delay_seconds": 300})
    api.world.tick()
    answer = api.send("PATCH", path, {"schedule": DAILY})

    assert answer.body["next_run_at"] == "2026-11-22T07:00:00.000Z"
    assert run_everything(api) == [(RunState.SKIPPED, Reason.SUPERSEDED)]
    assert api.world.target.calls == []


def test_runs_that_are_still_wanted_execute_as_the_new_version_says(api: Api) -> None:
    """An edit of the payload loses no run, and none runs with the old payload."""
    path = path_of(api, schedule={"kind": "delay", "delay_seconds": 300}, payload="old")
    api.world.tick()
    api.send("PATCH", path, {"payload": "new"})

    assert run_everything(api) == [(RunState.SUCCEEDED, None)]
    assert [call.payload for call in api.world.target.calls] == ['"new"']


def test_runs_of_a_paused_job_are_skipped(api: Api) -> None:
    """Pausing takes effect on what is queued already."""
    path = path_of(api, schedule={"kind": "delay", "delay_seconds": 300})
    api.world.tick()
    answer = api.send("POST", f"{path}/pause")

    assert (answer.body["status"], answer.body["next_run_at"]) == ("paused", None)
    assert run_everything(api) == [(RunState.SKIPPED, Reason.PAUSED)]


def test_runs_of_a_cancelled_job_are_cancelled(api: Api) -> None:
    """So is the job; it stays readable."""
    path = path_of(api, schedule={"kind": "delay", "delay_seconds": 300})
    api.world.tick()
    answer = api.send("DELETE", path)

    assert (answer.status, answer.body["status"]) == (200, "cancelled")
    assert run_everything(api) == [(RunState.CANCELLED, Reason.JOB_CANCELLED)]
    assert api.send("GET", path).body == answer.body


def test_a_paused_job_resumes_from_now(api: Api) -> None:
    """Missed instants are not caught up."""
    path = path_of(api, schedule=DAILY)
    api.send("POST", f"{path}/pause")
    api.world.clock.advance(3 * 86_400)
    answer = api.send("POST", f"{path}/resume")

    assert (answer.status, answer.body["status"]) == (200, "active")
    assert answer.body["next_run_at"] == "2026-11-25T07:00:00.000Z"


def test_a_pause_counts_a_job_that_was_to_end_soon(api: Api) -> None:
    """It stays until its owner decides; what goes on stays counted until it ends."""

    def used() -> int:
        return int(api.send("GET", "/v1/overview").body["usage"]["jobs"])

    path = path_of(api, schedule={"kind": "delay", "delay_seconds": 60})
    seen = [used()]
    for method, change in (("POST", f"{path}/pause"), ("POST", f"{path}/resume"), ("DELETE", path)):
        assert api.send(method, change).status == 200
        seen.append(used())

    assert seen == [0, 1, 1, 0]


def test_a_job_whose_instant_passed_while_it_was_paused_is_completed(api: Api) -> None:
    """Nothing is run late behind the owner's back."""
    path = path_of(api, schedule={"kind": "at", "at": "2026-11-21T08:00:00Z"})
    api.send("POST", f"{path}/pause")
    api.world.clock.advance(2 * 3600)
    answer = api.send("POST", f"{path}/resume")

    assert (answer.body["status"], answer.body["next_run_at"]) == ("completed", None)


@pytest.mark.parametrize(
    ("changes", "last"),
    [
        (["pause"], "pause"),
        (["pause", "resume"], "resume"),
        (["cancel"], "cancel"),
    ],
    ids=["pause", "resume", "cancel"],
)
def test_repeating_a_change_of_state_changes_nothing(
    api: Api, changes: list[str], last: str
) -> None:
    """The second answer is the first."""
    path = path_of(api)

    def send(change: str) -> dict[str, object]:
        method, suffix = ("DELETE", "") if change == "cancel" else ("POST", f"/{change}")
        answer = api.send(method, path + suffix)
        assert answer.status == 200
        body: dict[str, object] = answer.body
        return body

    *_, first = [send(change) for change in changes]

    assert send(last) == first


@pytest.mark.parametrize(
    ("method", "suffix", "body"),
    [
        ("PATCH", "", {"name": "x"}),
        ("POST", "/pause", None),
        ("POST", "/resume", None),
        ("POST", "/trigger", None),
    ],
)
def test_a_cancelled_job_can_only_be_read(
    api: Api, method: str, suffix: str, body: dict[str, object] | None
) -> None:
    """409; nothing brings it back."""
    path = path_of(api)
    api.send("DELETE", path)
    answer = api.send(method, path + suffix, body)

    assert (answer.status, answer.code) == (409, "job_cancelled")


@pytest.mark.parametrize("suffix", ["/pause", "/resume"])
def test_a_completed_job_has_nothing_to_pause(api: Api, suffix: str) -> None:
    """409; a new schedule revives it."""
    path = path_of(api, schedule={"kind": "immediate"})
    run_everything(api)
    api.world.stream()
    answer = api.send("POST", path + suffix)
    revived = api.send("PATCH", path, {"schedule": DAILY})

    assert (answer.status, answer.code) == (409, "job_completed")
    assert revived.body["status"] == "active"


def test_a_paused_job_takes_a_new_schedule_and_stays_paused(api: Api) -> None:
    """It fires when it is resumed, not because it was edited."""
    path = path_of(api)
    api.send("POST", f"{path}/pause")
    edited = api.send("PATCH", path, {"schedule": DAILY}).body
    resumed = api.send("POST", f"{path}/resume").body

    assert (edited["status"], edited["next_run_at"]) == ("paused", None)
    assert resumed["next_run_at"] == "2026-11-22T07:00:00.000Z"


def test_a_new_schedule_counts_from_when_it_was_given(api: Api) -> None:
    """Not from the creation of the job: nothing of the past fires again."""
    path = path_of(api, schedule=DAILY)
    api.world.clock.advance(10)
    answer = api.send("PATCH", path, {"schedule": {"kind": "rate", "every_seconds": 3600}})

    assert answer.body["next_run_at"] == "2026-11-21T08:00:10.000Z"


def test_the_schedule_that_is_stored_already_keeps_its_beat(api: Api) -> None:
    """A client that sends the whole job back to change its name does not move its runs."""
    hourly = {"kind": "rate", "every_seconds": 3600}
    path = path_of(api, schedule=hourly)
    api.world.clock.advance(10)
    answer = api.send("PATCH", path, {"name": "renamed", "schedule": hourly})

    assert (answer.body["name"], answer.body["version"]) == ("renamed", 2)
    assert answer.body["next_run_at"] == "2026-11-21T08:00:00.000Z"
