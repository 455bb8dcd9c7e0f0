"""The next run of a job, as answers show it."""

import pytest

from tests.support.api import Api


@pytest.mark.parametrize(
    ("schedule", "seconds", "following", "unplanned"),
    [
        ({"kind": "rate", "every_seconds": 60}, 59, "07:01:00", "07:11:00"),
        ({"kind": "rate", "every_seconds": 60}, 60, "07:02:00", "07:11:00"),
        ({"kind": "cron", "cron": "5 7 * * *"}, 0, "07:05:00", "07:05:00"),
        ({"kind": "at", "at": "2026-11-21T07:01:00Z"}, 0, "07:01:00", None),
    ],
)
def test_the_next_run_is_the_next_instant_and_not_the_first_unplanned_one(
    api: Api, schedule: dict[str, object], seconds: float, following: str, unplanned: str | None
) -> None:
    """Runs that are stored ahead are still to come, in a list as well; no store is asked for it."""
    created = api.create(schedule=schedule)
    api.world.clock.advance(seconds)
    job = api.send("GET", f"/v1/jobs/{created['job_id']}").body
    (row,) = api.send("GET", "/v1/jobs").body["items"]

    assert row["next_run_at"] == job["next_run_at"] == f"2026-11-21T{following}.000Z"
    assert job["next_unplanned_at"] == (unplanned and f"2026-11-21T{unplanned}.000Z")
