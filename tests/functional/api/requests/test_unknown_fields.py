"""Fields that no contract has: the answer says which one may be meant."""

from typing import Any

import pytest

from tests.support.api import Api

WEBHOOK: dict[str, Any] = {"type": "webhook", "url": "https://example.com/hook"}
CRON: dict[str, Any] = {"kind": "cron", "cron": "0 9 * * *"}
NO_FIELD = "There is no such field here."


def job(**fields: object) -> dict[str, Any]:
    """A job, with these fields."""
    return {"name": "report", "schedule": CRON, "action": WEBHOOK, **fields}


@pytest.mark.parametrize(
    ("body", "field", "meant"),
    [
        pytest.param(job(prioritys="low"), "prioritys", "priority", id="plural"),
        pytest.param(job(Tags={}), "Tags", "tags", id="capital"),
        pytest.param(job(retry={"attempts": 3}), "retry.attempts", "max_attempts", id="inner"),
        pytest.param(
            job(schedule={**CRON, "zone": "UTC"}), "schedule.zone", "timezone", id="of-its-kind"
        ),
        pytest.param(
            job(schedule={"kind": "union", "any_of": [{**CRON, "zone": "UTC"}]}),
            "schedule.any_of.0.zone",
            "timezone",
            id="of-a-member",
        ),
        pytest.param(
            job(notifications=[{**WEBHOOK, "on": ["failed"], "urls": []}]),
            "notifications.0.urls",
            "url",
            id="in-a-list",
        ),
    ],
)
def test_a_field_that_is_alike_is_named(
    api: Api, body: dict[str, Any], field: str, meant: str
) -> None:
    """By its name in the place where the caller wrote the other."""
    answer = api.send("POST", "/v1/jobs", body)

    assert (answer.status, answer.fields) == (400, [(field, "unknown_field")])
    assert answer.body["errors"][0]["detail"] == f"{NO_FIELD} Did you mean {meant}?"


def test_few_fields_are_listed_where_none_is_alike(api: Api) -> None:
    """A task of a DAG takes no job's fields: the caller sees what it takes."""
    answer = api.send("POST", "/v1/dags", {"name": "d", "tasks": [{"key": "a", "payload": 1}]})
    detail = answer.body["errors"][0]["detail"]

    assert answer.body["errors"][0]["field"] == "tasks.0.payload"
    assert detail.startswith(f"{NO_FIELD} There are: ")
    assert {"key", "job_id"} <= {*detail.removesuffix(".").split(": ")[1].split(", ")}


@pytest.mark.parametrize("name", ["x" * 100_000, "", "0", "é", "\u202e"])
def test_many_fields_are_not_listed(api: Api, name: str) -> None:
    """Thirty names of which none is meant say nothing."""
    answer = api.send("POST", "/v1/jobs", job(**{name: 1}))

    assert answer.body["errors"][0]["detail"] == NO_FIELD


def test_a_parameter_of_a_query_is_named_likewise(api: Api) -> None:
    """A listing refuses a filter that it does not know."""
    answer = api.send("GET", "/v1/jobs?statuss=active")

    assert answer.body["errors"][0]["detail"] == f"{NO_FIELD} Did you mean status?"


@pytest.mark.parametrize(
    ("schedule", "field", "owners"),
    [
        ({"kind": "immediate", "timezone": "UTC"}, "timezone", "other kinds: "),
        ({"kind": "manual", "max_runs": 3}, "max_runs", "other kinds: "),
        ({"kind": "immediate", "rrule": "FREQ=DAILY"}, "rrule", "another kind: rrule."),
        ({"kind": "rate", "every_seconds": 300, "timezone": "UTC"}, "timezone", "other kinds"),
    ],
)
def test_a_field_of_other_kinds_is_said_to_be_theirs(
    api: Api, schedule: dict[str, Any], field: str, owners: str
) -> None:
    """The field exists, and another kind takes it."""
    answer = api.send("POST", "/v1/jobs", job(schedule=schedule))

    assert answer.fields == [(f"schedule.{field}", "unknown_field")]
    assert answer.body["errors"][0]["detail"].startswith(f"{NO_FIELD} It belongs to {owners}")


def test_a_field_of_other_members_of_a_union_of_schedules_is_theirs(api: Api) -> None:
    """The alternatives of a member are those of its own list."""
    member = {"kind": "rate", "every_seconds": 60, "cron": "0 9 * * *"}
    answer = api.send("POST", "/v1/jobs", job(schedule={"kind": "union", "any_of": [member]}))

    assert answer.fields == [("schedule.any_of.0.cron", "unknown_field")]
    assert answer.body["errors"][0]["detail"] == f"{NO_FIELD} It belongs to another kind: cron."


def test_a_field_of_another_action_is_said_to_be_its(api: Api) -> None:
    """Types of actions are alternatives as kinds of schedules are."""
    answer = api.send("POST", "/v1/jobs", job(action={**WEBHOOK, "function_arn": "x"}))

    assert answer.fields == [("action.function_arn", "unknown_field")]
    assert answer.body["errors"][0]["detail"] == f"{NO_FIELD} It belongs to another type: lambda."
