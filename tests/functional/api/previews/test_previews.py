"""Previewing schedules that need not be any job's."""

import pytest

from tests.support.api import Api, new_job

PATH = "/v1/schedules/preview"


@pytest.mark.parametrize(
    ("schedule", "fires"),
    [
        pytest.param({"kind": "immediate"}, ["2026-11-21T07:00:00.000Z"], id="immediate"),
        pytest.param(
            {"kind": "delay", "delay_seconds": 0.25}, ["2026-11-21T07:00:00.250Z"], id="delay"
        ),
        pytest.param(
            {"kind": "cron", "cron": "30 2 * * *", "timezone": "Europe/Berlin"},
            ["2026-11-22T01:30:00.000Z", "2026-11-23T01:30:00.000Z"],
            id="cron",
        ),
        pytest.param(
            {"kind": "rate", "every_seconds": 90},
            ["2026-11-21T07:01:30.000Z", "2026-11-21T07:03:00.000Z"],
            id="rate",
        ),
        pytest.param(
            {"kind": "rate", "every_seconds": 90, "max_runs": 1},
            ["2026-11-21T07:01:30.000Z"],
            id="bounded",
        ),
    ],
)
def test_a_preview_shows_the_next_instants_in_utc(
    api: Api, schedule: dict[str, object], fires: list[str]
) -> None:
    """At most as many as asked, with the schedule in words."""
    answer = api.send("POST", PATH, {"schedule": schedule, "count": 2})

    assert answer.status == 200
    assert answer.body["fires"] == fires
    assert answer.body["description"] != ""


def test_a_preview_begins_where_it_is_told(api: Api) -> None:
    """Also in the past: what would have been is a fair question."""
    schedule = {"kind": "cron", "cron": "30 2 * * *", "timezone": "Europe/Berlin"}
    body = {"schedule": schedule, "from": "2026-03-28T00:00:00+01:00", "count": 3}
    answer = api.send("POST", PATH, body)

    # On the 29th the clock jumps from 2 to 3: it runs once, right after the gap.
    assert answer.body["fires"] == [
        "2026-03-28T01:30:00.000Z",
        "2026-03-29T01:00:00.000Z",
        "2026-03-30T00:30:00.000Z",
    ]


def test_a_preview_shows_ten_instants_unless_told_otherwise(api: Api) -> None:
    """And a hundred at most."""
    schedule = {"kind": "rate", "every_seconds": 1}
    default = api.send("POST", PATH, {"schedule": schedule})
    most = api.send("POST", PATH, {"schedule": schedule, "count": 100})

    assert (len(default.body["fires"]), len(most.body["fires"])) == (10, 100)


@pytest.mark.parametrize(
    "schedule",
    [
        {"kind": "immediate"},
        {"kind": "at", "at": "2026-11-21T07:00:00Z"},
        {"kind": "delay", "delay_seconds": 400},
        {"kind": "cron", "cron": "*/20 * * * * *"},
        {"kind": "cron", "cron": "0 7 * * *", "starts_at": "2027-01-01T07:00:00Z"},
        {"kind": "rate", "every_seconds": 45},
        {"kind": "rate", "every_seconds": 45, "starts_at": "2026-11-21T07:00:00Z"},
    ],
    ids=lambda schedule: "-".join(map(str, schedule.values())),
)
def test_a_preview_and_a_job_agree_on_the_first_run(api: Api, schedule: dict[str, object]) -> None:
    """Asked at the same moment, about the same schedule."""
    (shown,) = api.send("POST", PATH, {"schedule": schedule, "count": 1}).body["fires"]
    job = api.send("POST", "/v1/jobs", new_job(schedule=schedule)).body
    runs = api.send("GET", f"/v1/jobs/{job['job_id']}/runs?limit=100").body["items"]
    first = runs[-1]["scheduled_at"] if runs else job["next_run_at"]

    assert shown == first


CLOSED = {
    "weekdays": ["sat", "sun"],
    "windows": [{"weekdays": ["mon"], "opens": "06:00", "closes": "08:30"}],
}


