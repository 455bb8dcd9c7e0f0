"""A run that follows another is told of it, unless its payload leaves no room for that."""

import json
from dataclasses import dataclass
from typing import Any

import pytest

from tests.support.factories import NOW, attempt_id
from tests.unit.adapters.targets.calls import call_factory
from timegate.adapters.memory.clock import MemoryClock
from timegate.adapters.targets.kinds.eventbridge import EventBusTarget
from timegate.adapters.targets.kinds.stepfunctions import StateMachineTarget
from timegate.adapters.targets.run_context import envelope
from timegate.domain.actions.kind import MAX_MESSAGE_BYTES, MAX_MESSAGE_PAYLOAD_BYTES
from timegate.domain.actions.kinds.eventbridge import EventBridgeAction
from timegate.domain.actions.kinds.stepfunctions import StepFunctionsAction
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.execution.call import Call
from timegate.domain.jobs.notification import Occasion
from timegate.domain.runs.parent import Parent

PLACE = "us-east-1:111122223333"
BUS = EventBridgeAction(
    bus_arn=f"arn:aws:events:{PLACE}:event-bus/orders", source="ü" * 256, detail_type="ü" * 128
)
MACHINE = StepFunctionsAction(state_machine_arn=f"arn:aws:states:{PLACE}:stateMachine:orders")
RULES = TargetRules(allowed={"eventbridge": ("*",), "stepfunctions": ("*",)})
DOCUMENT = {"state": "succeeded", "result": "ü" * 2_000}
PARENT = Parent(
    attempt=attempt_id(),
    occasion=Occasion.SUCCEEDED,
    depth=1,
    document=json.dumps(DOCUMENT, ensure_ascii=False),
)


def call_of(size: int) -> Call:
    """Return a call of a follow-up whose payload has so many bytes."""
    return call_factory(payload=f'"{"x" * (size - 2)}"', parent=PARENT)


@dataclass
class Service:
    """EventBridge and Step Functions: keeps what it was sent."""

    sent: str = ""

    class exceptions:  # noqa: N801 - boto3's
        """Errors of the service."""

        ExecutionAlreadyExists = KeyError

    def put_events(self, Entries: list[dict[str, str]]) -> dict[str, Any]:  # noqa: N803
        """Take an event."""
        self.sent = Entries[0]["Detail"]
        return {"Entries": [{"EventId": "e-1"}]}

    def start_execution(self, **request: str) -> dict[str, Any]:
        """Begin an execution."""
        self.sent = request["input"]
        return {}


def told_by_event(call: Call) -> dict[str, Any]:
    """Return what an event tells of a run."""
    service: Any = Service()
    EventBusTarget(service, RULES).invoke(call, BUS)
    beside = len((BUS.source + BUS.detail_type).encode())
    assert len(service.sent.encode()) + beside <= MAX_MESSAGE_BYTES
    told: dict[str, Any] = json.loads(service.sent)["timegate"]
    return told


def told_by_execution(call: Call) -> dict[str, Any]:
    """Return what the input of an execution tells of a run."""
    service: Any = Service()
    StateMachineTarget(service, RULES, MemoryClock(NOW)).invoke(call, MACHINE)
    assert len(service.sent.encode()) <= MAX_MESSAGE_BYTES
    told: dict[str, Any] = json.loads(service.sent)["timegate"]
    return told


@pytest.mark.parametrize("tell", [told_by_event, told_by_execution])
def test_the_largest_payload_of_a_follow_up_is_sent(tell: Any) -> None:  # noqa: ANN401
    """Without its parent's document, whose run it names: it failed for good as too large."""
    told, small = tell(call_of(MAX_MESSAGE_PAYLOAD_BYTES)), tell(call_of(100))

    assert told == {**small, "parent": None}
    assert told["triggered_by"] == str(PARENT.attempt.run)
    assert small["parent"] == DOCUMENT


def test_a_parent_is_told_of_as_long_as_there_is_room() -> None:
    """To the byte."""
    call = call_of(1_000)
    whole = envelope(call)
    size = len(whole.encode())

    assert envelope(call, most_bytes=size) == whole
    assert json.loads(envelope(call, most_bytes=size - 1))["timegate"]["parent"] is None
