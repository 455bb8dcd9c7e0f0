"""The executions of the generic state machine."""

import json
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from timegate.adapters.dynamo.tables.throttles import throttles_translated
from timegate.domain.dag_runs.progress import DagRun
from timegate.domain.values.identity import TaskKey
from timegate.domain.values.instants import compact
from timegate.ports.dag_runs import DAG_RUN_FAILED

if TYPE_CHECKING:
    from mypy_boto3_stepfunctions import SFNClient

#: The execution has ended, or was stopped, or has been answered before.
_NO_LONGER_WAITING = frozenset({"TaskTimedOut", "TaskDoesNotExist", "InvalidToken"})
#: Errors that another try may not meet.
_PASSING = frozenset({"ExecutionLimitExceeded", "ServiceUnavailable", "InternalFailure"})


class StepFunctionsExecutions:
    """Begins an execution per requested round, and answers its callbacks."""

    def __init__(self, client: "Callable[[], SFNClient]", *, state_machine_arn: str) -> None:
        self._new_client = client
        self._arn = state_machine_arn

    def begin(self, run: DagRun, tasks: Sequence[TaskKey]) -> None:
        """Begin the execution of this round; its name is computed, so it begins once."""
        told = {
            "tenant": run.tenant,
            "dag_run_id": run.dag_run_id,
            "round": run.round,
            "tasks": list(tasks),
        }
        try:
            with throttles_translated(_PASSING):
                self._client.start_execution(
                    stateMachineArn=self._arn, name=execution_name(run), input=json.dumps(told)
                )
        except ClientError as error:
            if error.response["Error"]["Code"] != "ExecutionAlreadyExists":
                raise

    def answer(self, token: str, output: str) -> bool:
        """End a callback; ``False``: no execution waits for it any more."""
        return self._ended(lambda: self._client.send_task_success(taskToken=token, output=output))

    def fail(self, token: str, cause: str) -> bool:
        """End a callback as failed; ``False``: no execution waits for it any more."""
        return self._ended(
            lambda: self._client.send_task_failure(
                taskToken=token, error=DAG_RUN_FAILED, cause=cause
            )
        )

    @staticmethod
    def _ended(send: Callable[[], object]) -> bool:
        try:
            with throttles_translated(_PASSING):
                send()
        except ClientError as error:
            if error.response["Error"]["Code"] not in _NO_LONGER_WAITING:
                raise
            return False
        return True

    @cached_property
    def _client(self) -> "SFNClient":
        return self._new_client()


def execution_name(run: DagRun) -> str:
    """Return the name of the DAG run's execution from this round on: at most 80 characters.

    It says when the DAG run was made. A key may start one anew once the record of the first is
    gone, by the retention; AWS refuses the name of an execution for 90 days after its end:
    https://docs.aws.amazon.com/step-functions/latest/apireference/API_StartExecution.html
    """
    return f"{run.dag_run_id}-{compact(run.created_at)}-{run.opened_as}"
