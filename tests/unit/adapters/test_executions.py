"""The executions that stand for DAG runs: begun once a round, and answered."""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import boto3
import pytest
from botocore.stub import Stubber

from tests.contract.dag_runs.dag_run_factories import run_of
from tests.support.services.request_limits import enforce
from timegate.adapters.step_functions.executions import StepFunctionsExecutions, execution_name
from timegate.domain.values.errors import Throttled
from timegate.domain.values.identity import TaskKey
from timegate.domain.values.instants import compact
from timegate.ports.dag_runs import DAG_RUN_FAILED

if TYPE_CHECKING:
    from mypy_boto3_stepfunctions import SFNClient

ARN = "arn:aws:states:us-east-1:111122223333:stateMachine:timegate-dag-runs"
TOKEN = "AQCEAAAAKgAAAAMAAAAA"
RUN = run_of(round=3, opened_as=3)
TASKS = [TaskKey("extract"), TaskKey("load")]


@pytest.fixture
def client() -> Iterator["SFNClient"]:
    """One that reaches no execution."""
    with closing(
        boto3.client(
            "stepfunctions",
            region_name="us-east-1",
            aws_access_key_id="test",
            aws_secret_access_key="test",
        )
    ) as client:
        enforce(client)
        yield client


@pytest.fixture
def stub(client: "SFNClient") -> Iterator[Stubber]:
    """Yield the stub that answers for Step Functions."""
    with Stubber(client) as stub:
        yield stub
        stub.assert_no_pending_responses()


@pytest.fixture
def executions(client: "SFNClient") -> StepFunctionsExecutions:
    """Return the executions of the state machine."""
    return StepFunctionsExecutions(lambda: client, state_machine_arn=ARN)


def test_an_execution_is_begun_under_its_rounds_name(
    executions: StepFunctionsExecutions, stub: Stubber
) -> None:
    """And told which DAG run it stands for, and of which tasks it awaits the ends."""
    told = {"tenant": "acme", "dag_run_id": RUN.dag_run_id, "round": 3, "tasks": TASKS}
    name = f"{RUN.dag_run_id}-{compact(RUN.created_at)}-3"
    stub.add_response(
        "start_execution",
        {"executionArn": f"{ARN}:1", "startDate": 0},
        {
            "stateMachineArn": ARN,
            "name": name,
            "input": json.dumps(told),
        },
    )
    executions.begin(RUN, TASKS)

    assert len(execution_name(RUN)) <= 80


def test_a_dag_run_that_is_started_anew_has_a_name_of_its_own() -> None:
    """Its record may be gone before AWS gives the name of the first one back."""
    again = replace(RUN, created_at=RUN.created_at + timedelta(days=31))

    assert again.dag_run_id == RUN.dag_run_id
    assert execution_name(again) != execution_name(RUN)


def test_one_that_has_begun_is_not_begun_again(
    executions: StepFunctionsExecutions, stub: Stubber
) -> None:
    """A step that died before it knew asks again."""
    stub.add_client_error("start_execution", "ExecutionAlreadyExists")

    executions.begin(RUN, TASKS)


@pytest.mark.parametrize("code", ["ThrottlingException", "ExecutionLimitExceeded"])
def test_what_passes_is_tried_again(
    executions: StepFunctionsExecutions, stub: Stubber, code: str
) -> None:
    """By the step that reads the record again."""
    stub.add_client_error("start_execution", code)
    stub.add_client_error("send_task_success", code)
    stub.add_client_error("send_task_failure", code)

    with pytest.raises(Throttled):
        executions.begin(RUN, TASKS)
    with pytest.raises(Throttled):
        executions.answer(TOKEN, "{}")
    with pytest.raises(Throttled):
        executions.fail(TOKEN, "{}")


def test_a_callback_is_answered_once(executions: StepFunctionsExecutions, stub: Stubber) -> None:
    """The second time no execution waits any more, and nothing is wrong."""
    stub.add_response("send_task_success", {}, {"taskToken": TOKEN, "output": '{"a":1}'})
    for code in ("TaskTimedOut", "TaskDoesNotExist", "InvalidToken"):
        stub.add_client_error("send_task_success", code)

    answered = [executions.answer(TOKEN, '{"a":1}') for _ in range(4)]

    assert answered == [True, False, False, False]


def test_an_execution_fails_with_its_dag_run(
    executions: StepFunctionsExecutions, stub: Stubber
) -> None:
    """By an error that its definition knows, once."""
    failed = {"taskToken": TOKEN, "error": DAG_RUN_FAILED, "cause": '{"a":1}'}
    stub.add_response("send_task_failure", {}, failed)
    for code in ("TaskTimedOut", "TaskDoesNotExist", "InvalidToken"):
        stub.add_client_error("send_task_failure", code)

    answered = [executions.fail(TOKEN, '{"a":1}') for _ in range(4)]

    assert answered == [True, False, False, False]


def test_an_unexpected_error_is_raised(executions: StepFunctionsExecutions, stub: Stubber) -> None:
    """A machine that is not there, or a right that is missing, rouses a person."""
    for name in ("start_execution", "send_task_success", "send_task_failure"):
        stub.add_client_error(name, "AccessDeniedException")

    with pytest.raises(Exception, match="AccessDenied"):
        executions.begin(RUN, TASKS)
    with pytest.raises(Exception, match="AccessDenied"):
        executions.answer(TOKEN, "{}")
    with pytest.raises(Exception, match="AccessDenied"):
        executions.fail(TOKEN, "{}")
