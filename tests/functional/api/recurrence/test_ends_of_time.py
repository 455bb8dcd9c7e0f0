"""Schedules at the ends of time: refused where arithmetic would leave it, else as any other."""

from typing import Any

import pytest

from tests.support.api import Answer, Api, new_job

#: Outside the years 1970 to 9000, in UTC.
BEYOND = [
    *("0001-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00", "1969-12-31T23:59:59.999Z"),
    *("9001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "9999-12-31T23:59:60-14:00"),
]
FIRST, LAST = "1970-01-01T00:00:00Z", "9000-12-31T23:59:59Z"
#: The clocks that are the farthest ahead and behind.
ZONES = ["Pacific/Kiritimati", "Pacific/Niue"]
#: The longest ones to earlier and to later days.
ROLLS = ["next", "previous"]
CLOSED: dict[str, Any] = {
    "weekdays": ["sat", "sun"],
    "days": [{"first": "1970-01-01"}, {"first": "9000-12-31"}],
}
SPANS = [(FIRST, "1970-01-03T00:00:00Z"), ("9000-12-29T00:00:00Z", LAST)]


def recurring(zone: str) -> dict[str, dict[str, Any]]:
    """A schedule of each kind that has bounds."""
    daily = {"kind": "cron", "cron": "0 9 * * *", "timezone": zone}
    hourly = {"kind": "rate", "every_seconds": 3600}
    return {
        "cron": daily,
        "interval": {"kind": "cron", "cron": "0 * * * *", "timezone": zone},
        "rate": hourly,
        "rrule": {"kind": "rrule", "rrule": "FREQ=DAILY;BYHOUR=9", "timezone": zone},
        "union": {"kind": "union", "any_of": [daily, hourly]},
    }


def sent(api: Api, method: str, path: str, body: dict[str, Any] | None = None) -> Answer:
    """An answer, asked for slowly enough for every rate limit."""
    api.world.clock.advance(2)
    answer = api.send(method, path, body)
    assert answer.status < 429, answer.body
    return answer


@pytest.mark.parametrize("kind", sorted(recurring("UTC")))
@pytest.mark.parametrize("instant", BEYOND)
def test_a_bound_beyond_the_years_is_refused_wherever_it_is_given(
    api: Api, instant: str, kind: str
) -> None:
    """By its field, and with one code."""
    job_id = api.create()["job_id"]
    for bound in ("starts_at", "ends_at"):
        schedule = recurring("UTC")[kind] | {bound: instant}
        answers = [
            sent(api, "POST", "/v1/jobs", new_job(schedule=schedule)),
            sent(api, "POST", "/v1/jobs/validate", new_job(schedule=schedule)),
            sent(api, "PATCH", f"/v1/jobs/{job_id}", {"schedule": schedule}),
            sent(api, "POST", f"/v1/jobs/{job_id}/preview", {"schedule": schedule}),
            sent(api, "POST", "/v1/schedules/preview", {"schedule": schedule}),
        ]
        scenario = {"schedule": schedule, "from": FIRST, "to": "1970-01-02T00:00:00Z"}
        simulated = sent(api, "POST", "/v1/simulate", scenario)

        for answer in (*answers, simulated):
            assert (answer.status, answer.fields) == (400, [(f"schedule.{bound}", "out_of_range")])


@pytest.mark.parametrize("instant", BEYOND)
def test_an_instant_beyond_the_years_is_refused_as_the_end_of_a_range(
    api: Api, instant: str
) -> None:
    """Previews, forecasts, backfills and explanations refuse it alike."""
    job_id = api.create(schedule={"kind": "rate", "every_seconds": 60})["job_id"]
    query = instant.replace("+", "%2B")
    rate = {"kind": "rate", "every_seconds": 60}
    answers = [
        sent(api, "POST", "/v1/schedules/preview", {"schedule": rate, "from": instant}),
        sent(api, "POST", f"/v1/jobs/{job_id}/backfill", {"from": instant, "to": LAST}),
        sent(api, "GET", f"/v1/forecast?from={query}"),
        sent(api, "GET", f"/v1/jobs/{job_id}/explain?at={query}"),
        sent(api, "GET", f"/v1/jobs/{job_id}/ledger?from={query}&to={query}"),
    ]

    for answer in answers:
        assert answer.status == 400
        assert {code for _, code in answer.fields} == {"out_of_range"}


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("kind", sorted(recurring("UTC")))
def test_a_job_that_begins_with_the_first_instant_is_as_any_other(
    api: Api, kind: str, zone: str
) -> None:
    """And so is one that ends with the last: planned, forecast, filled, explained and audited."""
    schedule = recurring(zone)[kind] | {"starts_at": FIRST, "ends_at": LAST}
    sent(api, "PUT", "/v1/calendars/closed", CLOSED | {"timezone": zone})
    rules = [[], *([{"calendar": "closed", "action": "roll", "roll": roll}] for roll in ROLLS)]
    for calendars in rules:
        created = sent(api, "POST", "/v1/jobs", new_job(schedule=schedule, calendars=calendars))
        assert created.status == 201, created.body
        path = f"/v1/jobs/{created.body['job_id']}"
        for start, end in SPANS:
            preview = {"schedule": schedule, "calendars": calendars, "from": start}
            assert sent(api, "POST", "/v1/schedules/preview", preview).body["description"]
            scenario: dict[str, Any] = {"schedule": schedule, "created_at": start}
            scenario |= {"from": start, "to": end}
            scenario |= {"calendars": {"closed": CLOSED | {"timezone": zone}}}
            scenario |= {"calendar_rules": calendars} if calendars else {}
            assert sent(api, "POST", "/v1/simulate", scenario).status == 200
            ledger = f"{path}/ledger?from={start}&to={end}"
            assert sent(api, "GET", ledger).status < 500
            assert sent(api, "GET", f"{path}/explain?at={start}").status < 500
            backfill = sent(api, "POST", f"{path}/backfill", {"from": start, "to": end})
            assert backfill.status < 500
        assert sent(api, "GET", f"{path}").body["next_run_at"]
        assert sent(api, "POST", f"{path}/preview", {"schedule": schedule}).status == 200
    assert sent(api, "GET", "/v1/forecast").status == 200
    api.world.clock.advance(60)
    api.world.tick()

    assert api.world.audit().unaccounted == 0


def test_an_instant_that_is_named_may_be_the_last_one(api: Api) -> None:
    """A job that runs once then is created, previewed and forecast."""
    schedule = {"kind": "at", "at": LAST}
    created = sent(api, "POST", "/v1/jobs", new_job(schedule=schedule))
    shown = sent(api, "POST", "/v1/schedules/preview", {"schedule": schedule})

    assert created.body["next_run_at"] == "9000-12-31T23:59:59.000Z"
    assert shown.body["fires"] == ["9000-12-31T23:59:59.000Z"]
    assert sent(api, "GET", "/v1/forecast").body["queues"] == []
