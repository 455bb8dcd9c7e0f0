"""State machines as targets: begun once per run, and followed where a job waits for them."""

import pytest
from botocore.stub import ANY

from tests.support.factories import NOW, after, attempt_id
from tests.unit.adapters.conftest import Stubbed
from tests.unit.adapters.targets.calls import call_factory, refusal, told
from tests.unit.adapters.targets.state_machines.machine import (
    ARN,
    NAME,
    START,
    WAIT,
    Machine,
    execution,
)
from timegate.domain.actions.kinds.stepfunctions import ExecutionMode, StepFunctionsAction
from timegate.domain.jobs.retry import FailureKind
from timegate.ports.call_runner import TargetFailed


@pytest.fixture
def machine(stubbed: Stubbed) -> Machine:
    return Machine(stubbed)


def test_an_execution_is_named_after_its_run(machine: Machine) -> None:
    """So the run's retries, and its duplicates, can begin no second one."""
    machine.starts(NAME)
    answer = machine.target.invoke(call_factory(), START)

    assert answer.text == f"execution {NAME} begun"
    assert len(f"{NAME}-9999") <= 80


def test_an_execution_that_had_begun_is_a_success(machine: Machine) -> None:
    """The start was heard, and its answer was not: it is this very run."""
    machine.starts(NAME, exists=True)

    assert machine.target.invoke(call_factory(), START).text == (
        f"execution {NAME} had begun already"
    )


@pytest.mark.parametrize("qualifier", [":7", ":live"], ids=["version", "alias"])
def test_a_version_runs_as_its_state_machine(machine: Machine, qualifier: str) -> None:
    """An execution's ARN names no version."""
    action = StepFunctionsAction(state_machine_arn=f"{ARN}{qualifier}", mode=ExecutionMode.WAIT)
    begun = {"executionArn": "arn:x", "startDate": NOW}
    machine.stubber.add_response("start_execution", begun)
    machine.describes(f"{NAME}-1", "SUCCEEDED", output="1")
    answer = machine.target.invoke(call_factory(attempt=attempt_id(1)), action)

    assert answer.text == "1"


def test_a_run_that_waits_ends_as_its_execution_does(machine: Machine) -> None:
    """Its output is the run's result; it is looked at ever less often."""
    machine.starts_first()
    for _ in range(4):
        machine.describes(f"{NAME}-1", "RUNNING")
    machine.describes(f"{NAME}-1", "SUCCEEDED", output='{"rows": 7}')
    answer = machine.target.invoke(call_factory(attempt=attempt_id(1)), WAIT)

    assert answer.text == '{"rows": 7}'
    assert machine.clock.now() == after(0.5 + 1 + 2 + 4)


def test_an_execution_may_not_be_seen_at_once(machine: Machine) -> None:
    """Descriptions are eventually consistent."""
    machine.starts_first()
    machine.describes(f"{NAME}-1", None)
    machine.describes(f"{NAME}-1", "SUCCEEDED", output="1")

    assert machine.target.invoke(call_factory(attempt=attempt_id(1)), WAIT).text == "1"


@pytest.mark.parametrize(
    ("status", "fields", "kind", "code", "type_", "message"),
    [
        pytest.param(
            *("FAILED", {"error": "States.TaskFailed", "cause": "no stock"}),
            *(FailureKind.RETRYABLE, "execution_failed", "States.TaskFailed", "no stock"),
            id="failed",
        ),
        pytest.param(
            *("TIMED_OUT", {}),
            *(FailureKind.RETRYABLE, "execution_failed", "TIMED_OUT"),
            "The execution ended as TIMED_OUT.",
            id="timed-out",
        ),
        pytest.param(
            *("ABORTED", {}),
            *(FailureKind.PERMANENT, "execution_aborted", "ABORTED"),
            "The execution ended as ABORTED.",
            id="stopped-on-purpose",
        ),
    ],
)
def test_an_execution_that_failed_fails_its_run(
    machine: Machine,
    status: str,
    fields: dict[str, str],
    kind: FailureKind,
    code: str,
    type_: str,
    message: str,
) -> None:
    """It may do better another time, unless an operator stopped it on purpose."""
    machine.starts_first()
    machine.describes(f"{NAME}-1", status, **fields)

    with pytest.raises(TargetFailed) as caught:
        machine.target.invoke(call_factory(attempt=attempt_id(1)), WAIT)

    assert told(caught.value.failure) == (kind, code, type_)
    assert caught.value.failure.message == message


def test_a_run_is_given_up_at_its_deadline(machine: Machine) -> None:
    """The execution goes on; the next attempt follows it."""
    machine.starts_first()
    for _ in range(3):
        machine.describes(f"{NAME}-1", "RUNNING")

    assert refusal(
        lambda: machine.target.invoke(
            call_factory(attempt=attempt_id(1), deadline_at=after(1)), WAIT
        )
    ) == (FailureKind.TIMEOUT, "timeout", "TimedOut")
    assert machine.clock.now() == after(1)


