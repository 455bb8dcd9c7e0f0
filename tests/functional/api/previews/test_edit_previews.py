"""Previewing changes to a job: the instants it would gain, lose and move."""

from typing import Any

import pytest

from tests.support.api import Answer, Api, new_job
from timegate.domain.values.payload import MAX_PAYLOAD_BYTES

DAILY = {"kind": "cron", "cron": "0 9 * * *", "timezone": "Europe/Berlin"}
LATER = {"schedule": DAILY | {"cron": "30 10 * * *"}}
MINUTELY = {"kind": "rate", "every_seconds": 60}


def created(api: Api, **fields: object) -> str:
    """A job's id."""
    answer = api.send("POST", "/v1/jobs", new_job(**{"schedule": DAILY, **fields}))

    assert answer.status == 201, answer.body
    return str(answer.body["job_id"])


def preview(api: Api, job_id: str, changes: dict[str, Any], query: str = "") -> Answer:
    """Return the preview of the changes."""
    return api.send("POST", f"/v1/jobs/{job_id}/preview{query}", changes)


def counts(answer: Answer) -> tuple[int, int, int]:
    """Return the counts of gained, lost and moved instants."""
    return tuple(answer.body[name]["count"] for name in ("gained", "lost", "moved"))


def test_a_day_that_loses_what_it_gains_has_moved_it(api: Api) -> None:
    """By the clock of the new schedule; the week begins on a Saturday at eight in Berlin."""
    job_id = created(api)
    api.world.clock.advance(1)
    answer = preview(api, job_id, LATER)

    assert answer.status == 200
    assert counts(answer) == (0, 0, 7)
    assert answer.body["moved"]["first"][0] == {
        "before": {"at": "2026-11-21T08:00:00.000Z", "runs_at": "2026-11-21T08:00:00.000Z"},
        "after": {"at": "2026-11-21T09:30:00.000Z", "runs_at": "2026-11-21T09:30:00.000Z"},
    }
    assert answer.body["instants"] == {"before": 7, "after": 7}
    assert answer.body["from"] == "2026-11-21T07:00:01.000Z"
    assert answer.body["until"] == answer.body["compared_until"] == "2026-11-28T07:00:01.000Z"
    assert answer.body["description"]["before"] != answer.body["description"]["after"]


def test_both_sides_have_their_cost(api: Api) -> None:
    """For a month, of the schedule and the action that the job has and would have."""
    job_id = created(api)
    pool = {"type": "worker", "pool": "etl", "handler": "load"}
    cost = preview(api, job_id, {"schedule": MINUTELY, "action": pool}).body["cost"]
    same = preview(api, job_id, {}).body["cost"]

    assert (cost["before"]["runs"], cost["before"]["kind"]) == (30, "daily run")
    assert (cost["after"]["runs"], cost["after"]["kind"]) == (43_200, "run of a pool")
    assert 0 < cost["after"]["usd"]["low"] < cost["after"]["usd"]["high"]
    assert "a month: 43,200 runs" in cost["after"]["description"]
    assert same["before"] == same["after"] == cost["before"]


def test_nothing_is_stored(api: Api) -> None:
    """The job keeps its version, its schedule and its runs."""
    job_id = created(api)
    before = api.send("GET", f"/v1/jobs/{job_id}").body
    runs = len(api.world.attempts())
    preview(api, job_id, {**LATER, "payload": {"large": "x" * 5_000}})

    assert api.send("GET", f"/v1/jobs/{job_id}").body == before
    assert len(api.world.attempts()) == runs
    assert api.world.blobs.blobs == {}


def test_days_that_lose_more_than_they_gain_are_lost_and_gained(api: Api) -> None:
    """Two a day to one a day at another time: nothing says which of them moved."""
    job_id = created(api, schedule=DAILY | {"cron": "0 9,15 * * *"})
    answer = preview(api, job_id, LATER, "?days=1&limit=1")

    assert counts(answer) == (1, 2, 0)
    assert [len(answer.body[name]["first"]) for name in ("gained", "lost")] == [1, 1]


