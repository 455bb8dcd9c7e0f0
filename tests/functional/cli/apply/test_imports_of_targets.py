"""``timegate import eventbridge``: targets become actions, tasks of ECS among them."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from tests.functional.cli.apply.test_imports import Timegate, documents, imported
from tests.functional.cli.conftest import Outcome
from tests.functional.cli.served import served, timegate
from timegate.cli.migrating.aws.eventbridge import described_schedules

__all__ = ["served", "timegate"]

CLUSTER = "arn:aws:ecs:eu-central-1:111122223333:cluster/timegate-target-acme-batch"
TASK = "arn:aws:ecs:eu-central-1:111122223333:task-definition/timegate-target-acme-close:7"
PARAMETERS: dict[str, Any] = {
    "TaskDefinitionArn": TASK,
    "LaunchType": "FARGATE",
    "TaskCount": 1,
    "PlatformVersion": "1.4.0",
    "NetworkConfiguration": {
        "awsvpcConfiguration": {
            "Subnets": ["subnet-0a"],
            "SecurityGroups": ["sg-0b"],
            "AssignPublicIp": "ENABLED",
        }
    },
}
OVERRIDE: dict[str, Any] = {"containerOverrides": [{"name": "app", "command": ["close", "--all"]}]}


def read(
    timegate: Timegate,
    tmp_path: Path,
    *options: str,
    override: object = OVERRIDE,
    **parameters: object,
) -> Outcome:
    """Import one schedule; ``None`` for a parameter leaves it out."""
    given = {name: each for name, each in (PARAMETERS | parameters).items() if each is not None}
    target = {"Arn": CLUSTER, "EcsParameters": given, "RoleArn": "arn:aws:iam::1:role/x"}
    if override is not None:
        target["Input"] = override if isinstance(override, str) else json.dumps(override)
    schedule = {"Name": "close", "ScheduleExpression": "rate(1 day)", "Target": target}
    return imported(timegate, tmp_path, "eventbridge", json.dumps(schedule), *options)


@pytest.mark.parametrize(
    ("target", "action"),
    [
        (
            {"Arn": "arn:aws:sns:eu-central-1:111122223333:told"},
            {"type": "sns", "topic_arn": "arn:aws:sns:eu-central-1:111122223333:told"},
        ),
        (
            {
                "Arn": "arn:aws:events:eu-central-1:111122223333:event-bus/default",
                "EventBridgeParameters": {"Source": "billing", "DetailType": "closed"},
            },
            {
                "type": "eventbridge",
                "bus_arn": "arn:aws:events:eu-central-1:111122223333:event-bus/default",
                "source": "billing",
                "detail_type": "closed",
            },
        ),
    ],
    ids=["topic", "bus"],
)
def test_targets_become_actions(
    timegate: Timegate, tmp_path: Path, target: dict[str, Any], action: dict[str, Any]
) -> None:
    """With their parameters."""
    schedule = {"Name": "a", "ScheduleExpression": "rate(1 day)", "Target": target}
    outcome = imported(timegate, tmp_path, "eventbridge", json.dumps(schedule))

    assert documents(outcome)["a"]["action"] == action


def test_a_task_becomes_a_job(timegate: Timegate, tmp_path: Path) -> None:
    """It may last as long as a task here can, and is not repeated: EventBridge repeats none."""
    outcome = read(timegate, tmp_path)

    assert outcome.code == 0
    assert documents(outcome)["close"] == {
        "schedule": {"kind": "rate", "every_seconds": 86_400},
        "action": {
            "type": "ecs",
            "cluster_arn": CLUSTER,
            "task_definition": TASK,
            "container": "app",
            "command": ["close", "--all"],
            "subnets": ["subnet-0a"],
            "security_groups": ["sg-0b"],
            "public_ip": True,
            "capacity": "FARGATE",
            "platform_version": "1.4.0",
        },
        "retry": {"max_attempts": 1},
        "timeout_seconds": 86_400,
    }
    assert "close: warning [task]" in outcome.err
    assert "ecs_parameters" not in outcome.err


@pytest.mark.parametrize(
    ("strategy", "capacity"),
    [
        ([{"capacityProvider": "FARGATE_SPOT"}], "FARGATE_SPOT"),
        (
            [
                {"capacityProvider": "FARGATE", "base": 1, "weight": 0},
                {"capacityProvider": "FARGATE_SPOT", "weight": 1},
            ],
            "FARGATE",
        ),
        (
            [
                {"capacityProvider": "FARGATE", "weight": 0},
                {"capacityProvider": "FARGATE_SPOT", "weight": 1},
            ],
            "FARGATE_SPOT",
        ),
    ],
    ids=["one", "base", "weight"],
)
def test_a_strategy_names_the_capacity_of_its_first_task(
    timegate: Timegate, tmp_path: Path, strategy: list[dict[str, Any]], capacity: str
) -> None:
    """The base comes first, and then a weight alone."""
    outcome = read(timegate, tmp_path, LaunchType=None, CapacityProviderStrategy=strategy)

    assert documents(outcome)["close"]["action"]["capacity"] == capacity


def test_parameters_that_a_job_does_not_have_are_named(timegate: Timegate, tmp_path: Path) -> None:
    """The job is written without them."""
    outcome = read(timegate, tmp_path, Group="nightly", Tags=[{"team": "data"}])

    assert outcome.code == 0
    assert "close: warning [ecs_parameters]: A job has no Group, Tags." in outcome.err


def test_a_container_keeps_its_command(timegate: Timegate, tmp_path: Path) -> None:
    """Unless the override has another one."""
    override = {"containerOverrides": [{"name": "app"}]}
    outcome = read(timegate, tmp_path, override=override)

    assert "command" not in documents(outcome)["close"]["action"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"TaskCount": 2}, "TaskCount is more"),
        ({"TaskDefinitionArn": None}, "names no task definition"),
        ({"LaunchType": "EC2"}, "not on EC2"),
        ({"LaunchType": None}, "not on EC2"),
        (
            {
                "LaunchType": None,
                "CapacityProviderStrategy": [
                    {"capacityProvider": "FARGATE", "weight": 1},
                    {"capacityProvider": "FARGATE_SPOT", "weight": 1},
                ],
            },
            "not on FARGATE, FARGATE_SPOT",
        ),
        ({"override": None}, "names no container"),
        ({"override": "text"}, "is no JSON"),
        ({"override": []}, "is no JSON object"),
        ({"override": "[" * 100_000}, "is no JSON"),
        ({"override": {"containerOverrides": {"name": "a"}}}, "names no container"),
        ({"override": {"containerOverrides": [{"command": ["a"]}]}}, "names no container"),
        ({"override": {"containerOverrides": [{"name": "a"}, {"name": "b"}]}}, "or several"),
        (
            {"override": {**OVERRIDE, "taskRoleArn": "arn"}},
            "overrides taskRoleArn: put that into the task definition",
        ),
        (
            {"override": {"containerOverrides": [{"name": "app", "environment": []}]}},
            "overrides environment",
        ),
    ],
)
def test_a_task_that_no_job_can_run_is_refused(
    timegate: Timegate, tmp_path: Path, change: dict[str, Any], says: str
) -> None:
    """The report says why, in its own words."""
    outcome = read(timegate, tmp_path, **change)

    assert outcome.code == 1
    assert "close: refused [unsupported_target]" in outcome.err
    assert says in " ".join(outcome.err.split())


def test_a_command_within_an_address_is_one_value(timegate: Timegate, tmp_path: Path) -> None:
    """Its blanks, & and # are encoded; a mark that is the whole address stays as it is."""
    line = "0 1 * * * tidy --a & b #/\\%41\n"
    within = imported(
        timegate, tmp_path, "crontab", line, "--action-url", "https://example.com/run?c={command}"
    )
    address = "0 1 * * * https://example.com/run?a=1&b=2\n"
    whole = imported(timegate, tmp_path, "crontab", address, "--action-url", "{command}")

    (spec,) = documents(within).values()
    assert spec["action"]["url"] == "https://example.com/run?c=tidy%20--a%20%26%20b%20%23%2F%2541"
    assert spec["payload"]["command"] == "tidy --a & b #/%41"
    (spec,) = documents(whole).values()
    assert spec["action"]["url"] == "https://example.com/run?a=1&b=2"


