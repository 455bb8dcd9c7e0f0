"""Jobs that used up their ``max_runs``, and are given another schedule."""

from datetime import datetime

import pytest

from tests.support.api import Api

MINUTELY = {"kind": "rate", "every_seconds": 60}
HALF_HOURLY = {"schedule": {"kind": "cron", "cron": "0,30 * * * *"}}


def live(api: Api, minutes: int) -> None:
    """Planner, executors and sweeper, minute by minute."""
    for _ in range(minutes):
        api.world.clock.advance(60.0)
        api.world.tick()
        api.world.settle()
        api.world.sweep()
        api.world.settle()


def gaps(api: Api, job_id: str) -> list[tuple[str, str, int, str]]:
    """The gaps of its ledger."""
    path = f"/v1/jobs/{job_id}/ledger?from=2026-11-21T07:00:00Z&to=2026-11-21T09:00:00Z"
    items = api.send("GET", path).body["items"]
    return [
        (each["first"][11:16], each["last"][11:16], each["count"], each["reason"])
        for each in items
        if each["kind"] == "gap"
    ]


@pytest.mark.parametrize(
    ("ends_at", "gap"),
    [
        (None, ("07:04", "07:10", 7, "max_runs")),
        ("2026-11-21T07:05:00Z", ("07:04", "07:05", 2, "max_runs")),
    ],
)
def test_instants_that_max_runs_left_out_keep_their_reason(
    api: Api, ends_at: str | None, gap: tuple[str, str, int, str]
) -> None:
    """Nothing else tells of them once another schedule answers; the auditor found them lost."""
    job_id = api.create(schedule=MINUTELY | {"max_runs": 3, "ends_at": ends_at})["job_id"]
    live(api, 5)
    assert api.send("GET", f"/v1/jobs/{job_id}").body["status"] == "completed"
    api.world.clock.advance(300.0)
    changed = api.send("PATCH", f"/v1/jobs/{job_id}", HALF_HOURLY)
    live(api, 30)
    api.world.audit()
    told = api.send("GET", f"/v1/jobs/{job_id}/explain?at=2026-11-21T07:05:00Z").body

    assert (changed.status, gaps(api, job_id)) == (200, [gap])
    assert (told["verdict"], told["record"]["reason"]) == ("gap", "max_runs")
    assert api.world.telemetry.named("audit_finding") == []


def test_a_run_by_hand_covers_its_own_instant_alone(api: Api) -> None:
    """A backfill of the completed job is later than instants that have no record."""
    job_id = api.create(schedule=MINUTELY | {"max_runs": 3})["job_id"]
    live(api, 8)
    filled = {"from": "2026-11-21T07:06:00Z", "to": "2026-11-21T07:06:30Z"}
    assert api.send("POST", f"/v1/jobs/{job_id}/backfill", filled).status == 202
    live(api, 2)
    api.send("PATCH", f"/v1/jobs/{job_id}", HALF_HOURLY)

    assert gaps(api, job_id) == [
        ("07:04", "07:05", 2, "max_runs"),
        ("07:07", "07:10", 4, "max_runs"),
    ]


def test_a_job_that_had_used_up_its_schedule_leaves_none(api: Api) -> None:
    """An end that the schedule names itself leaves no instant behind."""
    job_id = api.create(schedule=MINUTELY | {"max_runs": 3, "ends_at": "2026-11-21T07:03:00Z"})[
        "job_id"
    ]
    live(api, 5)
    changed = api.send("PATCH", f"/v1/jobs/{job_id}", HALF_HOURLY)

    assert datetime.fromisoformat(changed.body["next_run_at"]).minute == 30
    assert gaps(api, job_id) == []