@pytest.mark.parametrize("status", ["RUNNING", "SUCCEEDED"])
def test_a_retry_follows_what_still_runs_or_was_not_heard_of(machine: Machine, status: str) -> None:
    """The first attempt ran out of time, or its worker died: its execution is the run's."""
    machine.describes(f"{NAME}-1", status)
    machine.describes(f"{NAME}-1", "SUCCEEDED", output="1")

    assert machine.target.invoke(call_factory(), WAIT).text == "1"


def test_a_retry_begins_anew_what_failed(machine: Machine) -> None:
    """Under a name of its own: that of the execution that failed is taken for 90 days."""
    machine.describes(f"{NAME}-1", "FAILED")
    machine.starts(f"{NAME}-2")
    machine.describes(f"{NAME}-2", "SUCCEEDED", output="2")

    assert machine.target.invoke(call_factory(), WAIT).text == "2"


def test_a_retry_looks_back_as_far_as_something_began(machine: Machine) -> None:
    """The second attempt followed the first one's execution and began none."""
    machine.describes(f"{NAME}-2", None)
    machine.describes(f"{NAME}-1", "RUNNING")
    machine.describes(f"{NAME}-1", "SUCCEEDED", output="1")

    assert machine.target.invoke(call_factory(attempt=attempt_id(3)), WAIT).text == "1"


def test_a_worker_that_takes_over_follows_the_same_execution(machine: Machine) -> None:
    """The same attempt under another lease meets the execution its predecessor began."""
    machine.starts(f"{NAME}-1", exists=True)
    machine.describes(f"{NAME}-1", "SUCCEEDED", output="1")

    assert machine.target.invoke(call_factory(attempt=attempt_id(1), fence=4), WAIT).text == "1"


@pytest.mark.parametrize(
    ("code", "kind", "named"),
    [
        ("StateMachineDoesNotExist", FailureKind.PERMANENT, "stepfunctions_refused"),
        ("AccessDeniedException", FailureKind.RETRYABLE, "stepfunctions_refused"),
        ("InvalidExecutionInput", FailureKind.PERMANENT, "stepfunctions_refused"),
        ("ExecutionLimitExceeded", FailureKind.RETRYABLE, "stepfunctions_unavailable"),
        ("ThrottlingException", FailureKind.RETRYABLE, "stepfunctions_unavailable"),
    ],
)
def test_a_refusal_of_step_functions_is_classified(
    machine: Machine, code: str, kind: FailureKind, named: str
) -> None:
    """Throttles and limits pass; a missing right may; a missing machine does not (R8)."""
    machine.stubber.add_client_error("start_execution", code)

    assert refusal(lambda: machine.target.invoke(call_factory(), START)) == (kind, named, code)


def test_a_state_machine_that_is_not_allow_listed_is_not_started(machine: Machine) -> None:
    """A list that was shortened holds for the jobs that exist already."""
    action = StepFunctionsAction(state_machine_arn=ARN.replace("timegate-target", "payroll"))

    with pytest.raises(TargetFailed) as caught:
        machine.target.invoke(call_factory(), action)

    assert caught.value.failure.code == "target_not_allowed"


def stops(machine: Machine, name: str) -> None:
    """An execution is stopped next."""
    asked = {"executionArn": execution(name), "error": "Timegate.RunEnded", "cause": ANY}
    machine.stubber.add_response("stop_execution", {"stopDate": NOW}, asked)


@pytest.mark.parametrize(
    ("found", "stopped"),
    [
        pytest.param(["RUNNING"], f"{NAME}-2", id="its-own"),
        pytest.param([None, "RUNNING"], f"{NAME}-1", id="of-an-earlier-attempt"),
        pytest.param([None, None], None, id="none"),
        pytest.param(["SUCCEEDED"], None, id="over"),
        pytest.param([None, "FAILED"], None, id="failed-before"),
    ],
)
def test_the_execution_that_goes_on_is_stopped(
    machine: Machine, found: list[str | None], stopped: str | None
) -> None:
    """The last one there is, if it has not ended."""
    for number, status in zip((2, 1), found, strict=False):
        machine.describes(f"{NAME}-{number}", status)
    if stopped is not None:
        stops(machine, stopped)
    machine.target.stop(call_factory(attempt=attempt_id(2), action=WAIT), WAIT)

    machine.stubber.assert_no_pending_responses()


def test_an_execution_without_a_waiter_is_not_stopped(machine: Machine) -> None:
    """The run ended when it began: it is its own master."""
    machine.target.stop(call_factory(action=START), START)

    machine.stubber.assert_no_pending_responses()