def test_other_fields_change_no_instant(api: Api) -> None:
    """Nor does no change at all; both are counted."""
    job_id = created(api)
    renamed, nothing = preview(api, job_id, {"name": "another"}), preview(api, job_id, {})

    assert counts(renamed) == counts(nothing) == (0, 0, 0)
    assert renamed.body["instants"] == {"before": 7, "after": 7}


def test_stored_runs_are_adopted_or_superseded(api: Api) -> None:
    """Ten minutes of them are planned; every second one is named by the new schedule as well."""
    start = "2026-11-21T07:00:00Z"
    job_id = created(api, schedule=MINUTELY | {"starts_at": start})
    api.world.tick()
    api.world.clock.advance(30)
    answer = preview(
        api, job_id, {"schedule": MINUTELY | {"every_seconds": 120, "starts_at": start}}, "?days=1"
    )

    assert answer.body["stored"] == {"adopted": 5, "superseded": 5}
    assert counts(answer) == (0, 720, 0)
    assert answer.body["lost"]["first"][0]["at"] == "2026-11-21T07:01:00.000Z"


def test_max_runs_counts_what_is_left(api: Api) -> None:
    """Three of five are planned; the new schedule gets two."""
    start = "2026-11-21T07:00:00Z"
    schedule = {"kind": "rate", "every_seconds": 240, "starts_at": start, "max_runs": 5}
    job_id = created(api, schedule=schedule)
    api.world.tick()
    unchanged = preview(api, job_id, {})

    assert unchanged.body["instants"] == {"before": 5, "after": 5}


def test_runs_that_an_edit_left_behind_hold_no_place(api: Api) -> None:
    """Executors are away: two runs that the first edit replaced are due when the second comes."""
    job_id = created(api, schedule=MINUTELY | {"max_runs": 3})
    api.world.tick()
    api.world.clock.advance(60)
    api.send("PATCH", f"/v1/jobs/{job_id}", {"schedule": DAILY | {"max_runs": 3}})
    api.world.clock.advance(120)
    again = {"schedule": LATER["schedule"] | {"max_runs": 3}}
    previewed = preview(api, job_id, again)

    assert previewed.body["instants"] == {"before": 2, "after": 2}


def test_a_paused_job_runs_nothing_unless_it_were_resumed(api: Api) -> None:
    """The query says which of both is compared."""
    job_id = created(api)
    api.send("POST", f"/v1/jobs/{job_id}/pause")
    paused = preview(api, job_id, LATER)
    resumed = preview(api, job_id, LATER, "?resumed=true")

    assert (paused.body["status"], counts(paused)) == ("paused", (0, 0, 0))
    assert (resumed.body["status"], counts(resumed)) == ("active", (0, 0, 7))


def test_calendars_are_taken_as_they_are(api: Api) -> None:
    """A job that is to leave out weekends loses two instants of the week, or runs them later."""
    weekends = {"timezone": "Europe/Berlin", "weekdays": ["sat", "sun"]}
    api.send("PUT", "/v1/calendars/weekends", weekends)
    job_id = created(api, schedule=DAILY | {"cron": "0 9 * * 5,6"})
    skipping = preview(api, job_id, {"calendars": [{"calendar": "weekends"}]})
    deferring = preview(api, job_id, {"calendars": [{"calendar": "weekends", "action": "defer"}]})

    assert counts(skipping) == (0, 1, 0)
    assert counts(deferring) == (0, 0, 1)
    assert deferring.body["moved"]["first"] == [
        {
            "before": {"at": "2026-11-21T08:00:00.000Z", "runs_at": "2026-11-21T08:00:00.000Z"},
            "after": {"at": "2026-11-21T08:00:00.000Z", "runs_at": "2026-11-23T08:00:00.000Z"},
        }
    ]


def test_instants_of_a_freeze_that_ends_later_are_left_out(api: Api) -> None:
    """One that ends within the range thaws as it says."""
    job_id = created(api)
    freeze = {"scope": {"kind": "tenant"}, "starts_at": "2026-11-22T00:00:00Z", "thaw": "skip"}
    api.send("POST", "/v1/freezes", {**freeze, "ends_at": "2026-11-24T00:00:00Z"})
    short = preview(api, job_id, {})
    api.send("POST", "/v1/freezes", {**freeze, "ends_at": "2026-12-24T00:00:00Z"})
    long = preview(api, job_id, {})

    assert short.body["instants"] == {"before": 5, "after": 5}
    assert long.body["instants"] == {"before": 1, "after": 1}


