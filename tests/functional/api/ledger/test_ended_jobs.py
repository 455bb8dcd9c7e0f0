"""A job that has used up its ``max_runs``: a backfill makes no earlier instant a missed one."""

import pytest

from tests.support.api import Api
from timegate.domain.jobs.retry import Failure, FailureKind

AT = "2026-11-21T07:{:02}:00Z"


@pytest.fixture
def ended(api: Api) -> str:
    """A job of every minute whose one run was that of 07:01, and one that was backfilled."""
    job_id = str(
        api.create(schedule={"kind": "rate", "every_seconds": 60, "max_runs": 1})["job_id"]
    )
    for _ in range(10):
        api.world.clock.advance(60)
        api.world.tick()
        api.world.settle()
    asked = {"from": AT.format(7), "to": AT.format(7)}
    assert api.send("POST", f"/v1/jobs/{job_id}/backfill", asked).status == 202
    api.world.settle()
    return job_id


def verdict(api: Api, job_id: str, minute: int) -> str:
    """Explain an instant."""
    answer = api.send("GET", f"/v1/jobs/{job_id}/explain?at={AT.format(minute)}")
    return str(answer.body["verdict"])


def test_an_instant_before_a_backfilled_one_is_explained_by_max_runs(api: Api, ended: str) -> None:
    """Its explanation said that it was missed, or that its record was lost."""
    found = [verdict(api, ended, minute) for minute in (1, 2, 6, 7, 8)]

    assert found == ["run", "ended", "ended", "run", "ended"]


def test_a_backfilled_run_that_is_tried_again_is_a_backfills(api: Api, ended: str) -> None:
    """An operator, or the job's own policy, makes no planned run of it."""
    run_id = f"{ended}.s20261121T070700000Z"
    failed = Failure(kind=FailureKind.RETRYABLE, code="http_503", type="HttpStatus", message="-")
    asked = {"from": AT.format(7), "to": AT.format(7), "reprocess": "all"}
    api.world.target.then(*[failed] * 3)
    api.send("POST", f"/v1/jobs/{ended}/backfill", asked)
    for _ in range(5):
        api.world.settle()
        api.world.clock.advance(400)
        api.world.sweep()
    again = api.send("POST", f"/v1/runs/{run_id}/redrive")
    api.world.settle()

    assert again.status == 202
    assert api.send("GET", f"/v1/runs/{run_id}").body["attempt"] == 5
    assert verdict(api, ended, 6) == "ended"


def test_an_audit_behind_a_backfill_finds_nothing(api: Api, ended: str) -> None:
    """It took the instants between the two runs for missed ones, and rang an alarm."""
    audited = api.world.audit()

    assert (audited.jobs, audited.unaccounted) == (1, 0)


def test_a_planned_run_that_was_lost_is_found_still(api: Api, ended: str) -> None:
    """The first instant has no run on record, and a backfill opens no other for it."""
    (lost,) = [each for each in api.world.attempts() if each.operation is None]
    api.world.lose(lost)

    assert api.world.audit().unaccounted == 1


@pytest.mark.parametrize("action", ["skip", "defer"])
def test_instants_that_calendars_leave_out_take_no_place(api: Api, action: str) -> None:
    """The explanation of a planned instant said that earlier runs take all places; then it ran."""
    closed = {"start": AT.format(10), "end": AT.format(29)}
    api.send("PUT", "/v1/calendars/closed", {"timezone": "UTC", "periods": [closed]})
    job_id = str(
        api.create(
            schedule={"kind": "cron", "cron": "*/10 * * * *", "max_runs": 2},
            calendars=[{"calendar": "closed", "action": action}],
        )["job_id"]
    )
    before = [verdict(api, job_id, minute) for minute in (10, 20, 30, 40, 50)]
    for _ in range(50):
        api.world.clock.advance(60)
        api.world.tick()
        api.world.settle()
    found = [verdict(api, job_id, minute) for minute in (10, 20, 30, 40, 50)]

    if action == "skip":
        assert before == ["excluded", "excluded", "planned", "planned", "ended"]
        assert found == ["gap", "gap", "run", "run", "ended"]
    else:
        # That of 07:20 runs at 07:29, and takes a place.
        assert before == ["excluded", "planned", "planned", "ended", "ended"]
        assert found == ["gap", "run", "run", "ended", "ended"]


def test_a_run_that_a_calendar_leaves_out_by_now_gives_its_place_to_a_later_instant(
    api: Api,
) -> None:
    """``max_runs`` counts executions: an edit of the calendar moves where the schedule ends."""
    api.send("PUT", "/v1/calendars/closed", {"windows": [{"opens": "03:00", "closes": "04:00"}]})
    bounded = {"kind": "rate", "every_seconds": 60, "max_runs": 3}
    path = f"/v1/jobs/{api.create(schedule=bounded, calendars=[{'calendar': 'closed'}])['job_id']}"
    api.world.tick()

    def verdicts() -> list[str]:
        asked = [f"{path}/explain?at=2026-11-21T07:0{minute}:00Z" for minute in range(4, 7)]
        return [api.send("GET", each).body["verdict"] for each in asked]

    before = verdicts()
    api.send("PUT", "/v1/calendars/closed", {"windows": [{"opens": "07:02", "closes": "07:04"}]})
    after = verdicts()
    api.world.clock.advance(600)
    api.world.sweep()
    api.world.settle()
    api.world.tick()
    api.world.settle()

    assert before == ["ended", "ended", "ended"]
    assert after == ["planned", "planned", "ended"]
    assert verdicts() == ["run", "run", "ended"]
