"""A service that does not answer is asked again: DynamoDB, KMS and Step Functions alike."""

from collections.abc import Callable
from typing import Any
from unittest.mock import Mock

import pytest
from botocore.exceptions import (
    BotoCoreError,
    ConnectionClosedError,
    ConnectTimeoutError,
    EndpointConnectionError,
    IncompleteReadError,
    NoCredentialsError,
    ReadTimeoutError,
)

from tests.contract.dag_runs.dag_run_factories import run_of
from tests.unit.adapters.conftest import Stubbed
from tests.unit.adapters.dynamo.test_dynamo_throttles import CALLS, store
from timegate.adapters.archive.kms_signer import KmsSealSigner
from timegate.adapters.archive.table_sizes import DynamoTableSizes
from timegate.adapters.step_functions.executions import StepFunctionsExecutions
from timegate.domain.values.errors import Throttled

PLACE = "https://service.example"
NO_ANSWER = [
    ReadTimeoutError(endpoint_url=PLACE),
    ConnectTimeoutError(endpoint_url=PLACE),
    EndpointConnectionError(endpoint_url=PLACE),
    ConnectionClosedError(endpoint_url=PLACE),
    IncompleteReadError(actual_bytes=1, expected_bytes=2),
]


def executions(client: Any) -> StepFunctionsExecutions:  # noqa: ANN401 - a stubbed client
    """Return executions of a machine that a client reaches."""
    arn = "arn:aws:states:us-east-1:111122223333:stateMachine:timegate-dag-runs"
    return StepFunctionsExecutions(lambda: client, state_machine_arn=arn)


OTHERS: dict[str, tuple[str, Callable[[Any], object]]] = {
    "sizes": ("dynamodb", lambda client: DynamoTableSizes(client).size_of("runs")),
    "sign": ("kms", lambda client: KmsSealSigner(lambda: client, "key").sign(b"seal")),
    "public_key": ("kms", lambda client: KmsSealSigner(lambda: client, "key").public_key()),
    "begin": ("stepfunctions", lambda client: executions(client).begin(run_of(), [])),
    "answer": ("stepfunctions", lambda client: executions(client).answer("token", "{}")),
    "fail": ("stepfunctions", lambda client: executions(client).fail("token", "cause")),
}


def silent(stubbed: Stubbed, service: str, error: BotoCoreError) -> Any:  # noqa: ANN401 - a client
    """Return a client whose every call ends without an answer."""
    client, stubber = stubbed(service)
    stubber.deactivate()

    client.meta.events.register("before-call", Mock(side_effect=error))
    return client


@pytest.mark.parametrize("error", NO_ANSWER, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("operation", CALLS)
def test_a_call_of_dynamodb_without_an_answer_may_be_repeated(
    stubbed: Stubbed, operation: str, error: BotoCoreError
) -> None:
    """The API answers 503 with Retry-After, and no function ends with a fault of its own."""
    with pytest.raises(Throttled, match="did not answer"):
        CALLS[operation](store(silent(stubbed, "dynamodb", error)))


@pytest.mark.parametrize("error", NO_ANSWER, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("call", OTHERS)
def test_so_may_one_of_another_service(stubbed: Stubbed, call: str, error: BotoCoreError) -> None:
    """A seal, and the beginning of an execution, have the same name when they are tried again."""
    service, made = OTHERS[call]

    with pytest.raises(Throttled, match="did not answer"):
        made(silent(stubbed, service, error))


@pytest.mark.parametrize("operation", CALLS)
def test_a_call_that_was_never_sent_for_want_of_credentials_may_not(
    stubbed: Stubbed, operation: str
) -> None:
    """Time does not mend it; an operator does."""
    with pytest.raises(NoCredentialsError):
        CALLS[operation](store(silent(stubbed, "dynamodb", NoCredentialsError())))
