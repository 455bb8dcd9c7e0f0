"""Fields that few requests have: each is taken, stored, and shown as it was written."""

from typing import Any

import pytest

from tests.support.api import Api

SECRET = {
    "secret_arn": "arn:aws:secretsmanager:eu-central-1:111122223333:secret:timegate-target/acme/x"
}
WORK = {"action": {"type": "worker", "pool": "etl", "handler": "work"}}
JOB = {"name": "n", "schedule": {"kind": "rate", "every_seconds": 60}, **WORK}
DAG = {"name": "n", "tasks": [{"key": "a", "job": WORK}], "edges": []}
RULE = {
    "when": {"dead_letter": True},
    "channels": [{"type": "webhook", "url": "https://a.example.com/"}],
}
ECS = {
    "type": "ecs",
    "cluster_arn": "arn:aws:ecs:us-east-1:111122223333:cluster/timegate-target-a",
    "task_definition": "arn:aws:ecs:us-east-1:111122223333:task-definition/timegate-target-a",
    "container": "main",
    "subnets": ["subnet-0a"],
    "command": ["load", "--all"],
    "security_groups": ["sg-0a"],
    "public_ip": True,
    "capacity": "FARGATE_SPOT",
    "platform_version": "1.4.0",
}
TOPIC = "arn:aws:sns:us-east-1:111122223333:timegate-target-a"
DAILY = {"kind": "rrule", "rrule": "FREQ=DAILY", "starts_at": "2026-11-22T07:00:00.000Z"}
CHANNELS: list[dict[str, object]] = [
    {"type": "webhook", "url": "https://a.example.com/", "signing_secret": SECRET},
    {"type": "sns", "topic_arn": TOPIC},
    {
        "type": "eventbridge",
        "bus_arn": "arn:aws:events:us-east-1:111122223333:event-bus/timegate-target-a",
    },
    {"type": "slack", "url_secret": SECRET},
    {"type": "teams", "url_secret": SECRET},
]
QUIET = {
    "timezone": "Europe/Rome",
    "windows": [{"weekdays": ["mon", "tue"], "opens": "22:00", "closes": "06:00"}],
}
ABSENT = {"for_seconds": 3600, "at": "08:00", "timezone": "Europe/Rome", "weekdays": ["mon"]}
WIDE = {"over": "parameters.files", "join": {"kind": "at_least", "count": 1}, "max_width": 3}


def holds(shown: Any, written: Any) -> bool:  # noqa: ANN401 - any JSON
    """Tell if an answer has all that was written; it may say more."""
    if isinstance(written, dict):
        return all(name in shown and holds(shown[name], part) for name, part in written.items())
    if isinstance(written, list):
        return len(shown) == len(written) and all(map(holds, shown, written))
    return bool(shown == written)


@pytest.mark.parametrize(
    "fields",
    [
        {"action": ECS},
        {
            "action": {"type": "sns", "topic_arn": TOPIC, "message_structure": "json"},
            "payload": {"default": "a"},
        },
        {"schedule": DAILY | {"timezone": "Europe/Rome", "dst": "fixed"}},
        {"long_run": {"max_duration_seconds": 600, "max_slices": 3}},
        {"list_runs": "failures"},
        {"payload": ["{{date}}"], "payload_marks": {"timezone": "Europe/Rome"}},
        {"payload": {"n": 1}, "payload_schema": {"type": "object", "title": "\u00e9"}},
        {"description": "Each night.", "metadata": {"owner": "data"}},
        {"absent_after_seconds": 7_200, "late_after_seconds": 60, "start_within_seconds": 90},
        {"finish_by": {"time": "08:00", "timezone": "Europe/Rome"}},
        *({"notifications": [{**each, "on": ["failed", "succeeded"]}]} for each in CHANNELS),
    ],
    ids="-".join,
)
def test_a_job_is_shown_as_it_was_written(api: Api, fields: dict[str, object]) -> None:
    """Created, created among others, validated, or changed."""
    own = JOB | fields
    created = api.send("POST", "/v1/jobs", own)
    many = api.send("POST", "/v1/jobs/bulk", {"jobs": [own]}, Idempotency_Key="many")
    checked = api.send("POST", "/v1/jobs/validate", own)
    plain = api.send("POST", "/v1/jobs", JOB).headers["location"]
    changed = api.send("PATCH", plain, fields)

    assert [each.status for each in (created, many, checked, changed)] == [201, 207, 200, 200]
    assert checked.body["valid"]
    read = api.send("GET", created.headers["location"]).body
    (item,) = many.body["items"]
    for shown in (read, item["job"], changed.body, api.send("GET", plain).body):
        assert holds(shown, fields)


