"""Targets of jobs remember their calls."""

import json
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import unquote, urlsplit

from botocore.awsrequest import AWSPreparedRequest, AWSResponse

from tests.support.stores.dynamodb_inside import answer, body_of
from timegate.adapters.threaded_call_runner import _crash
from timegate.domain.actions.target_names import name_form
from timegate.domain.execution.call import Answer, Call
from timegate.domain.values.tenant import TenantId
from timegate.ports.call_runner import Target, TargetFailed
from timegate.ports.clock import Clock

ARN = "arn:aws:lambda:us-east-1:111122223333:function:timegate-target-"


@dataclass(frozen=True)
class Effect:
    """A call that reached its target."""

    run: str
    attempt: int
    fence: int
    at: datetime
    payload: object
    #: The process that made it.
    process: int
    #: Where it was told to go on.
    checkpoint: Any = None


class RecordingFunction:
    """A Lambda function for every name; the name says how it behaves.

    ``ok`` answers, ``fails`` never does, ``fails-2`` twice, ``works-50`` answers after so many
    seconds, ``slices-3`` does its work in so many parts, ``picky`` takes one payload only,
    ``rounds-1`` fails in the first round of its DAG run, ``member-2`` there as that member,
    ``accepts`` takes the run and calls back, and ``kills`` is the end of every process that calls
    it.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.effects: list[Effect] = []
        self.process: Callable[[], int] = lambda: 0
        self.kill: Callable[[], None] = lambda: None
        #: Work of a function that calls back; it receives the call's fields.
        self.accept: Callable[[dict[str, Any]], None] = lambda _: None
        self._calls: dict[tuple[str, str], int] = defaultdict(int)

    def send(self, request: AWSPreparedRequest) -> AWSResponse:
        """Serve one ``Invoke``."""
        name = behaviour_of(unquote(urlsplit(request.url).path.split("/")[3]))
        body = json.loads(body_of(request))
        told = body["timegate"]
        self.effects.append(
            Effect(
                run=told["run_id"],
                attempt=told["attempt"],
                fence=told["fence"],
                at=self._clock.now(),
                payload=body["payload"],
                process=self.process(),
                checkpoint=told.get("checkpoint"),
            )
        )
        self._calls[name, told["run_id"]] += 1
        behaviour, _, number = name.partition("-")
        if behaviour == "kills":
            self.kill()
        if behaviour == "accepts":
            self.accept(told)
            return answer(request, 202, {}, b"")
        tried = self._calls[name, told["run_id"]]
        refuses = behaviour == "picky" and body["payload"] != {"to": "ann"}
        if behaviour == "rounds":
            refuses = int(told["run_id"].split("-")[1]) <= int(number)
        if behaviour == "member":
            refuses = told["run_id"].split("-")[1::2] == ["1", number]
        if refuses or (behaviour == "fails" and tried <= int(number or 1_000)):
            error = json.dumps({"errorType": "Broken", "errorMessage": "It does so."})
            return answer(request, 200, {"X-Amz-Function-Error": "Unhandled"}, error.encode())
        part = told["checkpoint"]["part"] if told.get("checkpoint") else 0
        if behaviour == "slices" and part + 1 < int(number):
            order = {"timegate": {"continue": {"checkpoint": {"part": part + 1}}}}
            return answer(request, 200, {}, json.dumps(order).encode())
        return answer(request, 200, {}, b'"done"')


def owned(body: str, tenant: str) -> str:
    """A request whose functions are those of its tenant."""
    return body.replace(ARN, f"{ARN}{name_form(TenantId(tenant))}-")


def behaviour_of(arn: str) -> str:
    """The name of a function without that of its tenant, which has no dash."""
    return arn.rpartition(ARN)[2].partition("-")[2]


def seconds_of(call: Call) -> float:
    """Return the working time of the function that a call names."""
    name = behaviour_of(getattr(call.action, "function_arn", ""))
    behaviour, _, number = name.partition("-")
    return float(number) if behaviour == "works" else 0.0


class VirtualWork:
    """A call under way, in virtual time: an actor that waits for it lets everything else go on."""

    def __init__(
        self, ends_at: datetime, outcome: Callable[[], Answer], live: Callable[[datetime], None]
    ) -> None:
        self._ends_at = ends_at
        self._outcome = outcome
        self._live = live

    def wait(self, until: datetime) -> bool:
        """Return whether it ends by then."""
        self._live(min(self._ends_at, until))
        return self._ends_at <= until

    def answer(self) -> Answer:
        """Return the target's answer; raises ``TargetFailed``."""
        return self._outcome()


class VirtualCallRunner:
    """Calls real targets, and lets the answer come when the call has taken its time."""

    closing = False

    def __init__(self, target: Target, clock: Clock, live: Callable[[datetime], None]) -> None:
        self._target = target
        self._clock = clock
        self._live = live

    def start(self, call: Call) -> VirtualWork:
        """Make the call; its effect is there from now on."""
        try:
            answered = self._target.invoke(call)
        except TargetFailed as failed:
            outcome = _raiser(failed)
        except Exception as error:  # noqa: BLE001 - as threads of the real one do
            outcome = _raiser(TargetFailed(_crash(error)))
        else:
            outcome = _giver(answered)
        ends_at = self._clock.now() + timedelta(seconds=seconds_of(call))
        return VirtualWork(ends_at, outcome, self._live)

    def close(self) -> None:
        """Only a fault stops these processes."""


def _giver(answered: Answer) -> Callable[[], Answer]:
    return lambda: answered


def _raiser(failed: TargetFailed) -> Callable[[], Answer]:
    def fail() -> Answer:
        raise failed

    return fail


class Bus:
    """Takes every event but the first of a story, which it refuses once.

    A call that is repeated puts its events once more.
    """

    def __init__(self) -> None:
        #: Documents of events, in the order in which they came.
        self.events: list[dict[str, Any]] = []
        self._has_refused = False

    def clear(self) -> None:
        """Begin a story."""
        self.events.clear()
        self._has_refused = False

    def send(self, request: AWSPreparedRequest) -> AWSResponse:
        """Serve ``PutEvents``."""
        entries = json.loads(body_of(request))["Entries"]
        answers = [self._put(entry) for entry in entries]
        failed = sum("ErrorCode" in each for each in answers)
        done = {"FailedEntryCount": failed, "Entries": answers}
        headers = {"content-type": "application/x-amz-json-1.1"}
        return answer(request, 200, headers, json.dumps(done).encode())

    def _put(self, entry: dict[str, Any]) -> dict[str, str]:
        if not self._has_refused:
            self._has_refused = True
            return {"ErrorCode": "ThrottlingException", "ErrorMessage": "Try again."}
        self.events.append(json.loads(entry["Detail"]))
        return {"EventId": str(len(self.events))}
