"""State machines: an execution per run, named after it, so that Step Functions begins it once."""

from datetime import timedelta
from typing import TYPE_CHECKING

from timegate.adapters.targets.action_target import ActionTarget, TargetServices
from timegate.adapters.targets.aws.aws_failures import classified
from timegate.adapters.targets.aws.work_requests import doing
from timegate.adapters.targets.failures import permanent, retryable, timed_out
from timegate.adapters.targets.run_context import envelope
from timegate.domain.actions.kind import MAX_MESSAGE_BYTES
from timegate.domain.actions.kinds.stepfunctions import ExecutionMode, StepFunctionsAction
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.execution.call import Answer, Call
from timegate.domain.runs.run_result import excerpt, whole
from timegate.ports.call_runner import TargetFailed
from timegate.ports.clock import Clock

if TYPE_CHECKING:
    from mypy_boto3_stepfunctions import SFNClient
    from mypy_boto3_stepfunctions.type_defs import DescribeExecutionOutputTypeDef

_SERVICE = "stepfunctions"
_PERMANENT = frozenset(
    {
        "InvalidArn",
        "InvalidExecutionInput",
        "InvalidName",
        "StateMachineDeleting",
        "StateMachineDoesNotExist",
    }
)
#: Between two looks at an execution; short ones are seen to end soon, long ones cost few calls.
_FIRST_PAUSE = timedelta(seconds=0.5)
_LONGEST_PAUSE = timedelta(seconds=10)
_RUNNING = frozenset({"RUNNING", "PENDING_REDRIVE"})
_GOOD = _RUNNING | {"SUCCEEDED"}
#: Error of an execution that was stopped.
_STOPPED = "Timegate.RunEnded"
_CAUSE = "Its run was cancelled, or ran out of time."