@pytest.mark.parametrize(
    "fields",
    [
        {"metadata": {"owner": "data"}, "timeout_seconds": 4_000},
        {"absent_after_seconds": 7_200, "late_after_seconds": 60},
        {"finish_by": {"time": "08:00", "timezone": "Europe/Rome"}},
        {
            "tasks": [
                {
                    "key": "a",
                    "job": {
                        **WORK,
                        "payload": {"rows": 1},
                        "long_run": {"max_duration_seconds": 60},
                    },
                }
            ]
        },
        {"tasks": [{"key": "a", "job": WORK, "fan_out": WIDE}]},
        {
            "tasks": [
                {
                    "key": "a",
                    "job": WORK,
                    "fan_out": WIDE | {"join": {"kind": "share", "share": 0.5}},
                }
            ]
        },
    ],
    ids="-".join,
)
def test_a_dag_is_shown_as_it_was_written(api: Api, fields: dict[str, object]) -> None:
    """Created, validated, or changed."""
    own = DAG | {"schedule": JOB["schedule"]} | fields
    created = api.send("POST", "/v1/dags", own)
    checked = api.send("POST", "/v1/dags/validate", own)
    plain = api.send("POST", "/v1/dags", DAG | {"schedule": JOB["schedule"]}).headers["location"]
    changed = api.send("PATCH", plain, fields)

    assert [each.status for each in (created, checked, changed)] == [201, 200, 200]
    read = api.send("GET", created.headers["location"]).body
    for shown in (read, checked.body["definition"], changed.body):
        assert holds(shown, fields)


@pytest.mark.parametrize(
    "fields",
    [
        {
            "tags": {"team": "data"},
            "description": "Nightly jobs.",
            "jobs": {"tags": {"team": "data"}},
        },
        {"quiet_hours": QUIET},
        {
            "when": {
                "quota_refused": True,
                "absent": ABSENT,
                "recovered": True,
                "failures_in_a_row": 2,
            }
        },
        {"channels": CHANNELS},
    ],
    ids="-".join,
)
def test_a_rule_is_shown_as_it_was_written(api: Api, fields: dict[str, object]) -> None:
    """And its messages go to every kind of channel."""
    put = api.send("PUT", "/v1/notification-rules/nightly", RULE | fields)
    read = api.send("GET", "/v1/notification-rules/nightly").body
    (listed,) = api.send("GET", "/v1/notification-rules").body["items"]
    tried = api.send("POST", "/v1/notification-rules/nightly/test").body["messages"]

    assert put.status == 200
    assert holds(read, fields)
    assert listed == read == put.body
    assert len(tried) == len(read["channels"])


SPAN = {"from": "2026-11-20T00:00:00.000Z", "to": "2026-11-21T00:00:00.000Z"}


@pytest.mark.parametrize(
    ("path", "filter_"),
    [
        ("/v1/operations", {"kind": "rate", "priority": "high", "name": "n*", "status": "active"}),
        ("/v1/dead-letters/redrive", {**SPAN, "reason": "retries_exhausted", "error_code": "E"}),
        ("/v1/dead-letters/discard", SPAN),
        ("/v1/runs/redrive", {**SPAN, "late_seconds": 5, "state": ["failed"], "name": "n*"}),
        ("/v1/runs/cancel", {**SPAN, "name": "n*"}),
    ],
)
def test_an_operation_is_shown_with_its_filter(
    api: Api, path: str, filter_: dict[str, object]
) -> None:
    """At its start, by itself, and in the list."""
    kind = {"kind": "pause"} if path == "/v1/operations" else {}
    started = api.send("POST", path, {**kind, "filter": filter_}, Idempotency_Key="once")
    read = api.send("GET", f"/v1/operations/{started.body['operation_id']}").body
    (listed,) = api.send("GET", "/v1/operations").body["items"]

    assert started.status == 202
    assert listed == read
    assert holds(read["parameters"]["filter"], filter_)
