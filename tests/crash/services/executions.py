"""Step Functions in virtual time: it reads the very definition that is deployed."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from botocore.awsrequest import AWSPreparedRequest, AWSResponse

from infra.constructs.dags.dag_definition import definition
from tests.crash.services.states_language import Branch, Failed, Invoked, Waiting
from tests.support.stores.dynamodb_inside import answer, body_of

_HEADERS = {"content-type": "application/x-amz-json-1.0"}
_ARN = "arn:aws:states:us-east-1:000000000000:execution:dag-runs"


@dataclass
class Execution:
    """One, from its start to its end."""

    name: str
    given: str
    status: str = "RUNNING"
    branch: Branch | None = None


@dataclass
class StateMachine:
    """Its executions, and what they stand on.

    Standard workflows: the start of one that runs is repeated in vain, of one that has ended it is
    refused, as is the answer to a token without a waiting execution.
    """

    #: Does something after so many seconds.
    later: Callable[[float, Callable[[], object]], None] = lambda *_: None
    #: Invokes the function of the steps; told what it answered, if it did.
    start: Callable[[dict[str, Any], Callable[[Any], None]], object] = lambda *_: None
    #: The function's last error; ``None``: it just died.
    failed_with: Callable[[], BaseException | None] = lambda: None
    #: So late its steps come.
    slow_seconds: float = 0
    executions: dict[str, Execution] = field(default_factory=dict)
    _tokens: dict[str, Waiting] = field(default_factory=dict)
    _numbers: Any = field(default_factory=count)

    def clear(self) -> None:
        """Nothing has begun."""
        self.executions.clear()
        self._tokens.clear()
        self._numbers = count(1)
        self.slow_seconds = 0

    def send(self, request: AWSPreparedRequest) -> AWSResponse:
        """Serve one request."""
        target = request.headers["X-Amz-Target"]
        operation = str(target.decode() if isinstance(target, bytes) else target).rpartition(".")[2]
        asked = json.loads(body_of(request))
        serving = {
            "StartExecution": self._begin,
            "SendTaskSuccess": self._answer,
            "SendTaskFailure": self._answer,
        }
        error, done = serving[operation](asked)
        body = json.dumps(done if error is None else {"__type": error, "message": error})
        return answer(request, 200 if error is None else 400, _HEADERS, body.encode())

    def _begin(self, asked: Mapping[str, str]) -> tuple[str | None, object]:
        name, given = asked["name"], asked["input"]
        started = {"executionArn": f"{_ARN}:{name}", "startDate": 0}
        known = self.executions.get(name)
        if known is not None:
            same = known.status == "RUNNING" and known.given == given
            return (None, started) if same else ("ExecutionAlreadyExists", None)
        execution = self.executions[name] = Execution(name, given)
        data = json.loads(given)

        def ended(output: object) -> None:
            execution.status = "FAILED" if isinstance(output, Failed) else "SUCCEEDED"

        context = {"Execution": {"Name": name, "Input": data}}
        branch = execution.branch = Branch(definition("steps", "aws"), context, self, ended)
        self.later(0, lambda: branch.begin(data))
        return None, started

    def _answer(self, asked: Mapping[str, str]) -> tuple[str | None, object]:
        waiting = self._tokens.get(asked["taskToken"])
        if waiting is None:
            return "InvalidToken", None
        error = asked.get("error")
        told = Failed(error) if error is not None else json.loads(asked["output"])
        return (None, {}) if waiting(told) else ("TaskTimedOut", None)

    def abort(self) -> bool:
        """An operator stops all executions; ``False``: none is under way."""
        stopped = False
        for execution in self.executions.values():
            if execution.branch is not None and execution.status == "RUNNING":
                execution.branch.stop()
                execution.status, stopped = "ABORTED", True
        return stopped

    def time_out(self, state: str) -> bool:
        """A time limit of every branch that is in a state; ``False``: none is."""
        branches = [
            branch
            for execution in self.executions.values()
            for branch in _branches(execution.branch)
            if branch.at == state and not branch.is_over
        ]
        for branch in branches:
            branch.fail("States.Timeout")
        return bool(branches)

    def invoke(self, payload: Mapping[str, Any], then: Invoked) -> None:
        """Invoke the function of the steps, after a while."""

        def ended(answered: Any) -> None:  # noqa: ANN401 - JSON
            failure = self.failed_with() if answered is None else None
            died = "Sandbox.Timedout" if answered is None else None
            then(answered, type(failure).__name__ if isinstance(failure, Exception) else died)

        self.later(self.slow_seconds, lambda: self.start(dict(payload), ended))

    def token(self, waiting: Waiting) -> str:
        """A new token for a callback."""
        token = f"token-{next(self._numbers)}"
        self._tokens[token] = waiting
        return token


def _branches(branch: Branch | None) -> list[Branch]:
    return [branch, *branch.within] if branch is not None else []