def outcomes(api: Api, **request: object) -> list[tuple[str, str, str | None]]:
    """Return the outcomes of a job's instants at seven each day."""
    assert api.send("PUT", "/v1/calendars/closed", CLOSED).status == 200
    body = {"schedule": {"kind": "cron", "cron": "0 7 * * *"}, "count": 4} | request
    found = api.send("POST", PATH, body).body["instants"]
    return [(each["at"][8:13], each["outcome"], (each["runs_at"] or "")[8:16]) for each in found]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        pytest.param(
            {},
            [
                ("22T07", "excluded", ""),
                ("23T07", "excluded", ""),
                ("24T07", "runs", "24T07:00"),
                ("25T07", "runs", "25T07:00"),
            ],
            id="skip",
        ),
        pytest.param(
            {"action": "defer"},
            [
                ("22T07", "excluded", ""),
                ("23T07", "deferred", "23T08:30"),
                ("24T07", "runs", "24T07:00"),
                ("25T07", "runs", "25T07:00"),
            ],
            id="defer",
        ),
        pytest.param(
            {"mode": "only"},
            [
                ("22T07", "runs", "22T07:00"),
                ("23T07", "runs", "23T07:00"),
                ("24T07", "excluded", ""),
                ("25T07", "excluded", ""),
            ],
            id="only",
        ),
    ],
)
def test_a_preview_shows_what_calendars_make_of_each_instant(
    api: Api, rule: dict[str, object], expected: list[tuple[str, str, str]]
) -> None:
    """One that is left out is excluded, or deferred, unless the next one comes first."""
    assert outcomes(api, calendars=[{"calendar": "closed"} | rule]) == expected


def test_without_calendars_every_instant_runs(api: Api) -> None:
    """The tenant's calendars do not count."""
    assert {outcome for _, outcome, _ in outcomes(api)} == {"runs"}


def test_what_calendars_leave_out_is_none_of_the_most_runs(api: Api) -> None:
    """Planning counts alike: the second run is the fourth and last instant."""
    schedule = {"kind": "cron", "cron": "0 7 * * *", "max_runs": 2}
    found = outcomes(api, schedule=schedule, calendars=[{"calendar": "closed"}], count=9)

    assert [outcome for _, outcome, _ in found] == ["excluded", "excluded", "runs", "runs"]


def test_the_last_instant_shown_is_deferred_by_the_next_one_as_well(api: Api) -> None:
    """The number of shown instants does not change an outcome."""
    rules = [{"calendar": "closed", "action": "defer"}]

    assert outcomes(api, calendars=rules, count=1) == [("22T07", "excluded", "")]


RULE = {"calendar": "closed"}


@pytest.mark.parametrize(
    ("body", "field", "code"),
    [
        (
            {"schedule": {"kind": "immediate"}, "calendars": [RULE]},
            "calendars.0.calendar",
            "unknown_calendar",
        ),
        (
            {"schedule": {"kind": "immediate"}, "calendars": [RULE, RULE]},
            "calendars.1.calendar",
            "repeated",
        ),
        (
            {"schedule": {"kind": "immediate"}, "calendars": [RULE, RULE | {"mode": "only"}]},
            "calendars.1.calendar",
            "contradictory",
        ),
        (
            {"schedule": {"kind": "immediate"}, "calendars": [{}]},
            "calendars.0.calendar",
            "missing",
        ),
        ({}, "schedule", "missing"),
        ({"schedule": {"kind": "immediate"}, "count": 0}, "count", "too_small"),
        ({"schedule": {"kind": "immediate"}, "count": 101}, "count", "too_large"),
        ({"schedule": {"kind": "immediate"}, "count": "2"}, "count", "wrong_type"),
        ({"schedule": {"kind": "immediate"}, "from": "now"}, "from", "invalid_instant"),
        ({"schedule": {"kind": "immediate"}, "start": "x"}, "start", "unknown_field"),
        (
            {"schedule": {"kind": "immediate"}, "from": "0001-01-01T00:00:00Z"},
            "from",
            "out_of_range",
        ),
        (
            {"schedule": {"kind": "cron", "cron": "0 0 31 2 *"}},
            "schedule.cron",
            "never_fires",
        ),
        (
            {"schedule": {"kind": "at", "at": "2026-11-21T06:00:00Z"}},
            "schedule.at",
            "in_the_past",
        ),
    ],
)
def test_a_preview_refuses_what_a_job_would(
    api: Api, body: dict[str, object], field: str, code: str
) -> None:
    """With the same field and code."""
    answer = api.send("POST", PATH, body)

    assert (answer.status, answer.fields) == (400, [(field, code)])


@pytest.mark.parametrize("instant", ["1970-01-01T00:00:00Z", "9000-12-31T23:59:59Z"])
@pytest.mark.parametrize(
    "schedule",
    [
        {"kind": "immediate"},
        {"kind": "delay", "delay_seconds": 315_360_000},
        {"kind": "cron", "cron": "@yearly", "timezone": "America/New_York"},
        {"kind": "rate", "every_seconds": 315_360_000},
    ],
    ids=lambda schedule: str(schedule["kind"]),
)
def test_the_ends_of_the_calendar_break_nothing(
    api: Api, schedule: dict[str, object], instant: str
) -> None:
    """An empty preview or a refusal is an answer; neither is a fault."""
    answer = api.send("POST", PATH, {"schedule": schedule, "from": instant})

    assert answer.status in {200, 400}
