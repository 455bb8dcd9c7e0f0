"""Every refusal of a job names its field, a stable code, and the reason."""

from typing import Any

import pytest

from tests.functional.api.refused_actions import ACTIONS
from tests.support.api import Api, new_job

DATES = {"at": "2026-11-21T07:00:00Z"}


def cron(**fields: object) -> dict[str, object]:
    """A change of the schedule to a daily one."""
    return {"schedule": {"kind": "cron", "cron": "0 7 * * *", **fields}}


def rate(**fields: object) -> dict[str, object]:
    """A change of the schedule to one of every minute."""
    return {"schedule": {"kind": "rate", "every_seconds": 60, **fields}}


def at(instant: object) -> dict[str, object]:
    """A change of the schedule to one instant."""
    return {"schedule": {"kind": "at", "at": instant}}


def retry(**fields: object) -> dict[str, object]:
    """A change of the retry policy."""
    return {"retry": fields}


SCHEDULES = [
    (cron(timezone="Mars/Olympus"), "schedule.timezone", "unknown_timezone"),
    (cron(timezone="../../etc/passwd"), "schedule.timezone", "unknown_timezone"),
    (cron(timezone=""), "schedule.timezone", "too_short"),
    (cron(cron="0 7 31 2 *"), "schedule.cron", "never_fires"),
    (cron(cron="61 * * * *"), "schedule.cron", "invalid_cron"),
    (cron(cron="* * *"), "schedule.cron", "invalid_cron"),
    (cron(cron="@sometimes"), "schedule.cron", "invalid_cron"),
    (cron(gap="jump"), "schedule.gap", "invalid_choice"),
    (cron(ends_at="2026-11-20T00:00:00Z"), "schedule.ends_at", "never_fires"),
    (rate(every_seconds=0), "schedule.every_seconds", "too_small"),
    (rate(every_seconds=1.5), "schedule.every_seconds", "wrong_type"),
    (rate(max_runs=0), "schedule.max_runs", "too_small"),
    (rate(jitter_seconds=-1), "schedule.jitter_seconds", "too_small"),
    (cron(jitter_seconds=86_401), "schedule.jitter_seconds", "too_large"),
    (rate(jitter_seconds=1.5), "schedule.jitter_seconds", "wrong_type"),
    (rate(jitter_seconds=None), "schedule.jitter_seconds", "wrong_type"),
    (
        {"schedule": {"kind": "delay", "delay_seconds": 1, "jitter_seconds": 1}},
        "schedule.jitter_seconds",
        "unknown_field",
    ),
    (
        {"precision": "subsecond", **rate(jitter_seconds=1)},
        "schedule.jitter_seconds",
        "not_for_this_precision",
    ),
    (
        rate(starts_at="2027-01-02T00:00:00Z", ends_at="2027-01-01T00:00:00Z"),
        "schedule.ends_at",
        "ends_before_start",
    ),
    (at("2026-11-21T06:59:59.999Z"), "schedule.at", "in_the_past"),
    (at("2026-11-22T07:00:00"), "schedule.at", "no_utc_offset"),
    (at("tomorrow"), "schedule.at", "invalid_instant"),
    (at("2026-02-30T07:00:00Z"), "schedule.at", "invalid_instant"),
    (at("1794000000"), "schedule.at", "invalid_instant"),
    (at(1_794_000_000), "schedule.at", "wrong_type"),
    (at("9999-12-31T23:59:59-12:00"), "schedule.at", "out_of_range"),
    (at("0001-01-01T00:00:00Z"), "schedule.at", "out_of_range"),
    ({"schedule": {"kind": "delay", "delay_seconds": -1}}, "schedule.delay_seconds", "too_small"),
    (
        {"schedule": {"kind": "delay", "delay_seconds": 1e300}},
        "schedule.delay_seconds",
        "too_large",
    ),
    ({"schedule": {"kind": "delay"}}, "schedule.delay_seconds", "missing"),
    ({"schedule": {"kind": "immediate", "at": "x"}}, "schedule.at", "unknown_field"),
    ({"schedule": {"kind": "lunar"}}, "schedule.kind", "invalid_choice"),
    ({"schedule": {}}, "schedule.kind", "missing"),
    ({"schedule": None}, "schedule", "wrong_type"),
]
OTHERS = [
    ({"surprise": 1}, "surprise", "unknown_field"),
    ({"tenant": "globex"}, "tenant", "unknown_field"),
    ({"name": ""}, "name", "too_short"),
    ({"name": "x" * 201}, "name", "too_long"),
    ({"name": "a\nb"}, "name", "invalid_format"),
    ({"name": "a\x7fb"}, "name", "invalid_format"),
    ({"name": "a\x80b"}, "name", "invalid_format"),
    ({"name": "\x9b2J"}, "name", "invalid_format"),
    ({"description": "line\x85"}, "description", "invalid_format"),
    ({"tags": {"a": "\x9f"}}, "tags.a", "invalid_format"),
    ({"name": 5}, "name", "wrong_type"),
    ({"description": "x" * 2001}, "description", "too_long"),
    ({"priority": "urgent"}, "priority", "invalid_choice"),
    ({"resource_class": "huge"}, "resource_class", "invalid_choice"),
    ({"precision": "nanosecond"}, "precision", "invalid_choice"),
    ({"timeout_seconds": "30"}, "timeout_seconds", "wrong_type"),
    ({"timeout_seconds": 0}, "timeout_seconds", "too_small"),
    ({"timeout_seconds": 61}, "timeout_seconds", "too_large"),
    ({"timeout_seconds": 841, "resource_class": "long"}, "timeout_seconds", "too_large"),
    (retry(max_attempts=0), "retry.max_attempts", "too_small"),
    (retry(max_attempts=51), "retry.max_attempts", "too_large"),
    (retry(jitter=1), "retry.jitter", "wrong_type"),
    (retry(backoff="linear"), "retry.backoff", "invalid_choice"),
    (retry(window_seconds=0), "retry.window_seconds", "too_small"),
    (retry(breaker={"failures": 1}), "retry.breaker.failures", "too_small"),
    (retry(breaker={"failures": 11}), "retry.breaker.failures", "too_large"),
    (retry(breaker={"window_seconds": 0}), "retry.breaker.window_seconds", "too_small"),
    (retry(breaker=3), "retry.breaker", "wrong_type"),
    (retry(retry_on=["5xx"]), "retry.retry_on.0", "invalid_format"),
    (retry(give_up_on=["http 500"]), "retry.give_up_on.0", "invalid_format"),
    (retry(retry_on=["http_409"] * 21), "retry.retry_on", "too_long"),
    (retry(retry_on=["timeout"], give_up_on=["timeout"]), "retry.retry_on", "repeated"),
    (retry(initial_delay_seconds=-0.1), "retry.initial_delay_seconds", "too_small"),
    (
        retry(initial_delay_seconds=10, max_delay_seconds=9),
        "retry.initial_delay_seconds",
        "too_large",
    ),
    ({"delivery": "twice"}, "delivery", "invalid_choice"),
    ({"delivery": None}, "delivery", "invalid_choice"),
    ({"overlap": {"policy": "some"}}, "overlap.policy", "invalid_choice"),
    ({"overlap": {"max_concurrent": 0}}, "overlap.max_concurrent", "too_small"),
    ({"overlap": {"max_concurrent": 1_001}}, "overlap.max_concurrent", "too_large"),
    ({"overlap": {"concurrency_key": ""}}, "overlap.concurrency_key", "invalid_format"),
    ({"overlap": {"concurrency_key": "a b"}}, "overlap.concurrency_key", "invalid_format"),
    ({"overlap": {"limit": 2}}, "overlap.limit", "unknown_field"),
    ({"overlap": None}, "overlap", "wrong_type"),
    ({"catch_up": {"policy": "some"}}, "catch_up.policy", "invalid_choice"),
    ({"catch_up": {"limit": 0}}, "catch_up.limit", "too_small"),
    ({"catch_up": {"limit": 10_001}}, "catch_up.limit", "too_large"),
    ({"catch_up": {"window_seconds": 0}}, "catch_up.window_seconds", "too_small"),
    ({"catch_up": {"window_seconds": 31_536_001}}, "catch_up.window_seconds", "too_large"),
    ({"catch_up": {"window": 5}}, "catch_up.window", "unknown_field"),
    ({"catch_up": None}, "catch_up", "wrong_type"),
    ({"start_within_seconds": 0}, "start_within_seconds", "too_small"),
    ({"start_within_seconds": 86_401}, "start_within_seconds", "too_large"),
    ({"start_within_seconds": "5"}, "start_within_seconds", "wrong_type"),
    ({"tags": {str(n): "x" for n in range(21)}}, "tags", "too_long"),
    ({"tags": {"two words": "x"}}, "tags.two words", "invalid_format"),
    ({"tags": {"": "x"}}, "tags.", "too_short"),
    ({"tags": {"k": "x" * 257}}, "tags.k", "too_long"),
    ({"tags": ["k"]}, "tags", "wrong_type"),
    ({"metadata": {"k": None}}, "metadata.k", "wrong_type"),
    (
        {name: {str(n): "ö" * 256 for n in range(20)} for name in ("tags", "metadata")},
        "job",
        "definition_too_large",
    ),
    ({"payload": "x" * (256 * 1024)}, "payload", "payload_too_large"),
]