@pytest.mark.parametrize(
    ("resource", "is_told"),
    [
        ("lambda:eu-central-1:1:function:told", True),
        ("states:eu-central-1:1:stateMachine:told", True),
        ("events:eu-central-1:1:event-bus/told", True),
        ("sqs:eu-central-1:1:told", False),
        ("sns:eu-central-1:1:told", False),
    ],
)
def test_an_input_within_a_document_is_named(
    timegate: Timegate, tmp_path: Path, resource: str, *, is_told: bool
) -> None:
    """A function that read its Input from the event finds it one member further in."""
    event = {"EventBridgeParameters": {"Source": "a", "DetailType": "b"}}
    target = {"Arn": f"arn:aws:{resource}", "Input": '{"kind": "daily"}', **event}
    schedule = {"Name": "a", "ScheduleExpression": "rate(1 day)", "Target": target}
    outcome = imported(timegate, tmp_path, "eventbridge", json.dumps(schedule))

    assert outcome.code == 0
    assert ("a: warning [envelope]: " in outcome.err) is is_told


QUEUE = "arn:aws:sqs:eu-central-1:111122223333:told"


@pytest.mark.parametrize(
    "wrong",
    [
        {"Target": "queue"},
        {"Target": {"Arn": QUEUE, "RetryPolicy": {"MaximumRetryAttempts": "many"}}},
        {"Target": {"Arn": QUEUE, "RetryPolicy": [3]}},
        {"Target": {"Arn": QUEUE, "SqsParameters": "group"}},
        {"Target": {"Arn": CLUSTER, "EcsParameters": True}},
        {"Target": {"Arn": QUEUE}, "FlexibleTimeWindow": "OFF"},
        {
            "Target": {"Arn": QUEUE},
            "FlexibleTimeWindow": {"Mode": "FLEXIBLE", "MaximumWindowInMinutes": "15"},
        },
    ],
)
def test_a_schedule_of_another_shape_is_refused(
    timegate: Timegate, tmp_path: Path, wrong: dict[str, Any]
) -> None:
    """And stops no other."""
    right = {"Name": "b", "ScheduleExpression": "rate(1 day)", "Target": {"Arn": QUEUE}}
    text = json.dumps([{"Name": "a", "ScheduleExpression": "rate(1 day)", **wrong}, right])
    outcome = imported(timegate, tmp_path, "eventbridge", text)

    assert outcome.code == 1
    assert "line 1 a: refused [wrong_type]" in outcome.err
    assert set(documents(outcome)) == {"b"}


def test_many_schedules_are_read_in_time() -> None:
    """An account may have a million: each is read once."""
    schedule = {"Name": "a", "ScheduleExpression": "rate(1 day)", "Target": "x" * 500}
    text = "\n".join([json.dumps(schedule)] * 5000)
    begin = time.process_time()
    found = described_schedules(text)

    assert [line for line, _ in found] == list(range(1, 5001))
    assert time.process_time() - begin < 1
