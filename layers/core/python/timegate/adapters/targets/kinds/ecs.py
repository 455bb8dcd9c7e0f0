"""Tasks of ECS: a run starts one task, and an executor looks at it until it has stopped.

Nothing waits between two looks: each is a slice of the run, and the checkpoint names the task.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from timegate.adapters.targets.action_target import ActionTarget, TargetServices
from timegate.adapters.targets.aws.aws_failures import classified
from timegate.adapters.targets.aws.followed_task import FollowedTask, follow
from timegate.adapters.targets.aws.task_ends import (
    STOPPED,
    TOO_LONG,
    ended,
    exit_code,
    is_being_stopped,
    is_over,
    not_started,
)
from timegate.adapters.targets.aws.work_requests import doing
from timegate.adapters.targets.failures import permanent, retryable, timed_out
from timegate.adapters.targets.run_context import context
from timegate.domain.actions.kinds.ecs import Capacity, EcsAction
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.execution.call import Answer, Call
from timegate.ports.call_runner import TargetFailed
from timegate.ports.clock import Clock

if TYPE_CHECKING:
    from mypy_boto3_ecs import ECSClient
    from mypy_boto3_ecs.type_defs import TaskTypeDef

_SERVICE = "ecs"
_PERMANENT = frozenset(
    {
        "BlockedException",
        "ClientException",
        "ClusterNotFoundException",
        "PlatformTaskDefinitionIncompatibilityException",
        "PlatformUnknownException",
        "UnsupportedFeatureException",
    }
)
#: ECS takes no more of overrides.
_MAX_OVERRIDES = 8_192
#: Descriptions are eventually consistent: a task may be missing for so long after its start.
_KNOWN_WITHIN = timedelta(minutes=2)


class TaskTarget(ActionTarget):
    """Starts tasks of allow-listed definitions, follows them, and stops them."""

    def __init__(self, client: "ECSClient", rules: TargetRules, clock: Clock) -> None:
        self._client = client
        self._rules = rules
        self._clock = clock

    def invoke(self, call: Call, action: EcsAction) -> Answer:
        """Start the attempt's task, or look at it; raises ``TargetFailed``."""
        if not action.is_allowed(self._rules, call.tenant):
            message = "The task definition or its cluster is not allow-listed."
            raise permanent("target_not_allowed", "NotAllowed", message)
        followed = FollowedTask.of(call)
        if followed is not None and followed.attempt == call.attempt.number:
            return self._look(followed, action)
        earlier = self._earlier_task(followed, call, action)
        if earlier is not None:
            return self._take_over(earlier, call, action)
        unanswered = followed.attempt + 1 if followed is not None else 1
        for number in range(unanswered, call.attempt.number):
            lost = self._lost_start(call, action, number)
            if lost is not None:
                return lost
        return self._start(call, action)

    def stop(self, call: Call, action: EcsAction) -> None:
        """Stop every task of the run that goes on; raises ``TargetFailed``."""
        for task in self._tasks_of(call, action):
            self._stop(task, action)

    def _lost_start(self, call: Call, action: EcsAction, number: int) -> Answer | None:
        """Start the task of an earlier attempt whose start was not answered.

        It may have started one that has ended: ECS lists no such task, but knows its token. If it
        started none, this start is its replay. ``None``: that task has failed.
        """
        task, is_known = self._run(call, action, number)
        found = self._describe([task], action) if is_known else ()
        if not found:
            return _started(call, task, self._clock.now(), is_known=is_known)
        if is_over(found[0]) and exit_code(found[0], action.container) != 0:
            return None
        return self._take_over(found[0], call, action)

    def _start(self, call: Call, action: EcsAction) -> Answer:
        """Start the attempt's own task."""
        task, is_known = self._run(call, action, call.attempt.number)
        return _started(call, task, self._clock.now(), is_known=is_known)

    def _run(self, call: Call, action: EcsAction, number: int) -> tuple[str, bool]:
        """Run the task of an attempt, and tell if it is known already.

        A replay gets the same one: ECS keeps the attempt's token for a day.
        """
        conflict = self._client.exceptions.ConflictException
        with doing(call, is_named=True), classified(_SERVICE, permanent_codes=_PERMANENT):
            try:
                answer = self._client.run_task(**_request(call, action, number))
            except conflict as known:
                # It was started under another lease, whose fence and attempt the task was told.
                return _known_task(known), True
        if not answer["tasks"]:
            raise not_started(answer["failures"])
        return answer["tasks"][0]["taskArn"], False

    def _earlier_task(
        self, followed: FollowedTask | None, call: Call, action: EcsAction
    ) -> "TaskTypeDef | None":
        """Find a task of an earlier attempt that goes on, or else one that succeeded.

        The run's checkpoint names the task of the last start that was answered. A later attempt
        may have started another one, whose answer was lost: it is found while it goes on.
        """
        known = [followed.task] if followed is not None else []
        answered = followed.attempt if followed is not None else 0
        if answered < call.attempt.number - 1:
            known += self._tasks_of(call, action)
        found = self._describe(known, action)
        left = [
            task for task in found if not is_over(task) or exit_code(task, action.container) == 0
        ]
        return min(left, key=is_over, default=None)

    def _take_over(self, task: "TaskTypeDef", call: Call, action: EcsAction) -> Answer:
        """Follow a task of an earlier attempt, or take its success: it must not run twice.

        The attempt waits for the end of one that is being stopped, and then starts another.
        """
        if is_over(task):
            return ended(task, action.container)
        now = self._clock.now()
        followed = FollowedTask.first(call, task["taskArn"], now)
        if is_being_stopped(task):
            followed = replace(followed, attempt=call.attempt.number - 1)
        return follow(followed, now, task["lastStatus"])

    def _tasks_of(self, call: Call, action: EcsAction) -> list[str]:
        """List the run's tasks that go on: of each page, as one may be empty before the last."""
        asked: dict[str, str] = {"cluster": action.cluster_arn, "startedBy": started_by(call)}
        tasks: list[str] = []
        while True:
            with classified(_SERVICE, permanent_codes=_PERMANENT):
                found = self._client.list_tasks(**asked)  # type: ignore[arg-type]
            tasks += found["taskArns"]
            if not found.get("nextToken"):
                return tasks
            asked["nextToken"] = found["nextToken"]

    def _look(self, followed: FollowedTask, action: EcsAction) -> Answer:
        now = self._clock.now()
        try:
            found = self._describe([followed.task], action)
        except TargetFailed as failed:
            if failed.failure.persists or now >= followed.until:
                raise
            # The task goes on, and so does the run: the next look may be answered.
            return follow(followed, now, None)
        if not found:
            if now - followed.since < _KNOWN_WITHIN:
                return follow(followed, now, None)
            raise retryable("task_lost", "Missing", "ECS does not know the task any more.")
        task = found[0]
        if is_over(task):
            return ended(task, action.container)
        if now >= followed.until:
            self._stop(followed.task, action)
            raise timed_out(TOO_LONG)
        return follow(followed, now, task["lastStatus"])

    def _describe(self, tasks: Sequence[str], action: EcsAction) -> "Sequence[TaskTypeDef]":
        if not tasks:
            return ()
        with classified(_SERVICE, permanent_codes=_PERMANENT):
            found = self._client.describe_tasks(cluster=action.cluster_arn, tasks=[*tasks])
        return found["tasks"]

    def _stop(self, task: str, action: EcsAction) -> None:
        with classified(_SERVICE, permanent_codes=_PERMANENT):
            self._client.stop_task(cluster=action.cluster_arn, task=task, reason=STOPPED)


