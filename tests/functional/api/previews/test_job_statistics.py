"""Statistics of a job over HTTP: its recent runs in numbers, and its next instants."""

from datetime import timedelta
from typing import Any

import pytest

from tests.functional.api.jobs.test_failing_jobs import GONE
from tests.support.api import Api
from tests.support.factories import OTHER_TENANT
from timegate.usecases.previews import read_statistics

MINUTELY = {"kind": "rate", "every_seconds": 60}


def minutes(api: Api, *runs: tuple[int, bool]) -> None:
    """A minute for each run, which takes so many milliseconds and succeeds or not."""
    world = api.world
    for milliseconds, succeeds in runs:
        world.tick()
        world.stream()
        world.clock.advance(60)
        now, sent = world.clock.now(), world.publisher.sent
        due = {each.id for each in world.attempts() if each.due_at <= now}
        world.call_runner.takes = timedelta(milliseconds=milliseconds)
        if not succeeds:
            world.target.then(GONE)
        world.publisher.sent = [each for each in sent if each.message.attempt in due]
        world.execute(world.receive())
        world.publisher.sent += [each for each in sent if each.message.attempt not in due]


def statistics(api: Api, job_id: str) -> dict[str, Any]:
    """Return the job's statistics."""
    answer = api.send("GET", f"/v1/jobs/{job_id}/statistics")

    assert answer.status == 200
    return dict(answer.body)


@pytest.fixture
def job_id(api: Api) -> str:
    """A job that runs every minute from 07:01."""
    return str(api.create(schedule=MINUTELY)["job_id"])


def test_a_job_that_has_not_run_has_no_numbers(api: Api, job_id: str) -> None:
    """Its next instants are known. Runs that are planned ahead are none of its runs so far."""
    found = statistics(api, job_id)

    assert (found["runs"], found["is_partial"], found["runs_by_state"]) == (0, False, {})
    assert (found["last_run"], found["last_success"], found["streak"]) == (None, None, None)
    assert (found["duration_ms"], found["lateness_ms"]) == (None, None)
    assert [each["at"][11:16] for each in found["next_fires"]] == [
        *("07:01", "07:02", "07:03", "07:04", "07:05")
    ]
    assert {each["outcome"] for each in found["next_fires"]} == {"runs"}


def test_percentiles_are_of_successes_by_nearest_rank(api: Api, job_id: str) -> None:
    """The median of two is the shorter one; a failure's duration is not counted."""
    minutes(api, (100, True), (300, True), (900, False))
    found = statistics(api, job_id)

    assert found["runs_by_state"] == {"succeeded": 2, "failed": 1}
    assert found["duration_ms"] == {"count": 2, "p50": 100, "p95": 300, "max": 300}
    assert found["lateness_ms"]["count"] == 3


def test_the_last_run_and_the_last_success_are_by_their_instants(api: Api, job_id: str) -> None:
    """They may be one."""
    minutes(api, (1, True))
    first = statistics(api, job_id)
    minutes(api, (1, False))
    second = statistics(api, job_id)

    assert first["last_run"] == first["last_success"]
    assert second["last_run"]["state"] == "failed"
    assert second["last_run"]["scheduled_at"] == "2026-11-21T07:02:00.000Z"
    assert second["last_success"] == first["last_success"]
    assert second["last_success"]["run_id"].startswith(job_id)


def test_a_streak_ends_with_another_outcome(api: Api, job_id: str) -> None:
    """It counts from the first run of its outcome."""
    minutes(api, (1, False), (1, True), (1, True))
    streak = statistics(api, job_id)["streak"]
    minutes(api, (1, False))
    broken = statistics(api, job_id)["streak"]

    assert (streak["outcome"], streak["count"], streak["is_partial"]) == ("succeeded", 2, False)
    assert streak["since"] == "2026-11-21T07:02:00.000Z"
    assert (broken["outcome"], broken["count"]) == ("failed", 1)


