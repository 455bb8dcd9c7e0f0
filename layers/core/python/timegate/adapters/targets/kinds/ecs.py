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
from timegate.adapters.targets.aws.task_ends import (
    STOPPED,
    TOO_LONG,
    ended,
    exit_code,
    is_being_stopped,
    is_over,
    not_started,
)
from timegate.adapters.targets.failures import permanent, retryable, timed_out
from timegate.adapters.targets.run_context import context
from timegate.domain.actions.kinds.ecs import Capacity, EcsAction
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.execution.call import Answer, Call
from timegate.domain.jobs.retry import FailureKind
from timegate.domain.jobs.slices import Continuation
from timegate.domain.values.instants import rfc3339
from timegate.domain.values.written_instants import read_instant
from timegate.ports.call_runner import TargetFailed
from timegate.ports.clock import Clock
from timegate.value_classes import dataclass

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
#: Between two looks: a task that is young is looked at often, an old one seldom.
_SHORTEST_PAUSE = timedelta(seconds=5)
_LONGEST_PAUSE = timedelta(seconds=60)
_PART_OF_AGE = 10
#: Descriptions are eventually consistent: a task may be missing for so long after its start.
_KNOWN_WITHIN = timedelta(minutes=2)
#: ECS takes no more of overrides.
_MAX_OVERRIDES = 8_192


@dataclass(frozen=True, kw_only=True)
class _Followed:
    """The task that a run follows, as its checkpoint names it."""

    task: str
    #: The attempt that started the task, or took it over.
    attempt: int
    since: datetime
    #: The task is stopped then.
    until: datetime

    @classmethod
    def first(cls, call: Call, task: str, now: datetime) -> "_Followed":
        """Follow a task from now on, for the time of the call's attempt."""
        return cls(task=task, attempt=call.attempt.number, since=now, until=call.deadline_at)

    def written(self) -> str:
        """Write the checkpoint."""
        told = {"task_arn": self.task, "attempt": self.attempt}
        return json.dumps({**told, "since": rfc3339(self.since), "until": rfc3339(self.until)})

    @classmethod
    def of(cls, call: Call) -> "_Followed | None":
        """Read the checkpoint of the slice before; ``None``: this is the first."""
        if call.resume is None or call.resume.checkpoint is None:
            return None
        told = json.loads(call.resume.checkpoint)
        return cls(
            task=told["task_arn"],
            attempt=told["attempt"],
            since=read_instant(told["since"]),
            until=read_instant(told["until"]),
        )


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
        followed = _Followed.of(call)
        if followed is not None and followed.attempt == call.attempt.number:
            return self._look(followed, action)
        earlier = self._earlier_task(followed, call, action)
        if earlier is None:
            return self._start(call, action)
        return self._take_over(earlier, call, action)

    def stop(self, call: Call, action: EcsAction) -> None:
        """Stop every task of the run that goes on; raises ``TargetFailed``."""
        for task in self._tasks_of(call, action):
            self._stop(task, action)

    def _start(self, call: Call, action: EcsAction) -> Answer:
        """Start the task. A replay gets the same one: ECS keeps the attempt's token for a day."""
        conflict = self._client.exceptions.ConflictException
        now = self._clock.now()
        with classified(_SERVICE, permanent_codes=_PERMANENT):
            try:
                answer = self._client.run_task(**_request(call, action))
            except conflict as known:
                # The attempt started it under an earlier lease, whose fence the task was told.
                return _follow(_Followed.first(call, _known_task(known), now), now, "known")
        if not answer["tasks"]:
            raise not_started(answer["failures"])
        return _follow(_Followed.first(call, answer["tasks"][0]["taskArn"], now), now, "started")

    def _earlier_task(
        self, followed: _Followed | None, call: Call, action: EcsAction
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
        followed = _Followed.first(call, task["taskArn"], now)
        if is_being_stopped(task):
            followed = replace(followed, attempt=call.attempt.number - 1)
        return _follow(followed, now, task["lastStatus"])

    def _tasks_of(self, call: Call, action: EcsAction) -> list[str]:
        """List the run's tasks that go on."""
        with classified(_SERVICE, permanent_codes=_PERMANENT):
            found = self._client.list_tasks(cluster=action.cluster_arn, startedBy=started_by(call))
        return found["taskArns"]

    def _look(self, followed: _Followed, action: EcsAction) -> Answer:
        now = self._clock.now()
        try:
            found = self._describe([followed.task], action)
        except TargetFailed as failed:
            if failed.failure.kind is FailureKind.PERMANENT or now >= followed.until:
                raise
            # The task goes on, and so does the run: the next look may be answered.
            return _follow(followed, now, None)
        if not found:
            if now - followed.since < _KNOWN_WITHIN:
                return _follow(followed, now, None)
            raise retryable("task_lost", "Missing", "ECS does not know the task any more.")
        task = found[0]
        if is_over(task):
            return ended(task, action.container)
        if now >= followed.until:
            self._stop(followed.task, action)
            raise timed_out(TOO_LONG)
        return _follow(followed, now, task["lastStatus"])

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


def _known_task(conflict: ClientError) -> str:
    """Return the task that the token started with other parameters."""
    response: Mapping[str, Any] = conflict.response
    return str(response["resourceIds"][0])


def client_token(call: Call) -> str:
    """Return the token of the attempt: ECS starts one task for it, however often it is asked."""
    return hashlib.sha256(str(call.attempt).encode()).hexdigest()


def started_by(call: Call) -> str:
    """Return the name under which the run's tasks are found."""
    return str(call.attempt.run).replace(".", "-")


def _request(call: Call, action: EcsAction) -> dict[str, Any]:
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
        "clientToken": client_token(call),
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


def _follow(followed: _Followed, now: datetime, status: str | None) -> Answer:
    """Order another look."""
    pause = min(max((now - followed.since) / _PART_OF_AGE, _SHORTEST_PAUSE), _LONGEST_PAUSE)
    left = max(followed.until - now, timedelta(seconds=1))
    continuation = Continuation(
        checkpoint=followed.written(),
        delay_seconds=min(pause, left).total_seconds(),
        message=f"task {status}" if status is not None else None,
    )
    return Answer(text=followed.task, continuation=continuation)
