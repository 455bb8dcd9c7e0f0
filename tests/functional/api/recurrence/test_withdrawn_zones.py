"""A zone that the database has no more, or an older release does not have yet: its jobs' owners."""

import zoneinfo
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import pytest

from tests.support.api import Api
from timegate.domain.recurrence.fires import _next_fire
from timegate.domain.recurrence.zones import zone_clock

WITHDRAWN = "America/Godthab"
HOURLY = {"kind": "cron", "cron": "0 * * * *", "timezone": WITHDRAWN}


def _forget() -> None:
    zone_clock._window.cache_clear()
    _next_fire.cache_clear()


@pytest.fixture
def withdraw(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """Take the zone out of the database."""
    real = zoneinfo.ZoneInfo

    def without(name: str) -> zoneinfo.ZoneInfo:
        if name == WITHDRAWN:
            raise zoneinfo.ZoneInfoNotFoundError(name)
        return real(name)

    def withdrawn() -> None:
        monkeypatch.setattr(zoneinfo, "ZoneInfo", without)
        _forget()

    yield withdrawn
    _forget()


def test_its_owner_gives_the_job_another_zone(api: Api, withdraw: Callable[[], None]) -> None:
    """It runs by the new one from then on."""
    job_id = api.create(schedule=HOURLY)["job_id"]
    withdraw()
    api.world.clock.advance(2 * 3600)
    api.world.tick()
    schedule = HOURLY | {"timezone": "America/Nuuk"}
    changed = api.send("PATCH", f"/v1/jobs/{job_id}", {"schedule": schedule})

    assert changed.status == 200
    assert datetime.fromisoformat(changed.body["next_run_at"]) == datetime(
        2026, 11, 21, 10, tzinfo=UTC
    )


def test_its_owner_ends_the_job(api: Api, withdraw: Callable[[], None]) -> None:
    """Nothing is told of instants that no clock tells."""
    job_id = api.create(schedule=HOURLY)["job_id"]
    withdraw()

    assert api.send("DELETE", f"/v1/jobs/{job_id}").body["status"] == "cancelled"


def test_a_forecast_counts_the_others(api: Api, withdraw: Callable[[], None]) -> None:
    """It is one that cannot be read, as other damage is."""
    api.create(schedule=HOURLY)
    api.create(name="other", schedule=HOURLY | {"timezone": "Europe/Berlin"})
    withdraw()
    found = api.send("GET", "/v1/forecast?days=1")

    assert found.status == 200
    assert found.body["jobs"] == {"read": 2, "due": 1, "damaged": 1}


def test_a_refusal_names_no_zone_that_is_refused(api: Api, withdraw: Callable[[], None]) -> None:
    """The list of names may have it."""
    withdraw()
    refused = api.send("POST", "/v1/schedules/preview", {"schedule": HOURLY})

    assert refused.fields == [("schedule.timezone", "unknown_timezone")]
    assert "Write one such as Europe/Berlin." in refused.body["errors"][0]["detail"]