def test_a_run_that_was_cancelled_is_passed_over(api: Api, job_id: str) -> None:
    """It neither goes on with a streak nor ends it."""
    minutes(api, (1, True))
    api.world.tick()
    api.world.stream()
    second = f"{job_id}.s20261121T070200000Z"
    assert api.send("POST", f"/v1/runs/{second}/cancel").status == 200
    api.world.clock.advance(60)
    minutes(api, (1, True))
    found = statistics(api, job_id)

    assert found["runs_by_state"] == {"succeeded": 2, "cancelled": 1}
    assert (found["streak"]["outcome"], found["streak"]["count"]) == ("succeeded", 2)


@pytest.mark.parametrize(("runs", "partial"), [(3, False), (4, True)])
def test_so_many_runs_are_read_and_no_more(
    api: Api, job_id: str, monkeypatch: pytest.MonkeyPatch, runs: int, partial: bool
) -> None:
    """A streak that goes back beyond them says so."""
    monkeypatch.setattr(read_statistics, "RECENT_RUNS", 3)
    minutes(api, *[(1, True)] * runs)
    found = statistics(api, job_id)

    assert (found["runs"], found["is_partial"]) == (3, partial)
    assert (found["streak"]["count"], found["streak"]["is_partial"]) == (3, partial)


def test_a_streak_within_the_runs_that_were_read_is_whole(
    api: Api, job_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its beginning is on record."""
    monkeypatch.setattr(read_statistics, "RECENT_RUNS", 3)
    minutes(api, (1, True), (1, True), (1, False), (1, True))
    found = statistics(api, job_id)

    assert found["is_partial"]
    assert (found["streak"]["count"], found["streak"]["is_partial"]) == (1, False)


def test_next_instants_say_what_calendars_make_of_them(api: Api) -> None:
    """An instant that is left out is shown as excluded."""
    api.send("PUT", "/v1/calendars/sundays", {"weekdays": ["sun"]})
    job = api.create(
        schedule={"kind": "cron", "cron": "0 9 * * *", "timezone": "UTC"},
        calendars=[{"calendar": "sundays", "mode": "exclude"}],
    )
    fires = statistics(api, job["job_id"])["next_fires"]

    assert [(each["at"][:10], each["outcome"]) for each in fires[:2]] == [
        ("2026-11-21", "runs"),
        ("2026-11-22", "excluded"),
    ]
    assert fires[1]["runs_at"] is None


def test_next_instants_end_with_the_last_place_of_max_runs(api: Api) -> None:
    """Runs that hold a place are counted by their records; one that is cancelled gives it back."""
    job = api.create(schedule=MINUTELY | {"max_runs": 3})
    shown = [[each["at"][11:16] for each in statistics(api, job["job_id"])["next_fires"]]]
    for _ in range(3):
        minutes(api, (1, True))
        found = statistics(api, job["job_id"])["next_fires"]
        shown.append([each["at"][11:16] for each in found])

    assert shown == [["07:01", "07:02", "07:03"], ["07:02", "07:03"], ["07:03"], []]


def test_a_run_that_gave_its_place_back_leaves_one_more_instant(api: Api) -> None:
    """It was cancelled before it began."""
    job = api.create(schedule=MINUTELY | {"max_runs": 3})
    api.world.tick()
    first = f"{job['job_id']}.s20261121T070100000Z"
    assert api.send("POST", f"/v1/runs/{first}/cancel").status == 200
    api.world.clock.advance(60)
    found = statistics(api, job["job_id"])["next_fires"]

    assert [each["at"][11:16] for each in found] == ["07:02", "07:03", "07:04"]


@pytest.mark.parametrize("end", ["pause", None])
def test_a_job_that_does_not_fire_has_no_next_instants(
    api: Api, job_id: str, end: str | None
) -> None:
    """Paused or cancelled; its past is still there."""
    minutes(api, (1, True))
    path = f"/v1/jobs/{job_id}"
    changed = api.send("DELETE", path) if end is None else api.send("POST", f"{path}/{end}")
    found = statistics(api, job_id)

    assert changed.status == 200
    assert found["next_fires"] == []
    assert found["last_success"] is not None


def test_no_caller_sees_another_tenants_numbers(api: Api, job_id: str) -> None:
    """The answer is that for an unknown id (S1)."""
    answer = api.send("GET", f"/v1/jobs/{job_id}/statistics", tenant=OTHER_TENANT)

    assert (answer.status, answer.code) == (404, "job_not_found")
