"""Payloads are held to the schema of their job wherever a caller gives one."""

from typing import Any

import pytest

from tests.support.api import Answer, Api, new_job
from tests.support.pools.worker_requests import ACTION, BROKE, claim, say

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "rows": {"type": "integer", "minimum": 1, "description": "Rows of a page."},
        "day": {"type": "string", "format": "date"},
    },
    "required": ["rows"],
    "additionalProperties": False,
}
MANUAL: dict[str, Any] = {"schedule": {"kind": "manual"}, "action": ACTION}
GOOD, BAD = {"rows": 1}, {"rows": "1", "more": True}
FAULTS = [("payload/rows", "wrong_type"), ("payload/more", "unknown_field")]


def held(api: Api, **fields: Any) -> str:  # noqa: ANN401 - any field
    """A job with the schema."""
    return str(api.create(**MANUAL, payload_schema=SCHEMA, **fields)["job_id"])


def assert_refused(answer: Answer, faults: list[tuple[str, str]] | None = None) -> None:
    """The answer names each place that does not fit."""
    assert (answer.status, answer.code) == (422, "payload_mismatch"), answer.body
    assert answer.fields == (FAULTS if faults is None else faults)


def test_the_payload_of_the_job_is_held_to_it(api: Api) -> None:
    """At creation, at each change of the one or the other, and in its preview."""
    job_id = held(api, payload=GOOD)
    path, plain = f"/v1/jobs/{job_id}", api.create(**MANUAL, payload=BAD)["job_id"]
    for answer in (
        api.send("POST", "/v1/jobs", new_job(**MANUAL, payload=BAD, payload_schema=SCHEMA)),
        api.send("PATCH", path, {"payload": BAD}),
        api.send("POST", f"{path}/preview", {"payload": BAD}),
        api.send("PATCH", f"/v1/jobs/{plain}", {"payload_schema": SCHEMA}),
    ):
        assert_refused(answer)
    both = api.send("PATCH", path, {"payload": "x", "payload_schema": {"type": "string"}})

    assert (both.status, both.body["payload_schema"]) == (200, {"type": "string"})
    assert api.send("PATCH", path, {"payload_schema": None, "payload": BAD}).status == 200


def test_names_of_a_payload_are_in_no_log(api: Api) -> None:
    """They are data, such as addresses of people; the caller is told them."""
    named = {"rows": 1, "ada@example.com": {"password": "x"}}
    answers = [
        api.trigger(held(api), {"payload": {"rows": 1, "ada@example.com": 1, "bob": 2}}),
        api.trigger(held(api), {"payload": named}),
    ]
    lines = [event.fields for event in api.world.telemetry.named("request_refused")]

    assert [answer.fields[0][0] for answer in answers] == [
        "payload/ada@example.com",
        "payload.ada@example.com.password",
    ]
    assert [line["fields"] for line in lines] == [
        ["payload:unknown_field"],
        ["payload:plaintext_secret"],
    ]


@pytest.mark.parametrize("large", [0, 2000])
def test_a_stored_payload_is_read_for_a_new_schema(api: Api, large: int) -> None:
    """A large one as well."""
    job_id = api.create(**MANUAL, payload={"text": "x" * large})["job_id"]
    small = {"type": "object", "properties": {"text": {"type": "string", "maxLength": 1000}}}
    answer = api.send("PATCH", f"/v1/jobs/{job_id}", {"payload_schema": small})

    assert (answer.status, answer.body["version"] if not large else answer.fields) == (
        (422, [("payload/text", "too_long")]) if large else (200, 2)
    )


def test_a_job_that_runs_by_itself_needs_a_payload_that_fits(api: Api) -> None:
    """One that is triggered alone may leave it to its triggers."""
    daily = {"kind": "cron", "cron": "0 3 * * *"}
    assert_refused(
        api.send("POST", "/v1/jobs", new_job(schedule=daily, payload_schema=SCHEMA)),
        [("payload", "missing")],
    )
    job_id = held(api)
    assert_refused(
        api.send("PATCH", f"/v1/jobs/{job_id}", {"schedule": daily}), [("payload", "missing")]
    )
    nullable = {"type": ["object", "null"]}

    assert api.create(schedule=daily, payload_schema=nullable)["payload"] is None


def test_the_payload_of_every_trigger_is_held_to_it(api: Api) -> None:
    """Whole, merged, none at all, and the job's own where it has none."""
    job_id = held(api, payload=GOOD)
    bare = held(api)
    assert_refused(api.trigger(job_id, {"payload": BAD}))
    assert_refused(api.trigger(job_id, {"payload_patch": BAD}))
    assert_refused(
        api.trigger(job_id, {"payload_patch": {"rows": None}}), [("payload/rows", "missing")]
    )
    assert_refused(api.trigger(job_id, {"payload": None}), [("payload", "missing")])
    assert_refused(api.trigger(bare), [("payload", "missing")])
    assert_refused(api.trigger(bare, {"payload": BAD, "collapse": {"span_seconds": 5}}))
    accepted = [
        api.trigger(job_id),
        api.trigger(job_id, {"payload": {"rows": 2}}),
        api.trigger(job_id, {"payload_patch": {"day": "2026-11-30"}}),
        api.trigger(bare, {"payload": GOOD}),
    ]

    assert [answer.status for answer in accepted] == [202] * 4
    assert len(claim(api, max=9)) == 4


