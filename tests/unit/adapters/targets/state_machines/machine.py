"""A state machine, scripted: what targets ask of it is checked."""

import json

from botocore.stub import ANY

from tests.support.factories import NOW
from tests.unit.adapters.conftest import Stubbed
from tests.unit.adapters.targets.calls import RUN_ID, call_factory
from timegate.adapters.memory.clock import MemoryClock
from timegate.adapters.targets.kinds.stepfunctions import StateMachineTarget
from timegate.domain.actions.kinds.stepfunctions import ExecutionMode, StepFunctionsAction
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.execution.trace_context import traceparent

PLACE = "arn:aws:states:us-east-1:111122223333"
ARN = f"{PLACE}:stateMachine:timegate-target-orders"
NAME = RUN_ID.replace(".", "-")
RULES = TargetRules(allowed={"stepfunctions": (f"{PLACE}:stateMachine:timegate-target-*",)})
START = StepFunctionsAction(state_machine_arn=ARN)
WAIT = StepFunctionsAction(state_machine_arn=ARN, mode=ExecutionMode.WAIT)
TOLD = {
    "run_id": RUN_ID,
    "idempotency_key": RUN_ID,
    "fence": 3,
    "attempt": 2,
    "scheduled_at": "2026-11-21T07:00:00.000Z",
    "traceparent": traceparent(call_factory()),
}
EXISTS, MISSING = "ExecutionAlreadyExists", "ExecutionDoesNotExist"


class Machine:
    """The service, scripted; what it is asked is checked."""

    def __init__(self, stubbed: Stubbed) -> None:
        client, self.stubber = stubbed("stepfunctions")
        self.clock = MemoryClock(NOW)
        self.target = StateMachineTarget(client, RULES, self.clock)

    def starts(self, name: str, *, exists: bool = False) -> None:
        """An execution is asked for next."""
        if exists:
            asked = {"stateMachineArn": ARN, "name": name, "input": ANY}
            self.stubber.add_client_error("start_execution", EXISTS, expected_params=asked)
            return
        written = f'{{"payload":{{"report": "sales"}},"timegate":{json.dumps(TOLD)}}}'
        asked = {"stateMachineArn": ARN, "name": name, "input": written}
        begun = {"executionArn": execution(name), "startDate": NOW}
        self.stubber.add_response("start_execution", begun, asked)

    def starts_first(self) -> None:
        """The first attempt's execution is asked for next."""
        begun = {"executionArn": execution(f"{NAME}-1"), "startDate": NOW}
        asked = {"stateMachineArn": ARN, "name": f"{NAME}-1", "input": ANY}
        self.stubber.add_response("start_execution", begun, asked)

    def describes(self, name: str, status: str | None, **fields: str) -> None:
        """An execution is looked at next; ``None``: there is none."""
        asked = {"executionArn": execution(name)}
        if status is None:
            self.stubber.add_client_error("describe_execution", MISSING, expected_params=asked)
            return
        found = {**asked, "stateMachineArn": ARN, "status": status, "startDate": NOW}
        self.stubber.add_response("describe_execution", {**found, **fields}, asked)

    def refuses_to_describe(self, code: str) -> None:
        """Answer the next look with an error."""
        self.stubber.add_client_error("describe_execution", code)


def execution(name: str) -> str:
    """The ARN of an execution."""
    return f"{PLACE}:execution:timegate-target-orders:{name}"
