"""Marks in payloads are filled where targets and workers get them, and nowhere else."""

import json
from typing import Any

import pytest

from tests.support.api import Api
from tests.support.execution.telling import ALERTS
from tests.support.factories import TENANT
from tests.support.pools.worker_requests import ACTION, BROKE, claim, say

MANUAL: dict[str, Any] = {"schedule": {"kind": "manual"}, "action": ACTION}
ALL = {
    "run": "{{run.id}} {{run.attempt}}",
    "at": ["{{run.scheduled_at}}", {"seconds": "{{ run.scheduled_epoch }}"}],
    "job": "{{job.id}}/{{job.name}}/{{tenant}}",
    "days": "{{date.previous}}..{{date}}",
    "months": "{{month.previous}}..{{month}}",
    "{{date}}": [1, 2.50, None, "no mark: {date} }} {"],
}


def sent(api: Api) -> list[Any]:
    """The payloads that targets got, in order."""
    return [json.loads(call.payload or "null") for call in api.world.target.calls]


def run_at_its_instant(api: Api, seconds: float) -> None:
    """Wait so long, and do everything that is due then."""
    api.world.clock.advance(seconds)
    api.world.tick()
    api.world.settle()


def test_each_mark_has_the_value_of_its_run(api: Api) -> None:
    """In every text, however deep; names of members and other values stay."""
    job = api.create(
        name='a "quoted" {{date}}', schedule={"kind": "immediate"}, payload=ALL, payload_marks={}
    )
    api.world.settle()
    (payload,) = sent(api)
    (call,) = api.world.target.calls

    assert payload == {
        "run": f"{call.attempt.run} 1",
        "at": ["2026-11-21T07:00:00.000Z", {"seconds": "1795244400"}],
        "job": f'{job["job_id"]}/a "quoted" {{{{date}}}}/{TENANT}',
        "days": "2026-11-20..2026-11-21",
        "months": "2026-10..2026-11",
        "{{date}}": [1, 2.5, None, "no mark: {date} }} {"],
    }


def test_a_payload_without_the_wish_is_sent_as_it_is(api: Api) -> None:
    """Text that happens to look like marks is text."""
    api.create(schedule={"kind": "immediate"}, payload={"a": "{{date}} {{nonsense}} {{"})
    api.world.settle()

    assert sent(api) == [{"a": "{{date}} {{nonsense}} {{"}]


@pytest.mark.parametrize(
    ("zone", "day", "month"),
    [
        (None, "2026-11-30", "2026-11"),
        ("Pacific/Auckland", "2026-12-01", "2026-12"),
        ("America/New_York", "2026-11-30", "2026-11"),
    ],
)
def test_days_are_those_of_the_zone_that_is_named(
    api: Api, zone: str | None, day: str, month: str
) -> None:
    """Half past twelve in London is tomorrow in Auckland."""
    job = api.create(
        schedule={"kind": "cron", "cron": "30 12 30 * *", "timezone": "UTC"},
        payload="{{date}} {{month}}",
        payload_marks={"timezone": zone},
    )
    preview = api.send("GET", f"/v1/jobs/{job['job_id']}").body["payload_marks"]
    run_at_its_instant(api, 9 * 86_400 + 5.5 * 3600)

    assert preview == {"timezone": zone}
    assert sent(api) == [f"{day} {month}"]


def test_the_zone_is_that_of_the_schedule_unless_named(api: Api) -> None:
    """A job at midnight in Berlin closes the day that ended there."""
    api.create(
        schedule={"kind": "cron", "cron": "0 0 22 * *", "timezone": "Europe/Berlin"},
        payload="{{date.previous}} {{run.scheduled_at}}",
        payload_marks={},
    )
    run_at_its_instant(api, 16 * 3600)

    assert sent(api) == ["2026-11-21 2026-11-21T23:00:00.000Z"]


def test_a_retry_changes_the_attempt_and_nothing_else(api: Api) -> None:
    """A late one too: the run's instant stays."""
    retry = {"delays_seconds": [86_400], "jitter": False}
    payload = "{{run.attempt}} {{run.scheduled_at}} {{date}}"
    api.trigger(api.create(**MANUAL, retry=retry, payload=payload, payload_marks={})["job_id"])
    (first,) = claim(api)
    say(api, "fail", first, error=BROKE, retryable=True)
    api.world.clock.advance(86_400)
    api.world.sweep()
    (second,) = claim(api)
    got = [first["payload"], second["payload"]]

    assert got == [f"{n} 2026-11-21T07:00:00.000Z 2026-11-21" for n in (1, 2)]


@pytest.mark.parametrize("more", ["", "x" * 2000])
def test_a_worker_of_a_pool_gets_it_filled(api: Api, more: str) -> None:
    """From the job, from a trigger's payload and from its patch; large ones too."""
    job_id = api.create(
        **MANUAL, payload={"day": "{{date}}", "more": more}, payload_marks={}, name="close"
    )["job_id"]
    for body in (
        {},
        {"payload": {"of": "{{job.name}}", "more": more}},
        {"payload_patch": {"of": "{{month}}"}},
    ):
        assert api.trigger(job_id, body).status == 202
    got = [run["payload"] for run in claim(api, max=9)]

    day = {"day": "2026-11-21", "more": more}
    assert len(got) == 3
    assert day in got
    assert {"of": "close", "more": more} in got
    assert day | {"of": "2026-11"} in got


