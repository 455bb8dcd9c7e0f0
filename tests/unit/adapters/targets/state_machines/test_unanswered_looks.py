"""Looks at executions that AWS does not answer, or answers by what it knew a moment ago."""

import pytest

from tests.support.factories import after, attempt_id
from tests.unit.adapters.conftest import Stubbed
from tests.unit.adapters.targets.calls import call_factory, refusal
from tests.unit.adapters.targets.state_machines.machine import NAME, WAIT, Machine
from timegate.domain.execution.call import Call
from timegate.domain.jobs.retry import FailureKind

FIRST = call_factory(attempt=attempt_id(1))


@pytest.fixture
def machine(stubbed: Stubbed) -> Machine:
    return Machine(stubbed)


@pytest.mark.parametrize("code", ["ThrottlingException", "InternalFailure", "ServiceUnavailable"])
def test_a_look_that_is_throttled_is_repeated(machine: Machine, code: str) -> None:
    """The execution goes on, and so does the attempt that follows it."""
    machine.starts_first()
    machine.describes(f"{NAME}-1", "RUNNING")
    machine.refuses_to_describe(code)
    machine.refuses_to_describe(code)
    machine.describes(f"{NAME}-1", "SUCCEEDED", output="1")

    assert machine.target.invoke(FIRST, WAIT).text == "1"
    assert machine.clock.now() == after(0.5 + 0.5 + 1)


def test_a_retry_waits_for_what_became_of_the_earlier_attempt(machine: Machine) -> None:
    """A throttle says nothing of an execution, which may run."""
    machine.refuses_to_describe("ThrottlingException")
    machine.describes(f"{NAME}-1", "RUNNING")
    machine.describes(f"{NAME}-1", "SUCCEEDED", output="1")

    assert machine.target.invoke(call_factory(), WAIT).text == "1"


def test_an_attempt_is_given_up_at_its_deadline_however_busy_aws_is(machine: Machine) -> None:
    """The last look is at the deadline itself; the next attempt follows the execution."""
    machine.starts_first()
    for _ in range(3):
        machine.refuses_to_describe("ThrottlingException")
    call = call_factory(attempt=attempt_id(1), deadline_at=after(1))

    assert refusal(lambda: machine.target.invoke(call, WAIT)) == (
        FailureKind.RETRYABLE,
        "stepfunctions_unavailable",
        "ThrottlingException",
    )
    assert machine.clock.now() == after(1)


def test_a_look_without_the_right_fails_at_once(machine: Machine) -> None:
    """No look a moment later has it: the next attempt follows the execution."""
    machine.starts_first()
    machine.refuses_to_describe("AccessDeniedException")
    before = machine.clock.now()

    assert refusal(lambda: machine.target.invoke(FIRST, WAIT)) == (
        FailureKind.RETRYABLE,
        "stepfunctions_refused",
        "AccessDeniedException",
    )
    assert machine.clock.now() == before


@pytest.mark.parametrize(
    "call", [call_factory(), call_factory(attempt=attempt_id(3))], ids=["second", "third"]
)
def test_an_execution_that_is_not_described_yet_is_not_begun_twice(
    machine: Machine, call: Call
) -> None:
    """AWS describes what has just begun a little later, and refuses its name at once."""
    for number in range(call.attempt.number - 1, 0, -1):
        machine.describes(f"{NAME}-{number}", None)
    machine.starts(f"{NAME}-1", exists=True)
    machine.describes(f"{NAME}-1", "SUCCEEDED", output="1")

    assert machine.target.invoke(call, WAIT).text == "1"


def test_the_execution_after_a_failed_one_is_begun_under_the_next_number(machine: Machine) -> None:
    """The second attempt may have begun it: its worker died, and no look shows it yet."""
    machine.describes(f"{NAME}-2", None)
    machine.describes(f"{NAME}-1", "FAILED")
    machine.starts(f"{NAME}-2", exists=True)
    machine.describes(f"{NAME}-2", "SUCCEEDED", output="2")

    assert machine.target.invoke(call_factory(attempt=attempt_id(3)), WAIT).text == "2"