def test_a_batch_is_decided_trigger_by_trigger(api: Api) -> None:
    """A trigger that does not fit stops no other, and its places are named."""
    job_id = held(api)
    body = {"triggers": [{"payload": GOOD}, {"payload": BAD}]}
    first, second = api.send("POST", f"/v1/jobs/{job_id}/trigger/batch", body).body["items"]

    assert (first["status"], second["status"]) == (202, 422)
    assert second["error"]["code"] == "payload_mismatch"
    assert [each["field"] for each in second["error"]["errors"]] == [
        "triggers.1.payload/rows",
        "triggers.1.payload/more",
    ]


def test_many_jobs_and_a_validation_say_the_same(api: Api) -> None:
    """Each names every place."""
    bad = new_job(**MANUAL, payload=BAD, payload_schema=SCHEMA)
    (item,) = api.send("POST", "/v1/jobs/bulk", {"jobs": [bad]}).body["items"]
    valid = api.send("POST", "/v1/jobs/validate", bad).body

    assert [each["field"] for each in item["error"]["errors"]] == [
        "jobs.0.payload/rows",
        "jobs.0.payload/more",
    ]
    assert not valid["valid"]
    assert [(each["field"], each["code"]) for each in valid["errors"]] == FAULTS
    assert valid["definition"]["payload_schema"] == SCHEMA


def test_a_corrected_payload_is_held_to_it_and_the_runs_own_is_not(api: Api) -> None:
    """A run that is tried again is the run that was accepted."""
    job_id = held(api, retry={"max_attempts": 1})
    api.trigger(job_id, {"payload": GOOD})
    (run,) = claim(api)
    say(api, "fail", run, error=BROKE)
    path = f"/v1/dead-letters/{run['run_id']}/redrive"
    assert_refused(api.send("POST", path, {"payload": BAD}))
    many = {"filter": {"job_id": job_id}, "payload": BAD}
    assert_refused(api.send("POST", "/v1/dead-letters/redrive", many))
    assert_refused(api.send("POST", path, {"payload": None}), [("payload", "missing")])
    api.send("PATCH", f"/v1/jobs/{job_id}", {"payload_schema": {"type": "string"}})

    assert api.send("POST", path).status == 202
    assert [each["payload"] for each in claim(api)] == [GOOD]


def test_a_run_like_an_earlier_one_is_held_to_the_schema_of_today(api: Api) -> None:
    """The earlier run was accepted under another."""
    job_id = held(api)
    api.trigger(job_id, {"payload": GOOD})
    (run,) = claim(api)
    like = {"like_run_id": run["run_id"]}
    assert api.trigger(job_id, like).status == 202
    narrower = SCHEMA | {"required": ["rows", "day"]}
    api.send("PATCH", f"/v1/jobs/{job_id}", {"payload_schema": narrower})

    assert_refused(api.trigger(job_id, like), [("payload/day", "missing")])
    assert api.trigger(job_id, {**like, "payload_patch": {"day": "2026-11-30"}}).status == 202


def test_pending_runs_keep_what_they_were_given(api: Api) -> None:
    """A new schema is for payloads that come after it."""
    job_id = held(api)
    api.trigger(job_id, {"payload": GOOD, "delay_seconds": 60})
    api.send("PATCH", f"/v1/jobs/{job_id}", {"payload_schema": {"type": "string"}})
    api.world.clock.advance(60)
    api.world.tick()
    api.world.settle()

    assert [each["payload"] for each in claim(api)] == [GOOD]


def test_a_repeated_trigger_meets_its_run_whatever_the_schema_is_by_now(api: Api) -> None:
    """Its key says that it was accepted."""
    job_id = held(api)
    key = {"idempotency-key": "a"}
    first = api.trigger(job_id, {"payload": GOOD}, **key)
    api.send("PATCH", f"/v1/jobs/{job_id}", {"payload_schema": {"type": "string"}})
    again = api.trigger(job_id, {"payload": GOOD}, **key)

    assert (again.status, again.body["run_id"]) == (200, first.body["run_id"])


def test_marks_are_filled_before_a_payload_is_held_to_it(api: Api) -> None:
    """The schema speaks of what the target gets."""
    fields: dict[str, Any] = {**MANUAL, "payload_marks": {}, "payload_schema": SCHEMA}
    job_id = api.create(**fields, payload={"rows": 1, "day": "{{date}}"})["job_id"]
    bad = {"rows": 1, "day": "on {{date}}"}
    faults = [("payload/day", "invalid_format")]
    assert_refused(api.send("POST", "/v1/jobs", new_job(**fields, payload=bad)), faults)
    assert_refused(api.trigger(job_id, {"payload": bad}), faults)
    assert_refused(api.send("PATCH", f"/v1/jobs/{job_id}", {"payload_marks": None}), faults)

    assert api.trigger(job_id, {"payload": {"rows": 1, "day": "{{date.previous}}"}}).status == 202


def test_no_default_is_filled_in(api: Api) -> None:
    """The target gets what the caller gave."""
    schema = {"type": "object", "properties": {"rows": {"type": "integer", "default": 5}}}
    job_id = api.create(**MANUAL, payload_schema=schema)["job_id"]
    api.trigger(job_id, {"payload": {}})

    assert [each["payload"] for each in claim(api)] == [{}]


def test_no_place_of_another_is_shown(api: Api) -> None:
    """Members that look like credentials are hidden in pointers; so many places are named."""
    job_id = held(api)
    names = {f"m{number}": 1 for number in range(100)} | {"rows": 1}
    answer = api.trigger(job_id, {"payload": names})

    assert len(answer.body["errors"]) == 20