class StateMachineTarget(ActionTarget):
    """Starts executions of allow-listed state machines, and follows them where asked to."""

    def __init__(self, client: "SFNClient", rules: TargetRules, clock: Clock) -> None:
        self._client = client
        self._rules = rules
        self._clock = clock

    def invoke(self, call: Call, action: StepFunctionsAction) -> Answer:
        """Begin the run's execution, unless it has begun; raises ``TargetFailed``."""
        if not self._rules.allows(action.type, call.tenant, action.state_machine_arn):
            message = "The state machine is not allow-listed."
            raise permanent("target_not_allowed", "NotAllowed", message)
        match action.mode:
            case ExecutionMode.START:
                name = execution_name(call)
                begun = self._start(call, action, name)
                return Answer(text=f"execution {name} {'begun' if begun else 'had begun already'}")
            case ExecutionMode.WAIT:
                return self._follow(call, self._execution(call, action))

    def stop(self, call: Call, action: StepFunctionsAction) -> None:
        """Stop the execution that the run waited for, if one goes on; raises ``TargetFailed``."""
        if action.mode is not ExecutionMode.WAIT:
            return
        for number in range(call.attempt.number, 0, -1):
            arn = _arn(action, execution_name(call, attempt=number))
            found = self._describe(arn)
            if found is None:
                continue
            if found["status"] in _RUNNING:
                with classified(_SERVICE, permanent_codes=_PERMANENT):
                    self._client.stop_execution(executionArn=arn, error=_STOPPED, cause=_CAUSE)
            return

    def _execution(self, call: Call, action: StepFunctionsAction) -> str:
        """The ARN of the execution to wait for.

        Executions of a run are numbered, so that a retry begins anew what has failed. An earlier
        attempt's execution that runs, or has succeeded, is followed instead: it is the same run,
        and must not be done twice.

        The next number is taken, not the attempt's: an execution that has just begun may not be
        described yet, and AWS then refuses its name and not another one.
        """
        last = 0
        for number in range(call.attempt.number - 1, 0, -1):
            earlier = _arn(action, execution_name(call, attempt=number))
            found = self._seen(call, earlier)
            if found is not None and found["status"] in _GOOD:
                return earlier
            if found is not None:
                last = number
                break
        name = execution_name(call, attempt=last + 1)
        self._start(call, action, name)
        return _arn(action, name)

    def _start(self, call: Call, action: StepFunctionsAction, name: str) -> bool:
        """Start the execution and tell if it began now; one of the run's name is the run's own."""
        exists = self._client.exceptions.ExecutionAlreadyExists
        # Express state machines, which cannot be waited for, begin twice under one name.
        is_named = action.mode is ExecutionMode.WAIT
        with doing(call, is_named=is_named), classified(_SERVICE, permanent_codes=_PERMANENT):
            try:
                self._client.start_execution(
                    stateMachineArn=action.state_machine_arn,
                    name=name,
                    input=envelope(call, most_bytes=MAX_MESSAGE_BYTES),
                )
            except exists:
                return False
        return True

    def _follow(self, call: Call, arn: str) -> Answer:
        pause = _FIRST_PAUSE
        while True:
            found = self._seen(call, arn)
            # It may be missing for a moment: descriptions are eventually consistent.
            if found is not None and found["status"] not in _RUNNING:
                return _answer(found)
            if self._is_late(call):
                raise timed_out("The execution still runs; a next attempt follows it.")
            pause = self._rest(call, pause)

    def _seen(self, call: Call, arn: str) -> "DescribeExecutionOutputTypeDef | None":
        """Describe an execution; raises ``TargetFailed`` if AWS cannot do so until the deadline.

        A throttle or an outage ends no execution, and so ends no attempt that follows one. AWS
        bounds how often an account describes executions, and many runs may look at once:
        https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html
        """
        pause = _FIRST_PAUSE
        while True:
            try:
                return self._describe(arn)
            except TargetFailed as failed:
                if failed.failure.persists or self._is_late(call):
                    raise
            pause = self._rest(call, pause)

    def _is_late(self, call: Call) -> bool:
        return self._clock.now() >= call.deadline_at

    def _rest(self, call: Call, pause: timedelta) -> timedelta:
        """Wait, but not beyond the deadline; return the length of the next pause."""
        self._clock.wait_until(min(self._clock.now() + pause, call.deadline_at))
        return min(2 * pause, _LONGEST_PAUSE)

    def _describe(self, arn: str) -> "DescribeExecutionOutputTypeDef | None":
        missing = self._client.exceptions.ExecutionDoesNotExist
        with classified(_SERVICE, permanent_codes=_PERMANENT):
            try:
                return self._client.describe_execution(executionArn=arn)
            except missing:
                return None


def execution_name(call: Call, *, attempt: int | None = None) -> str:
    """The name of a run's execution; with characters that logs can be named after."""
    name = str(call.attempt.run).replace(".", "-")
    return name if attempt is None else f"{name}-{attempt}"


def _arn(action: StepFunctionsAction, name: str) -> str:
    """Return the ARN of an execution, which is the same for all versions of the state machine."""
    prefix, _, machine = action.state_machine_arn.partition(":stateMachine:")
    return f"{prefix}:execution:{machine.partition(':')[0]}:{name}"


def _answer(found: "DescribeExecutionOutputTypeDef") -> Answer:
    if found["status"] == "SUCCEEDED":
        output = found.get("output", "")
        return Answer(text=excerpt(output), whole=whole(output))
    raise _failure(found)


def _failure(found: "DescribeExecutionOutputTypeDef") -> Exception:
    status = found["status"]
    message = excerpt(found.get("cause", "") or f"The execution ended as {status}.")
    kind = found.get("error", "") or status
    if status == "ABORTED":
        # A person stopped it on purpose; beginning it again would undo that.
        return permanent("execution_aborted", kind, message)
    return retryable("execution_failed", kind, message)


def build(services: TargetServices) -> StateMachineTarget:
    """Build the target."""
    client = services.clients.client("stepfunctions")
    return StateMachineTarget(client, services.rules, services.clock)
