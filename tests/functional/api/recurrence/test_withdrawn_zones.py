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


@pytest.mark.parametrize("seconds", [0, 1795, 7200], ids=["ahead", "soon", "past"])
def test_its_tenant_sees_and_changes_all_jobs(
    api: Api, withdraw: Callable[[], None], seconds: int
) -> None:
    """One such job refused the list of all, and a change that was stored was told as refused."""
    deadline = {"time": "23:00"}
    job_id = api.create(schedule=HOURLY, finish_by=deadline)["job_id"]
    withdraw()
    api.world.clock.advance(1800 + seconds)
    listed = api.send("GET", "/v1/jobs")
    changed = api.send("PATCH", f"/v1/jobs/{job_id}", {"name": "renamed"})

    assert [each["job_id"] for each in listed.body["items"]] == [job_id]
    assert (changed.status, changed.body["name"]) == (200, "renamed")
    assert changed.body["next_run_at"] == "2026-11-21T08:00:00.000Z"
    assert api.send("GET", f"/v1/jobs/{job_id}").body["version"] == 2
    assert api.send("GET", f"/v1/jobs/{job_id}/statistics").body["next_fires"] == []


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "explain?at=2026-11-21T09:30:00Z", None),
        ("POST", "resume", {}),
        ("POST", "resume", {"catch_up": True}),
        ("POST", "preview", {"schedule": HOURLY | {"timezone": "America/Nuuk"}}),
        ("POST", "backfill", {"from": "2026-11-21T07:30:00Z", "to": "2026-11-21T08:30:00Z"}),
    ],
)
def test_its_owner_is_told_what_to_do(
    api: Api, withdraw: Callable[[], None], method: str, path: str, body: dict[str, object] | None
) -> None:
    """No clock tells the instants that these need: the request is no wrong one."""
    union = {"kind": "union", "any_of": [HOURLY, {"kind": "rate", "every_seconds": 3000}]}
    job_id = api.create(schedule=union)["job_id"]
    if path == "resume":
        api.send("POST", f"/v1/jobs/{job_id}/pause")
    withdraw()
    api.world.clock.advance(2 * 3600)
    refused = api.send(method, f"/v1/jobs/{job_id}/{path}", body)

    assert (refused.status, refused.body["code"]) == (409, "timezone_withdrawn")
    assert refused.body["detail"] == (
        f"Job {job_id}: Its time zone America/Godthab is no longer in the database of time zones,"
        " so that no clock tells its instants. Give it a schedule in another zone, or cancel it."
    )
    if path == "resume":
        assert api.send("GET", f"/v1/jobs/{job_id}").body["status"] == "paused"


def test_a_simulation_names_the_job_that_it_cannot_take_up(
    api: Api, withdraw: Callable[[], None]
) -> None:
    """Other scenarios of the tenant are simulated."""
    job_id = api.create(schedule=HOURLY)["job_id"]
    withdraw()
    asked = {"job_id": job_id, "from": "2026-11-21T08:00:00Z", "to": "2026-11-22T00:00:00Z"}
    refused = api.send("POST", "/v1/simulate", asked)

    assert refused.fields == [("job_id", "timezone_withdrawn")]


def test_a_run_on_record_is_explained(api: Api, withdraw: Callable[[], None]) -> None:
    """It needs no clock, nor do its deadline and payload, as far as they are known."""
    job_id = api.create(
        schedule=HOURLY,
        finish_by={"time": "23:00"},
        payload={"day": "{{date}}"},
        payload_marks={},
    )["job_id"]
    api.world.clock.advance(55 * 60)
    api.world.tick()
    withdraw()
    path = f"/v1/jobs/{job_id}/explain?at=2026-11-21T08:00:00Z"
    found, filled = api.send("GET", path), api.send("GET", f"{path}&filled=true")

    assert (found.status, found.body["verdict"]) == (200, "run")
    assert found.body["nearest"] == {"before": None, "after": None}
    assert (filled.status, filled.body["payload"]) == (200, None)