def test_too_many_instants_are_compared_as_far_as_stated(api: Api) -> None:
    """A job of each second fires 604,800 times a week."""
    start = "2026-11-21T07:00:00Z"
    job_id = created(api, schedule={"kind": "rate", "every_seconds": 1, "starts_at": start})
    answer = preview(
        api, job_id, {"schedule": {"kind": "rate", "every_seconds": 2, "starts_at": start}}
    )

    assert answer.body["compared_until"] < answer.body["until"]
    assert answer.body["instants"]["before"] == 11_000
    assert (
        sum(counts(answer)) == answer.body["instants"]["before"] - answer.body["instants"]["after"]
    )


@pytest.mark.parametrize(
    ("changes", "query", "field", "code"),
    [
        ({"schedule": DAILY | {"cron": "0 9 31 2 *"}}, "", "schedule.cron", "never_fires"),
        ({"calendars": [{"calendar": "none"}]}, "", "calendars.0.calendar", "unknown_calendar"),
        ({"nmae": "x"}, "", "nmae", "unknown_field"),
        ({}, "?days=32", "days", "too_large"),
        ({}, "?limit=101", "limit", "too_large"),
    ],
)
def test_what_an_update_refuses_its_preview_does(
    api: Api, changes: dict[str, Any], query: str, field: str, code: str
) -> None:
    """With the same field and code."""
    answer = preview(api, created(api), changes, query)

    assert (answer.status, answer.fields) == (400, [(field, code)])


def test_a_payload_beyond_the_limit_is_refused_as_the_update_refuses_it(api: Api) -> None:
    """With its quotes it has 256 KB, and one byte more."""
    job_id = created(api)
    whole, beyond = ({"payload": "x" * (MAX_PAYLOAD_BYTES - 2 + more)} for more in (0, 1))
    refused = preview(api, job_id, beyond)

    assert preview(api, job_id, whole).status == 200
    assert (refused.status, refused.fields) == (400, [("payload", "payload_too_large")])
    assert api.send("PATCH", f"/v1/jobs/{job_id}", beyond).body["errors"] == refused.body["errors"]


def test_a_key_of_another_job_is_refused_as_the_update_refuses_it(api: Api) -> None:
    """A job's own key is no other's."""
    created(api, key="taken")
    job_id = created(api, key="own")
    wanted = {"key": "taken"}
    refused, update = preview(api, job_id, wanted), api.send("PATCH", f"/v1/jobs/{job_id}", wanted)

    assert [preview(api, job_id, {"key": key}).status for key in ("own", "free", None)] == [200] * 3
    assert (refused.status, refused.code) == (409, "job_key_taken")
    assert refused.body["detail"] == update.body["detail"]


def test_a_field_that_a_dag_governs_is_refused_as_the_update_refuses_it(api: Api) -> None:
    """The DAG's own job takes its schedule from the DAG."""
    task = {"key": "a", "job": {"action": {"type": "worker", "pool": "etl", "handler": "load"}}}
    dag = {"name": "load", "tasks": [task], "schedule": DAILY}
    job_id = f"dag:{api.send('POST', '/v1/dags', dag).body['dag_id']}"
    refused = preview(api, job_id, LATER)

    assert preview(api, job_id, {"schedule": DAILY}).status == 200
    assert (refused.status, refused.fields) == (400, [("schedule", "governed_by_dag")])


def test_another_version_or_an_ended_job_is_a_conflict(api: Api) -> None:
    """The update itself answers alike."""
    job_id = created(api)
    path = f"/v1/jobs/{job_id}/preview"
    mismatch = api.send("POST", path, {}, If_Match='"7"')
    api.send("DELETE", f"/v1/jobs/{job_id}")
    ended = api.send("POST", path, {})

    assert (mismatch.status, mismatch.code) == (412, "version_mismatch")
    assert (ended.status, ended.code) == (409, "job_cancelled")
