"""New rules of a zone that reach the stage after an instant was stored as a job's next one."""

import zoneinfo
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.api import Api
from timegate.domain.recurrence.zones import zone_clock

ZONE = "Asia/Almaty"
#: 20:00 on the clock of five hours ahead of UTC is 15:00; an hour is taken from or added to it.
STORED, EARLIER, LATER = "T15:00:00.000Z", "T14:00:00.000Z", "T16:00:00.000Z"


@pytest.fixture(autouse=True)
def zones() -> Iterator[None]:
    """Other tests read the zone as it is."""
    yield
    zone_clock._window.cache_clear()


def has_clock_of(monkeypatch: pytest.MonkeyPatch, other: str) -> None:
    """The database says of the zone what it says of another one."""
    real = zoneinfo.ZoneInfo
    monkeypatch.setattr(zoneinfo, "ZoneInfo", lambda name: real(other if name == ZONE else name))
    zone_clock._window.cache_clear()


def a_day_later(api: Api, job_id: str) -> tuple[list[Any], Any]:
    """The ledger of a day of ticks, and the job's next instant."""
    for _ in range(24 * 60 // 5):
        api.world.clock.advance(300)
        api.world.tick()
        api.world.settle()
    query = "from=2026-11-21T00:00:00Z&to=2026-11-22T12:00:00Z"
    rows = api.send("GET", f"/v1/jobs/{job_id}/ledger?{query}").body["items"]
    told = [(each.get("instant") or each["first"], each["kind"], each["reason"]) for each in rows]
    return told, api.send("GET", f"/v1/jobs/{job_id}").body["next_run_at"]


def a_job(api: Api, cron: str, policy: str) -> str:
    """A job on the clock of the zone, whose next instant is stored."""
    schedule = {"kind": "cron", "cron": cron, "timezone": ZONE}
    job = api.create(schedule=schedule, catch_up={"policy": policy})

    assert job["next_run_at"] == f"2026-11-21{STORED}"
    return str(job["job_id"])


@pytest.mark.parametrize(
    ("policy", "row"),
    [("skip", ("gap", "missed_window")), ("latest", ("run", None))],
)
@pytest.mark.parametrize("cron", ["0 20 21 * *", "0 20 * * *"])
def test_an_instant_that_moved_earlier_is_caught_up_or_on_record(
    api: Api, monkeypatch: pytest.MonkeyPatch, cron: str, policy: str, row: tuple[str, str | None]
) -> None:
    """It has passed when the planner comes to the stored one; the next one is by the new rules."""
    job_id = a_job(api, cron, policy)
    has_clock_of(monkeypatch, "Etc/GMT-6")
    rows, next_run_at = a_day_later(api, job_id)
    month = "2026-12-21" if cron.startswith("0 20 21") else "2026-11-22"

    assert rows == [(f"2026-11-21{EARLIER}", *row)]
    assert next_run_at == f"{month}{EARLIER}"


def test_an_instant_that_moved_later_runs_then(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, and not at the stored one."""
    job_id = a_job(api, "0 20 21 * *", "skip")
    has_clock_of(monkeypatch, "Etc/GMT-4")
    rows, next_run_at = a_day_later(api, job_id)

    assert rows == [(f"2026-11-21{LATER}", "run", None)]
    assert next_run_at == f"2026-12-21{LATER}"


def test_both_instants_of_a_day_move(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """The stored one and those behind it; none of them runs twice."""
    job_id = a_job(api, "0,30 20 21 * *", "all")
    has_clock_of(monkeypatch, "Etc/GMT-6")
    rows, _ = a_day_later(api, job_id)

    assert rows == [
        (f"2026-11-21{EARLIER}", "run", None),
        ("2026-11-21T14:30:00.000Z", "run", None),
    ]
