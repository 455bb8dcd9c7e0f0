"""Tasks of ECS: a run starts one task, and an executor looks at it until it has stopped.

Nothing waits between two looks: each is a slice of the run, and the checkpoint names the task.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from timegate.adapters.targets.action_target import ActionTarget, TargetServices
from timegate.adapters.targets.aws.aws_failures import classified
from timegate.adapters.targets.failures import permanent, retryable, timed_out
from timegate.adapters.targets.run_context import context
from timegate.domain.actions.kinds.ecs import Capacity, EcsAction
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.execution.call import Answer, Call
from timegate.domain.jobs.retry import FailureKind
from timegate.domain.jobs.slices import Continuation
from timegate.domain.runs.run_result import excerpt
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
#: Beginnings of reasons for which ECS starts no task now, and may start one later.
_MAY_PASS = ("AGENT", "CAPACITY", "Capacity is unavailable", "RESOURCE")
#: End of the reason's kind, before what it says of the instance.
_KIND = re.compile(r"[:.]")
#: Between two looks: a task that is young is looked at often, an old one seldom.
_SHORTEST_PAUSE = timedelta(seconds=5)
_LONGEST_PAUSE = timedelta(seconds=60)
_PART_OF_AGE = 10
#: Descriptions are eventually consistent: a task may be missing for so long after its start.
_KNOWN_WITHIN = timedelta(minutes=2)
#: ECS takes no more of overrides.
_MAX_OVERRIDES = 8_192
_TOO_LONG = "The task did not end in time, and was stopped."
_STOPPED = "Timegate: the run was cancelled, or ran out of time."
_BY_ITSELF = "EssentialContainerExited"


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
        if followed is None:
            return self._start(call, action)
        if followed.attempt == call.attempt.number:
            return self._look(followed, action)
        return self._take_over(followed, call, action)

    def stop(self, call: Call, action: EcsAction) -> None:
        """Stop every task of the run that goes on; raises ``TargetFailed``."""
        with classified(_SERVICE, permanent_codes=_PERMANENT):
            found = self._client.list_tasks(cluster=action.cluster_arn, startedBy=started_by(call))
        for task in found["taskArns"]:
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
            raise _not_started(answer["failures"])
        return _follow(_Followed.first(call, answer["tasks"][0]["taskArn"], now), now, "started")

    def _take_over(self, earlier: _Followed, call: Call, action: EcsAction) -> Answer:
        """Follow the task of an earlier attempt that goes on or succeeded; else start a new one.

        That attempt ended without its task's end: the task must not run twice.
        """
        task = self._describe(earlier.task, action)
        if task is None or _is_over(task):
            if task is not None and _exit_code(task, action) == 0:
                return _ended(task, action)
            return self._start(call, action)
        now = self._clock.now()
        return _follow(_Followed.first(call, earlier.task, now), now, task["lastStatus"])

    def _look(self, followed: _Followed, action: EcsAction) -> Answer:
        now = self._clock.now()
        try:
            task = self._describe(followed.task, action)
        except TargetFailed as failed:
            if failed.failure.kind is FailureKind.PERMANENT or now >= followed.until:
                raise
            # The task goes on, and so does the run: the next look may be answered.
            return _follow(followed, now, None)
        if task is None:
            if now - followed.since < _KNOWN_WITHIN:
                return _follow(followed, now, None)
            raise retryable("task_lost", "Missing", "ECS does not know the task any more.")
        if _is_over(task):
            return _ended(task, action)
        if now >= followed.until:
            self._stop(followed.task, action)
            raise timed_out(_TOO_LONG)
        return _follow(followed, now, task["lastStatus"])

    def _describe(self, task: str, action: EcsAction) -> "TaskTypeDef | None":
        with classified(_SERVICE, permanent_codes=_PERMANENT):
            found = self._client.describe_tasks(cluster=action.cluster_arn, tasks=[task])
        return found["tasks"][0] if found["tasks"] else None

    def _stop(self, task: str, action: EcsAction) -> None:
        with classified(_SERVICE, permanent_codes=_PERMANENT):
            self._client.stop_task(cluster=action.cluster_arn, task=task, reason=_STOPPED)


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


def _is_over(task: "TaskTypeDef") -> bool:
    """Tell if the task has stopped; one that is stopping has its exit code a little later."""
    return task["lastStatus"] == "STOPPED"


def _exit_code(task: "TaskTypeDef", action: EcsAction) -> int | None:
    """Return the exit code of the job's container; ``None``: it did not end by itself."""
    if task.get("stopCode") != _BY_ITSELF:
        return None
    codes = [c.get("exitCode") for c in task["containers"] if c["name"] == action.container]
    return codes[0] if codes else None


def _ended(task: "TaskTypeDef", action: EcsAction) -> Answer:
    code = _exit_code(task, action)
    reason = excerpt(task.get("stoppedReason", "") or "The task has stopped.")
    if code == 0:
        return Answer(text=excerpt(f"{task['taskArn']}: {reason}"))
    if code is not None:
        raise retryable("exit_code", f"ExitCode{code}", f"Exit code {code}. {reason}")
    match task.get("stopCode"):
        case "TaskFailedToStart" as kind:
            raise retryable("task_failed_to_start", kind, reason)
        case ("SpotInterruption" | "TerminationNotice") as kind:
            raise retryable("task_interrupted", kind, reason)
        case "UserInitiated" if reason == _STOPPED:
            raise timed_out(_TOO_LONG)
        case "UserInitiated" as kind:
            # It was stopped on purpose; starting it again would undo that.
            raise permanent("task_stopped", kind, reason)
        case kind:
            raise retryable("task_failed", kind or "Stopped", reason)


def _not_started(failures: Any) -> TargetFailed:  # noqa: ANN401 - as the SDK has them
    first = failures[0] if failures else {}
    reason = first.get("reason", "")
    kind = _KIND.split(reason)[0] or "Unknown"
    detail = excerpt(f"ECS started no task: {reason} {first.get('detail', '')}".strip())
    if reason.startswith(_MAY_PASS):
        return retryable("no_capacity", kind, detail)
    return permanent("task_refused", kind, detail)
