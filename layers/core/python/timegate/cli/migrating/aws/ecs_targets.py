"""Targets of EventBridge Scheduler that run tasks of ECS.

Source: the API references of EventBridge Scheduler, ``EcsParameters``, and of ECS,
``TaskOverride``: the target's ``Input`` is that override.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from timegate.cli.migrating.entries import Note, part_of
from timegate.domain.actions.kinds.ecs import Capacity
from timegate.domain.jobs.rules.job_rules import MAX_WORKER_TIMEOUT_SECONDS
from timegate.domain.values.errors import InvalidInput

#: Parameters that say which task runs, and where.
_READ = {
    "TaskDefinitionArn",
    "NetworkConfiguration",
    "PlatformVersion",
    "LaunchType",
    "CapacityProviderStrategy",
    "TaskCount",
}


def fields_of_task(cluster_arn: str, target: Mapping[str, Any]) -> dict[str, Any]:
    """Map a target to ``action``, ``retry`` and ``timeout_seconds``.

    An attempt is a whole task, and EventBridge repeats no task that failed. Raises
    ``InvalidInput`` with code ``unsupported_target``.
    """
    return {
        "action": _action(cluster_arn, target),
        "retry": {"max_attempts": 1},
        "timeout_seconds": MAX_WORKER_TIMEOUT_SECONDS,
    }


def notes_of_task(target: Mapping[str, Any]) -> Iterator[Note]:
    """Yield the differences that a job makes, and parameters that it does not have."""
    asked = part_of(target, "EcsParameters")
    other = ", ".join(sorted(name for name in asked if name not in _READ))
    if other:
        yield Note(code="ecs_parameters", detail=f"A job has no {other}.")
    detail = "The run lasts as long as its task, a day at most, and one that fails is not repeated."
    yield Note(code="task", detail=detail)


def _action(cluster_arn: str, target: Mapping[str, Any]) -> dict[str, Any]:
    asked = part_of(target, "EcsParameters")
    if asked.get("TaskCount", 1) != 1:
        raise _unsupported("A run is one task; TaskCount is more.")
    if not asked.get("TaskDefinitionArn"):
        raise _unsupported("The target names no task definition.")
    network = part_of(part_of(asked, "NetworkConfiguration"), "awsvpcConfiguration")
    given = {
        "security_groups": network.get("SecurityGroups") or None,
        "public_ip": network.get("AssignPublicIp") == "ENABLED" or None,
        "platform_version": asked.get("PlatformVersion"),
        **_overridden(target.get("Input")),
    }
    return {
        "type": "ecs",
        "cluster_arn": cluster_arn,
        "task_definition": asked["TaskDefinitionArn"],
        "subnets": network.get("Subnets") or [],
        "capacity": _capacity(asked),
        **{name: value for name, value in given.items() if value is not None},
    }


def _capacity(asked: Mapping[str, Any]) -> str:
    providers = [str(each.get("capacityProvider")) for each in _strategy(asked)]
    found = providers or [str(asked.get("LaunchType") or "EC2")]
    if len(found) != 1 or found[0] not in set(Capacity):
        raise _unsupported(f"Tasks run on FARGATE or FARGATE_SPOT, not on {', '.join(found)}.")
    return found[0]


def _strategy(asked: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the providers that get tasks: a run is the first task that a strategy places."""
    every = asked.get("CapacityProviderStrategy") or []
    if not isinstance(every, list) or not all(isinstance(each, dict) for each in every):
        raise _unsupported("CapacityProviderStrategy must be a list of objects.")
    based = [each for each in every if each.get("base")]
    yield from based or [each for each in every if each.get("weight") or len(every) == 1]


def _overridden(text: object) -> dict[str, Any]:
    """Return container and command of an override."""
    try:
        override = json.loads(str(text)) if text is not None else {}
    except (ValueError, RecursionError) as error:
        raise _unsupported("Its Input is no JSON, so no override of a task.") from error
    if not isinstance(override, dict):
        raise _unsupported("Its Input is no JSON object, so no override of a task.")
    match override.pop("containerOverrides", None):
        case [{"name": str(name), **container}] if name:
            other = ", ".join(sorted({*override, *container} - {"command"}))
            if other:
                detail = f"Its Input overrides {other}: put that into the task definition."
                raise _unsupported(detail)
            return {"container": name, "command": container.get("command")}
    detail = "Its Input names no container or several: a run ends as one container does."
    raise _unsupported(detail)


def _unsupported(detail: str) -> InvalidInput:
    return InvalidInput("target", "unsupported_target", detail)