def test_a_corrected_payload_is_filled(api: Api) -> None:
    """With the instant that the run has always had."""
    job_id = api.create(**MANUAL, payload_marks={}, retry={"max_attempts": 1})["job_id"]
    api.trigger(job_id)
    (run,) = claim(api)
    say(api, "fail", run, error=BROKE)
    api.world.clock.advance(86_400)
    path = f"/v1/dead-letters/{run['run_id']}/redrive"
    refused = api.send("POST", path, {"payload": "{{dat}}"})
    api.send("POST", path, {"payload": "{{date}} {{run.attempt}}"})
    (again,) = claim(api)

    assert refused.fields == [("payload", "unknown_mark")]
    assert again["payload"] == "2026-11-21 2"


def test_a_follow_up_gets_what_its_parents_target_got(api: Api) -> None:
    """Down the chain, whatever the later jobs say of marks; its result is data."""
    then = {"on": ["succeeded"], "payload": "parent"}
    last = api.create(**MANUAL, payload_marks={})["job_id"]
    told = api.create(**MANUAL, payload_marks={})["job_id"]
    second = api.create(**MANUAL, then=[{**then, "job_id": last}])["job_id"]
    result = {"job_id": told, "on": ["succeeded"], "payload": "result"}
    first = api.create(
        **MANUAL,
        payload="{{date}} {{run.id}} {{run.attempt}}",
        payload_marks={"timezone": "Pacific/Auckland"},
        then=[{**then, "job_id": second}, result],
    )["job_id"]
    api.trigger(first)
    (one,) = claim(api)
    say(api, "complete", one, result="{{date}}")
    api.world.clock.advance(86_400)
    api.world.settle()
    by_job = {run["job_id"]: run for run in claim(api, max=9)}
    say(api, "complete", by_job[second])
    api.world.settle()
    (three,) = claim(api)

    assert one["payload"] == f"2026-11-21 {one['run_id']} 1"
    assert by_job[second]["payload"] == three["payload"] == one["payload"]
    assert by_job[told]["payload"]["result"] == "{{date}}"


@pytest.mark.parametrize(
    ("schedule", "day"),
    [
        ({"kind": "cron", "cron": "0 0 24 * *", "timezone": "Europe/Rome"}, "2026-11-24"),
        ({"kind": "manual"}, "2026-11-21"),
    ],
)
def test_a_validation_shows_what_the_first_run_would_send(
    api: Api, schedule: dict[str, Any], day: str
) -> None:
    """That of the first instant, or one that is triggered now; nothing without the wish."""
    new = {"name": "a", "action": ACTION, "schedule": schedule, "payload": ["{{date}}"]}
    shown = api.send("POST", "/v1/jobs/validate", {**new, "payload_marks": {}}).body
    plain = api.send("POST", "/v1/jobs/validate", new).body
    wrong = {**new, "payload": "{{dat}}", "payload_marks": {}}
    refused = api.send("POST", "/v1/jobs/validate", wrong).body

    assert shown["payload_example"] == [day]
    assert shown["definition"]["payload"] == ["{{date}}"]
    assert plain["payload_example"] is None
    assert refused["payload_example"] is None


@pytest.mark.parametrize("more", ["", "x" * 2000])
def test_a_run_is_shown_with_what_its_target_gets(api: Api, more: str) -> None:
    """Its job's or its own, if asked for; and as it was written otherwise."""
    written = {"day": "{{date}} {{run.attempt}}", "more": more}
    job_id = api.create(**MANUAL, payload=written, payload_marks={})["job_id"]
    of_job = api.trigger(job_id).body["run_id"]
    own = api.trigger(job_id, {"payload": written}).body["run_id"]
    shown = [api.send("GET", f"/v1/runs/{each}?filled=true").body for each in (of_job, own)]
    plain = [api.send("GET", f"/v1/runs/{each}").body for each in (of_job, own)]
    got = [run["payload"] for run in claim(api, max=9)]

    assert [run["payload"] for run in shown] == got == [written | {"day": "2026-11-21 1"}] * 2
    assert [run["payload"] for run in plain] == [None, written]
    assert [run["payload_from"] for run in shown] == ["job", "run"]


def test_a_notification_is_shown_without_the_payload_of_its_job(api: Api) -> None:
    """Its receiver gets the message."""
    told = [{"url": ALERTS, "on": ["succeeded"]}]
    job = api.create(payload=["{{date}}"], payload_marks={}, notifications=told)
    run_id = api.trigger(job["job_id"]).body["run_id"]
    api.world.settle()
    (notice,) = api.send("GET", f"/v1/runs/{run_id}/notifications").body["items"]
    shown = api.send("GET", f"/v1/runs/{notice['notification_id']}?filled=true").body

    assert (shown["payload"], shown["message"]) == (None, notice["message"])


def test_a_run_without_marks_is_shown_with_what_is_sent(api: Api) -> None:
    """That of another tenant is not there."""
    api.trigger(api.create(**MANUAL, payload="{{date}}")["job_id"])
    (run,) = claim(api)
    path = f"/v1/runs/{run['run_id']}"
    shown = api.send("GET", f"{path}?filled=true").body
    foreign = api.send("GET", f"{path}?filled=true", tenant="other")
    misspelt = api.send("GET", f"{path}?filled=maybe")

    assert shown["payload"] == "{{date}}"
    assert foreign.status == 404
    assert misspelt.status == 400
