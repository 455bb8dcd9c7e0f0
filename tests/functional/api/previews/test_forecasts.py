"""Forecasting load: how many runs fall due in each minute."""

from typing import Any

import pytest

from tests.support.api import ADMIN_SCOPES, Answer, Api, gateway_event, new_job
from tests.support.factories import TENANT
from timegate.usecases.previews.forecast_load import MOST_STEPS

HOURLY = {"kind": "cron", "cron": "0 * * * *"}
#: The samples' clock shows seven in the morning.
MINUTES = 24 * 60
#: Jobs of one read.
MOST_READ = 100


def created(api: Api, count: int = 1, **fields: object) -> None:
    """Jobs that say so."""
    for number in range(count):
        given = {"schedule": HOURLY, "name": f"job {number}", **fields}
        answer = api.send("POST", "/v1/jobs", new_job(**given))

        assert answer.status == 201, answer.body


def forecast(api: Api, query: str = "?days=1") -> Answer:
    """Return the forecast."""
    return api.send("GET", f"/v1/forecast{query}")


def queue(answer: Answer, name: str = "normal-short") -> dict[str, Any]:
    """The load of a queue."""
    return next(each for each in answer.body["queues"] if each["queue"] == name)


def test_each_minute_has_its_runs(api: Api) -> None:
    """By queue; the minute of now is the first. No job has a run at its own creation or before."""
    created(api)
    created(api, schedule={"kind": "cron", "cron": "30 7 * * *"}, priority="high")
    answer = forecast(api)

    assert (answer.status, answer.body["next_cursor"]) == (200, None)
    assert answer.body["from"] == "2026-11-21T07:00:00.000Z"
    assert answer.body["until"] == "2026-11-22T07:00:00.000Z"
    assert answer.body["jobs"] == {"read": 2, "due": 2, "damaged": 0}
    assert [each["queue"] for each in answer.body["queues"]] == ["high-short", "normal-short"]
    assert queue(answer)["minutes"] == [0] * 60 + ([1] + [0] * 59) * 23
    assert queue(answer, "high-short")["minutes"] == [0] * 30 + [1] + [0] * (MINUTES - 31)
    assert queue(answer, "high-short")["busiest"] == [{"at": "2026-11-21T07:30:00.000Z", "runs": 1}]


def test_an_instant_before_the_job_is_none_of_its_runs(api: Api) -> None:
    """Within the minute of now as well; an edited schedule counts from its edit."""
    api.world.clock.advance(30)
    created(api, schedule={"kind": "cron", "cron": "*/10 * * * * *"})
    new = queue(forecast(api))["minutes"][:2]
    (job,) = api.send("GET", "/v1/jobs").body["items"]
    api.world.clock.advance(15)
    every_second = {"kind": "cron", "cron": "* * * * * *"}
    api.send("PATCH", f"/v1/jobs/{job['job_id']}", {"schedule": every_second})
    edited = queue(forecast(api))["minutes"][:2]

    assert (new, edited) == ([2, 6], [14, 60])


def test_minutes_before_a_job_have_none_of_its_runs(api: Api) -> None:
    """A forecast may begin up to an hour ago, and a job or its schedule be younger."""
    created(api, schedule={"kind": "cron", "cron": "*/10 * * * *"})
    answer = forecast(api, "?days=1&from=2026-11-21T06:00:00Z")

    assert queue(answer)["minutes"] == [0] * 70 + ([1] + [0] * 9) * (6 * 23 - 1)


def test_runs_that_an_edit_replaced_take_nothing_of_max_runs(api: Api) -> None:
    """They were planned and never began: the new schedule has all of its runs."""
    minutely = {"kind": "rate", "every_seconds": 60, "max_runs": 3}
    path = f"/v1/jobs/{api.create(schedule=minutely)['job_id']}"
    api.world.tick()
    planned = forecast(api)
    edited = api.send("PATCH", path, {"schedule": minutely | {"every_seconds": 3600}})
    answer = forecast(api)

    assert queue(planned)["minutes"][:5] == [0, 1, 1, 1, 0]
    assert edited.status == 200
    assert [n for n, runs in enumerate(queue(answer)["minutes"]) if runs] == [60, 120, 180]


