"""Unions of schedules through the API: created, previewed, edited, simulated and refused."""

import json
from typing import Any

import pytest

from tests.support.api import Api, new_job

NINE = {"kind": "cron", "cron": "0 9 * * *", "timezone": "Europe/Berlin"}
HALF = {"kind": "rate", "every_seconds": 1_800}
UNION = {"kind": "union", "any_of": [NINE, HALF], "starts_at": "2026-11-21T07:00:00Z"}
ACTION = {"type": "webhook", "url": "https://hooks.example.com/"}


def created(api: Api, **schedule: object) -> dict[str, Any]:
    """The job that the API answers."""
    answer = api.send("POST", "/v1/jobs", new_job(schedule=UNION | schedule))
    assert answer.status == 201
    body: dict[str, Any] = answer.body
    return body


def test_a_job_has_its_members_without_bounds(api: Api) -> None:
    """Each with the defaults of its kind; what is answered can be sent again."""
    job = created(api, max_runs=9)
    again = api.send("PATCH", f"/v1/jobs/{job['job_id']}", {"schedule": job["schedule"]})

    assert job["schedule"] == {
        "kind": "union",
        "any_of": [
            NINE | {"dialect": "timegate", "dst": None, "gap": "run_after", "fold": "first"},
            HALF,
        ],
        "starts_at": "2026-11-21T07:00:00.000Z",
        "ends_at": None,
        "max_runs": 9,
        "jitter_seconds": 0,
    }
    assert (again.status, again.body["schedule"]) == (200, job["schedule"])
    assert again.body["version"] == job["version"]


def test_an_instant_of_two_members_is_one_run(api: Api) -> None:
    """At 08:00 in UTC both name one: it is planned once."""
    job = created(api)
    api.world.clock.advance(3_300)
    api.world.tick()
    page = api.send("GET", f"/v1/jobs/{job['job_id']}/runs").body
    planned = sorted(run["scheduled_at"] for run in page["items"])

    assert planned.count("2026-11-21T08:00:00.000Z") == 1
    assert "2026-11-21T07:30:00.000Z" in planned


def test_a_preview_shows_instants_words_and_clock_changes(api: Api) -> None:
    """The clock change names its member."""
    body = {"schedule": UNION, "from": "2027-03-28T06:45:00Z", "count": 3}
    answer = api.send("POST", "/v1/schedules/preview", body)

    assert answer.body["fires"] == [
        *("2027-03-28T07:00:00.000Z", "2027-03-28T07:30:00.000Z", "2027-03-28T08:00:00.000Z"),
    ]
    assert answer.body["description"].startswith(
        "At 09:00 every day, Europe/Berlin time; and every 30 minutes; all of it, from "
    )
    assert [each["any_of"] for each in answer.body["clock_changes"]] == [[0], [0]]


def test_an_edit_to_a_union_is_previewed(api: Api) -> None:
    """A second daily pattern gains an instant a day, and loses none."""
    job = api.send("POST", "/v1/jobs", new_job(schedule=NINE)).body
    both = {"kind": "union", "any_of": [NINE, NINE | {"cron": "0 17 * * *"}]}
    answer = api.send("POST", f"/v1/jobs/{job['job_id']}/preview?days=7", {"schedule": both})

    assert [answer.body[name]["count"] for name in ("gained", "lost", "moved")] == [7, 0, 0]


def test_jobs_are_listed_by_their_kind(api: Api) -> None:
    """The filter takes union like every other kind."""
    job = created(api)
    api.send("POST", "/v1/jobs", new_job(schedule=NINE))
    found = api.send("GET", "/v1/jobs?kind=union").body["items"]

    assert [each["job_id"] for each in found] == [job["job_id"]]


def test_a_forecast_counts_each_instant_once(api: Api) -> None:
    """A day of half hours, one of which is nine o'clock."""
    created(api)
    (queue,) = api.send("GET", "/v1/forecast?days=1").body["queues"]

    # Not the one at which the job is created.
    assert queue["runs"] == 47