def build(services: TargetServices) -> TaskTarget:
    """Build the target."""
    return TaskTarget(services.clients.client("ecs"), services.rules, services.clock)


def _started(call: Call, task: str, now: datetime, *, is_known: bool) -> Answer:
    return follow(FollowedTask.first(call, task, now), now, "known" if is_known else "started")


def _known_task(conflict: ClientError) -> str:
    """Return the task that the token started with other parameters."""
    response: Mapping[str, Any] = conflict.response
    return str(response["resourceIds"][0])


def client_token(call: Call, number: int) -> str:
    """Return the token of an attempt of the run: ECS starts one task for it."""
    attempt = replace(call.attempt, number=number)
    return hashlib.sha256(str(attempt).encode()).hexdigest()


def started_by(call: Call) -> str:
    """Return the name under which the run's tasks are found."""
    return str(call.attempt.run).replace(".", "-")


def _request(call: Call, action: EcsAction, number: int) -> dict[str, Any]:
    network = {
        "subnets": [*action.subnets],
        "assignPublicIp": "ENABLED" if action.public_ip else "DISABLED",
        **({"securityGroups": [*action.security_groups]} if action.security_groups else {}),
    }
    spot = [{"capacityProvider": Capacity.FARGATE_SPOT.value, "weight": 1}]
    is_spot = action.capacity is Capacity.FARGATE_SPOT
    version = action.platform_version
    return {
        "cluster": action.cluster_arn,
        "taskDefinition": _definition(action),
        "count": 1,
        "clientToken": client_token(call, number),
        "startedBy": started_by(call),
        "overrides": _overrides(call, action),
        "networkConfiguration": {"awsvpcConfiguration": network},
        **({"capacityProviderStrategy": spot} if is_spot else {"launchType": "FARGATE"}),
        **({"platformVersion": version} if version is not None else {}),
    }


def _definition(action: EcsAction) -> str:
    """Name the definition as ECS reads it: an ARN has a revision, a family may lack one."""
    family = action.task_definition.rpartition("/")[2]
    return action.task_definition if ":" in family else family


def _overrides(call: Call, action: EcsAction) -> dict[str, Any]:
    told = {f"TIMEGATE_{name.upper()}": str(value) for name, value in context(call).items()}
    told["TIMEGATE_PAYLOAD"] = call.payload if call.payload is not None else "null"
    container: dict[str, Any] = {
        "name": action.container,
        "environment": [{"name": name, "value": value} for name, value in told.items()],
        **({"command": [*action.command]} if action.command else {}),
    }
    overrides = {"containerOverrides": [container]}
    size = len(json.dumps(overrides, ensure_ascii=False))
    if size > _MAX_OVERRIDES:
        message = f"Payload, run and command have {size} characters; ECS takes {_MAX_OVERRIDES}."
        raise permanent("payload_too_large", "TooLarge", message)
    return overrides