def test_runs_that_have_begun_and_that_are_planned_take_their_part_of_max_runs(api: Api) -> None:
    """However far the planner has come, the job has three runs; its last ones may all be stored."""
    left: list[tuple[int, str | None]] = []
    ends = {"ends_at": "2026-11-21T07:03:00Z", "max_runs": 9}
    bounded: list[dict[str, object]] = [{"max_runs": 3}, ends]
    for bound in bounded:
        created(api, schedule={"kind": "rate", "every_seconds": 60, **bound})
    for _ in range(4):
        api.world.tick()
        answer = forecast(api).body["queues"]
        left += [(each["runs"], each["queue"]) for each in answer] or [(0, None)]
        api.world.stream()
        api.world.clock.advance(60)
        api.world.execute(api.world.receive())

    assert left == [
        (6, "normal-short"),
        (6, "normal-short"),
        (4, "normal-short"),
        (2, "normal-short"),
    ]


def test_a_pool_is_a_queue_of_its_own(api: Api) -> None:
    """Its jobs' priority does not divide it."""
    created(api, action={"type": "worker", "pool": "reports", "handler": "sales"})
    (only,) = forecast(api).body["queues"]

    assert (only["queue"], only["is_pool"], only["runs"]) == ("reports", True, 23)


def test_a_job_that_does_not_run_has_no_load(api: Api) -> None:
    """Paused, cancelled, or over before."""
    created(api)
    (job,) = api.send("GET", "/v1/jobs").body["items"]
    api.send("POST", f"/v1/jobs/{job['job_id']}/pause")
    created(api, schedule={"kind": "at", "at": "2026-12-24T00:00:00Z"})

    assert forecast(api).body["queues"] == []
    assert forecast(api).body["jobs"] == {"read": 2, "due": 0, "damaged": 0}


def test_calendars_count_and_freezes_do_not(api: Api) -> None:
    """A freeze is none of the schedules'."""
    api.send("PUT", "/v1/calendars/sundays", {"weekdays": ["sun"]})
    created(api, calendars=[{"calendar": "sundays"}])
    freeze = {"scope": {"kind": "tenant"}, "ends_at": "2026-12-24T00:00:00Z", "thaw": "skip"}
    api.send("POST", "/v1/freezes", freeze)

    assert queue(forecast(api))["runs"] == 16


def test_jitter_that_flattens_a_peak_is_advised(api: Api) -> None:
    """With what it would leave; jobs whose precision forbids jitter are not asked to take it."""
    created(api, 40)
    created(api, precision="subsecond")
    found = queue(forecast(api))
    advice = found["advice"]

    assert found["busiest"][0]["runs"] == advice["runs_before"] == 41
    assert (advice["jitter_seconds"], advice["job_count"], len(advice["jobs"])) == (900, 40, 20)
    assert 1 < advice["runs_after"] <= 10
    assert advice["at"] == "2026-11-21T08:00:00.000Z"


