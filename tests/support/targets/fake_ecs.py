"""ECS in memory: tasks that start once for a token, and stop when a test says so."""

from dataclasses import dataclass, field
from typing import Any

from botocore.exceptions import ClientError, ReadTimeoutError

CLUSTER = "arn:aws:ecs:us-east-1:111122223333:cluster/timegate-target-acme-batch"


class ConflictException(ClientError):
    """The token is known with other parameters."""


class _Exceptions:
    ConflictException = ConflictException


@dataclass
class FakeEcs:
    """The calls that a target makes, and the tasks that they left."""

    exceptions = _Exceptions
    #: Every request to start a task, replays included.
    requests: list[dict[str, Any]] = field(default_factory=list)
    tasks: dict[str, dict[str, Any]] = field(default_factory=dict)
    #: Errors that the next calls meet, by operation.
    refusals: dict[str, list[ClientError]] = field(default_factory=dict)
    #: Errors in place of the next answers to a start that was made.
    lost_starts: list[Exception] = field(default_factory=list)
    #: Number of the task whose start is made and not answered.
    lost_on: int | None = None
    #: The reason for which no task starts.
    no_start: str | None = None
    #: Status of a task as it is stopped; its containers are given time to end.
    after_stop: str = "STOPPED"
    #: Pages of a listing before the one that has the tasks.
    empty_pages: int = 0
    stopped: list[str] = field(default_factory=list)
    _by_token: dict[str, dict[str, Any]] = field(default_factory=dict)

    def run_task(self, **request: Any) -> dict[str, Any]:  # noqa: ANN401 - as the SDK's
        """Start a task, or return the one that the token started."""
        self.requests.append(request)
        self._refuse("RunTask")
        started = self._started(request)
        if self.lost_starts:
            raise self.lost_starts.pop()
        if started["tasks"] and self.lost_on == len(self.tasks):
            self.lost_on = None
            raise ReadTimeoutError(endpoint_url="https://ecs")
        return started

    def _started(self, request: dict[str, Any]) -> dict[str, Any]:
        if self.no_start is not None:
            return {"tasks": [], "failures": [{"reason": self.no_start, "arn": CLUSTER}]}
        known = self._by_token.get(request["clientToken"])
        if known is not None:
            if known["request"] != request:
                refused: Any = {"Error": {"Code": "ConflictException"}}
                refused["resourceIds"] = [known["arn"]]
                raise ConflictException(refused, "RunTask")
            return {"tasks": [self.tasks[known["arn"]]], "failures": []}
        arn = f"{CLUSTER.replace(':cluster/', ':task/')}/{len(self.tasks) + 1}"
        self.tasks[arn] = {
            "taskArn": arn,
            "lastStatus": "PROVISIONING",
            "desiredStatus": "RUNNING",
            "startedBy": request["startedBy"],
            "containers": [{"name": "app"}, {"name": "sidecar"}],
        }
        self._by_token[request["clientToken"]] = {"arn": arn, "request": request}
        return {"tasks": [self.tasks[arn]], "failures": []}

    def describe_tasks(self, *, cluster: str, tasks: list[str]) -> dict[str, Any]:
        """Describe the tasks that are known."""
        assert tasks
        assert cluster == CLUSTER
        self._refuse("DescribeTasks")
        return {"tasks": [self.tasks[each] for each in tasks if each in self.tasks]}

    def list_tasks(
        self,
        *,
        cluster: str,
        startedBy: str,  # noqa: N803 - AWS's
        nextToken: str = "0",  # noqa: N803 - likewise
    ) -> dict[str, Any]:
        """List the tasks of a name that are to go on, on the page after the empty ones."""
        assert cluster == CLUSTER
        self._refuse("ListTasks")
        if int(nextToken) < self.empty_pages:
            return {"taskArns": [], "nextToken": str(int(nextToken) + 1)}
        found = [
            arn
            for arn, task in self.tasks.items()
            if task["startedBy"] == startedBy and task["desiredStatus"] == "RUNNING"
        ]
        return {"taskArns": found}

    def stop_task(self, *, cluster: str, task: str, reason: str) -> None:
        """Stop a task, as a user's."""
        assert cluster == CLUSTER
        self.stopped.append(task)
        self.ends(task, stop_code="UserInitiated", reason=reason)
        self.tasks[task]["lastStatus"] = self.after_stop

    def ends(
        self,
        task: str,
        *,
        stop_code: str = "EssentialContainerExited",
        exit_code: int | None = None,
        reason: str = "Essential container in task exited",
    ) -> None:
        """Say how a task ended."""
        container = {"name": "app"} | ({"exitCode": exit_code} if exit_code is not None else {})
        self.tasks[task] |= {
            "lastStatus": "STOPPED",
            "desiredStatus": "STOPPED",
            "stopCode": stop_code,
            "stoppedReason": reason,
            "containers": [container, {"name": "sidecar", "exitCode": 143}],
        }

    def only(self) -> str:
        """Return the one task there is."""
        (arn,) = self.tasks
        return arn

    def _refuse(self, operation: str) -> None:
        waiting = self.refusals.get(operation)
        if waiting:
            raise waiting.pop(0)


def refusal(code: str, operation: str = "DescribeTasks") -> ClientError:
    """Make an error of ECS."""
    return ClientError({"Error": {"Code": code, "Message": "no"}}, operation)