def test_a_simulation_runs_each_instant_once(api: Api) -> None:
    """From a document, as offline."""
    within = {"from": "2026-11-21T07:00:00Z", "to": "2026-11-21T09:00:00Z"}
    answer = api.send("POST", "/v1/simulate", {**within, "schedule": UNION})

    assert [row["scheduled_at"][11:16] for row in answer.body["rows"]] == [
        *("07:30", "08:00", "08:30"),
    ]


@pytest.mark.parametrize(
    ("members", "field", "code"),
    [
        ([NINE], "any_of", "too_short"),
        ([{"kind": "rate", "every_seconds": n} for n in range(61, 70)], "any_of", "too_long"),
        ([NINE, {"kind": "at", "at": "2027-01-01T00:00:00Z"}], "any_of.1.kind", "invalid_choice"),
        ([NINE, UNION], "any_of.1.kind", "invalid_choice"),
        ([NINE, {"every_seconds": 60}], "any_of.1.kind", "missing"),
        ([NINE, {"kind": "rate"}], "any_of.1.every_seconds", "missing"),
        ([NINE, HALF | {"max_runs": 3}], "any_of.1.max_runs", "unknown_field"),
        ([NINE, HALF | {"every_seconds": "x"}], "any_of.1.every_seconds", "wrong_type"),
        ([NINE, NINE | {"cron": "61 * * * *"}], "any_of.1.cron", "invalid_cron"),
        ([NINE, NINE | {"timezone": "Mars"}], "any_of.1.timezone", "unknown_timezone"),
        ([NINE, NINE | {"cron": "0 09 * * *"}], "any_of.1", "duplicate_member"),
        ([NINE | {"cron": "0 9 * * 1"}, NINE], "any_of.0", "without_effect"),
        ([NINE, {"kind": "rrule", "rrule": "FREQ=DAILY"}], "starts_at", "required"),
    ],
)
def test_what_is_refused_names_its_field(
    api: Api, members: list[dict[str, object]], field: str, code: str
) -> None:
    """In a new job, in a preview and in a change alike."""
    schedule = {"kind": "union", "any_of": members}
    job = api.send("POST", "/v1/jobs", new_job(schedule=NINE)).body
    answers = [
        api.send("POST", "/v1/jobs", new_job(schedule=schedule)),
        api.send("POST", "/v1/schedules/preview", {"schedule": schedule}),
        api.send("PATCH", f"/v1/jobs/{job['job_id']}", {"schedule": schedule}),
    ]

    assert [(each.status, each.fields) for each in answers] == [
        (400, [(f"schedule.{field}", code)])
    ] * 3


def test_a_bound_in_a_member_is_pointed_out(api: Api) -> None:
    """The detail says where it belongs."""
    schedule = {"kind": "union", "any_of": [NINE, HALF | {"starts_at": "2026-11-21T07:00:00Z"}]}
    answer = api.send("POST", "/v1/jobs", new_job(schedule=schedule))

    assert answer.body["errors"][0]["detail"] == (
        "It belongs to the union as a whole. Write it beside any_of."
    )


@pytest.mark.parametrize(
    ("depth", "code", "fields"),
    [
        (1, "invalid_request", [("schedule.any_of.1.kind", "invalid_choice")]),
        (50, "invalid_request", [("schedule.any_of.1.kind", "invalid_choice")]),
        (300, "malformed_json", []),
    ],
)
def test_unions_nested_deeply_are_refused(
    api: Api, depth: int, code: str, fields: list[tuple[str, str]]
) -> None:
    """And read no further than the first; what is nested without end is no body at all."""
    text = '{"kind": "union", "any_of": [' * depth + json.dumps(NINE) + "]}" * depth
    answer = api.send(
        "POST",
        "/v1/simulate",
        {
            "from": "2026-11-21T07:00:00Z",
            "to": "2026-11-21T09:00:00Z",
            "schedule": {"kind": "union", "any_of": [NINE, json.loads(text)]},
        },
    )

    assert (answer.status, answer.body["code"], answer.fields) == (400, code, fields)