def test_what_is_advised_is_what_happens(api: Api) -> None:
    """Jobs that take the jitter have the peak that was foretold."""
    created(api, 30)
    advice = queue(forecast(api))["advice"]
    for job in api.send("GET", "/v1/jobs?limit=100").body["items"]:
        spread = HOURLY | {"jitter_seconds": advice["jitter_seconds"]}
        api.send("PATCH", f"/v1/jobs/{job['job_id']}", {"schedule": spread})
    near = queue(forecast(api))["minutes"][60 : 60 + advice["jitter_seconds"] // 60 + 1]

    assert max(near) == advice["runs_after"]


def test_few_runs_are_no_peak(api: Api) -> None:
    """Nine at once need no advice; ten do."""
    created(api, 9)
    without = queue(forecast(api))["advice"]
    created(api, 1)
    given = queue(forecast(api))["advice"]

    assert without is None
    assert given is not None


def test_pages_add_up(api: Api) -> None:
    """Each counts its own jobs; they name the same start."""
    created(api, 3)
    start = "&from=2026-11-21T08:30:00Z"
    whole = forecast(api, f"?days=1{start}")
    first = forecast(api, f"?days=1&limit=2{start}")
    api.world.clock.advance(60)
    second = forecast(api, f"?days=1&limit=2{start}&cursor={first.body['next_cursor']}")
    pairs = zip(queue(first)["minutes"], queue(second)["minutes"], strict=True)

    assert [sum(pair) for pair in pairs] == queue(whole)["minutes"]
    assert (first.body["jobs"]["read"], second.body["jobs"]["read"]) == (2, 1)
    assert second.body["next_cursor"] is None
    assert whole.body["from"] == "2026-11-21T08:30:00.000Z"


def test_dense_jobs_end_a_page_early(api: Api) -> None:
    """Counting is bounded; the cursor leads on, and no job is lost or counted twice."""
    seconds = {"kind": "rate", "every_seconds": 1}
    fitting = -(-MOST_STEPS // (7 * MINUTES))
    for number in range(fitting + 5):
        # Tomorrow: a creation stores no runs of theirs.
        starts_at = f"2026-11-22T07:00:{number:02}Z"
        created(api, schedule=seconds | {"starts_at": starts_at})
    first = forecast(api, "?days=7")
    second = forecast(api, f"?days=7&cursor={first.body['next_cursor']}")
    last_minute = [queue(each)["minutes"][-1] for each in (first, second)]

    assert (first.body["jobs"]["read"], second.body["jobs"]["read"]) == (fitting, 5)
    assert second.body["next_cursor"] is None
    assert last_minute == [60 * fitting, 60 * 5]


def test_a_rule_of_each_second_ends_a_page(api: Api) -> None:
    """One that is walked through is more than a page may take, and is counted all the same."""
    rule = {"kind": "rrule", "rrule": "FREQ=SECONDLY"}
    for number in range(2):
        created(api, schedule=rule | {"starts_at": f"2026-11-22T07:00:0{number}Z"})
    first = forecast(api, "?days=7")
    second = forecast(api, f"?days=7&cursor={first.body['next_cursor']}")

    assert (first.body["jobs"]["read"], second.body["jobs"]["read"]) == (1, 1)
    assert {queue(each)["minutes"][-1] for each in (first, second)} == {60}
    assert second.body["next_cursor"] is None


def test_dense_jobs_behind_others_end_a_page_where_they_are(api: Api) -> None:
    """A page that ends early is continued at the job it left out."""
    created(api, 3)
    api.world.clock.advance(1)
    seconds = {"kind": "rrule", "rrule": "FREQ=SECONDLY", "starts_at": "2026-11-22T07:00:00Z"}
    created(api, 2, schedule=seconds)
    api.world.clock.advance(1)
    created(api, MOST_READ)
    pages = [forecast(api, "?days=7")]
    while cursor := pages[-1].body["next_cursor"]:
        pages.append(forecast(api, f"?days=7&cursor={cursor}"))

    assert [each.body["jobs"]["read"] for each in pages] == [MOST_READ + 1, 1, 3]
    assert [queue(each)["minutes"][-1] for each in pages] == [60, 60, 0]


def test_a_damaged_job_counts_as_one_of_the_page(api: Api) -> None:
    """It was read: a page never reads more than was asked for."""
    created(api, 3)
    (newest, *_) = api.send("GET", "/v1/jobs").body["items"]
    api.world.tables.damaged.add((TENANT, newest["job_id"]))
    first = forecast(api, "?days=1&limit=2")
    second = forecast(api, f"?days=1&limit=2&cursor={first.body['next_cursor']}")

    assert first.body["jobs"] == {"read": 1, "due": 1, "damaged": 1}
    assert second.body["jobs"] == {"read": 1, "due": 1, "damaged": 0}


@pytest.mark.parametrize(
    ("query", "field", "code"),
    [
        ("?days=8", "days", "too_large"),
        ("?limit=501", "limit", "too_large"),
        ("?cursor=x", "cursor", "invalid_cursor"),
        ("?from=2026-11-21T05:59:59Z", "from", "out_of_range"),
        ("?from=2027-11-23T07:00:00Z", "from", "out_of_range"),
        ("?queue=x", "queue", "unknown_field"),
    ],
)
def test_what_cannot_be_forecast_is_refused(api: Api, query: str, field: str, code: str) -> None:
    """By its field."""
    answer = forecast(api, query)

    assert (answer.status, answer.fields) == (400, [(field, code)])


def test_administrators_forecast_any_tenant(api: Api) -> None:
    """With their scope; a tenant sees its own jobs only."""
    created(api)
    path = "/v1/tenants/acme/forecast"
    claims = {"client_id": "admin", "scope": ADMIN_SCOPES}
    theirs = api.deliver(gateway_event("GET", path, claims=claims))
    other = api.send("GET", "/v1/forecast", tenant="other")

    assert queue(theirs)["runs"] == 167
    assert other.body["queues"] == []