def name(case: tuple[Any, str, str]) -> str:
    """A case as its id."""
    return f"{case[1]}-{case[2]}"


@pytest.mark.parametrize("case", [*SCHEDULES, *ACTIONS, *OTHERS], ids=name)
def test_a_job_is_refused_with_its_field_code_and_reason(
    api: Api, case: tuple[dict[str, object], str, str]
) -> None:
    """400, nothing stored, and words a person can act on."""
    changes, field, code = case
    answer = api.send("POST", "/v1/jobs", new_job(**changes))

    assert (answer.status, answer.code) == (400, "invalid_request")
    assert answer.fields == [(field, code)]
    assert answer.body["errors"][0]["detail"] in answer.body["detail"]
    assert "pydantic" not in answer.body["detail"].lower()
    assert api.world.tables.jobs == {}


@pytest.mark.parametrize("case", [*SCHEDULES, *ACTIONS, *OTHERS], ids=name)
def test_a_change_is_refused_as_a_new_job_would_be(
    api: Api, case: tuple[dict[str, object], str, str]
) -> None:
    """The same field, code and status; the job stays as it was."""
    changes, field, code = case
    created = api.create()
    path = f"/v1/jobs/{created['job_id']}"
    answer = api.send("PATCH", path, changes)

    assert (answer.status, answer.fields) == (400, [(field, code)])
    assert api.send("GET", path).body == created


@pytest.mark.parametrize("field", ["name", "schedule", "action"])
def test_a_job_needs_a_name_a_schedule_and_an_action(api: Api, field: str) -> None:
    """Everything else has a default."""
    job = new_job()
    del job[field]
    answer = api.send("POST", "/v1/jobs", job)

    assert (answer.status, answer.fields) == (400, [(field, "missing")])


def test_every_wrong_field_is_named_at_once(api: Api) -> None:
    """No caller has to send a job ten times to learn of ten mistakes."""
    answer = api.send("POST", "/v1/jobs", new_job(name=1, priority="urgent", retry={"x": 1}))

    assert answer.fields == [
        ("name", "wrong_type"),
        ("priority", "invalid_choice"),
        ("retry.x", "unknown_field"),
    ]
    assert answer.body["detail"] == "3 fields are invalid."


def test_an_answer_stays_small_however_much_is_wrong(api: Api) -> None:
    """A refusal is no amplifier."""
    strange = {f"{number}{'x' * 500}": 1 for number in range(500)}
    answer = api.send("POST", "/v1/jobs", new_job(**strange))

    assert len(answer.body["errors"]) == 20
    assert max(len(error["field"]) for error in answer.body["errors"]) == 100


def test_the_longest_timeouts_are_those_that_executors_survive(api: Api) -> None:
    """60 s for short runs, 840 s for long ones."""
    short = api.create(timeout_seconds=60)
    long = api.create(timeout_seconds=840, resource_class="long")

    assert (short["timeout_seconds"], long["timeout_seconds"]) == (60, 840)


def test_text_beside_the_control_characters_is_taken(api: Api) -> None:
    """The last character before those of C1, and the first behind them."""
    job = api.create(name="a~b\xa0c", description="tab\tand line\n~\xa0", tags={"a": "~\xa0"})

    assert (job["name"], job["tags"]) == ("a~b\xa0c", {"a": "~\xa0"})
