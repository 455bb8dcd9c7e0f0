"""Every error that AWS documents for a call of a target: it may pass, or it fails the run."""

import json
from typing import Any

import pytest
from botocore.awsrequest import AWSResponse
from botocore.exceptions import ClientError
from botocore.session import get_session

from tests.unit.adapters.conftest import Stubbed
from tests.unit.adapters.targets.calls import refusal
from timegate.adapters.targets.aws.aws_failures import classified
from timegate.adapters.targets.kinds import aws_lambda, ecs, sns, sqs, stepfunctions
from timegate.domain.jobs.retry import FailureKind

#: Calls of targets, with what is permanent by their own lists.
CALLS: tuple[tuple[str, str, frozenset[str]], ...] = (
    ("ecs", "RunTask", ecs._PERMANENT),
    ("events", "PutEvents", frozenset()),
    ("lambda", "Invoke", aws_lambda._PERMANENT),
    ("sns", "Publish", sns._PERMANENT),
    ("sqs", "SendMessage", sqs._PERMANENT),
    ("stepfunctions", "StartExecution", stepfunctions._PERMANENT),
)
#: Documented errors that the same call may not meet another time: throttles, outages, and states of
#: a key, a function or a network that change by themselves.
PASSING = frozenset(
    {
        *("EC2ThrottledException", "EC2UnexpectedException", "EFSIOException"),
        *("EFSMountConnectivityException", "EFSMountFailureException", "EFSMountTimeoutException"),
        *("ENILimitReachedException", "ENINotReadyException", "ExecutionLimitExceeded"),
        *("CodeArtifactUserDeletedException", "CodeArtifactUserFailedException"),
        *("CodeArtifactUserPendingException", "DurableExecutionAlreadyStartedException"),
        *("InternalError", "InternalException", "KMSInvalidState", "KMSInvalidStateException"),
        *("KMSThrottling", "KmsInvalidState", "KmsInvalidStateException", "KmsThrottled"),
        *("KmsThrottlingException", "RequestThrottled", "ResourceConflictException"),
        *("ResourceNotReadyException", "S3FilesMountConnectivityException"),
        *("S3FilesMountFailureException", "S3FilesMountTimeoutException", "ServerException"),
        *("ServiceException", "ServiceQuotaExceededException", "SnapStartException"),
        *("SnapStartNotReadyException", "SnapStartRegenerationFailureException"),
        *("SnapStartTimeoutException", "SubnetIPAddressLimitReachedException"),
        "TooManyRequestsException",
    }
)
#: Rights that are missing: one that was given a moment ago is not known everywhere yet.
RIGHTS = frozenset(
    {
        *("AccessDeniedException", "AuthorizationError", "EC2AccessDeniedException"),
        *("KMSAccessDenied", "KMSAccessDeniedException", "KmsAccessDenied"),
        "KmsAccessDeniedException",
    }
)
#: Answers of their own: the run's execution or task has begun.
KNOWN = frozenset({"ConflictException", "ExecutionAlreadyExists"})
#: Codes that SQS sends beside the names of its errors, for clients of its older protocol.
#: https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-json-faqs.html
QUERY_CODES = {
    "AWS.SimpleQueueService.NonExistentQueue": FailureKind.PERMANENT,
    "AWS.SimpleQueueService.UnsupportedOperation": FailureKind.PERMANENT,
    "InvalidAddress": FailureKind.PERMANENT,
    "InvalidSecurity": FailureKind.PERMANENT,
    "KMS.AccessDeniedException": FailureKind.RETRYABLE,
    "KMS.DisabledException": FailureKind.PERMANENT,
    "KMS.InvalidKeyUsageException": FailureKind.PERMANENT,
    "KMS.InvalidStateException": FailureKind.RETRYABLE,
    "KMS.NotFoundException": FailureKind.PERMANENT,
    "KMS.OptInRequired": FailureKind.PERMANENT,
    "KMS.ThrottlingException": FailureKind.RETRYABLE,
    "RequestThrottled": FailureKind.RETRYABLE,
}


def documented(service: str, operation: str) -> set[str]:
    """Return the codes of the errors in the model of AWS that the SDK carries."""
    model = get_session().get_service_model(service).operation_model(operation)
    told = {each.metadata.get("error", {}).get("code") or each.name for each in model.error_shapes}
    return told - KNOWN


def kind_of(error: ClientError, service: str, permanent_codes: frozenset[str]) -> str:
    """Classify an error as a target does."""

    def call() -> None:
        with classified(service, permanent_codes=permanent_codes):
            raise error

    return refusal(call)[0]


@pytest.mark.parametrize(
    ("service", "operation", "permanent_codes"), CALLS, ids=[service for service, *_ in CALLS]
)
def test_a_documented_error_is_permanent_unless_it_may_pass(
    service: str, operation: str, permanent_codes: frozenset[str]
) -> None:
    """A run is not tried again for what AWS refuses each time."""
    kinds = {
        code: kind_of(ClientError({"Error": {"Code": code}}, operation), service, permanent_codes)
        for code in documented(service, operation)
    }

    assert kinds == {
        code: FailureKind.RETRYABLE if code in PASSING | RIGHTS else FailureKind.PERMANENT
        for code in kinds
    }


@pytest.mark.parametrize(("code", "kind"), QUERY_CODES.items(), ids=QUERY_CODES)
def test_an_error_of_sqs_is_known_by_its_code_of_the_older_protocol(
    stubbed: Stubbed, code: str, kind: FailureKind
) -> None:
    """The SDK takes that code, and not the name of the error, from the answer."""
    client, stubber = stubbed("sqs")
    stubber.deactivate()
    raw: Any = type("Raw", (), {"stream": lambda self: [json.dumps({"__type": "x"}).encode()]})()
    headers: Any = {
        "content-type": "application/x-amz-json-1.0",
        "x-amzn-query-error": f"{code};Sender",
    }
    client.meta.events.register(
        "before-send", lambda request, **_: AWSResponse(request.url, 400, headers, raw)
    )

    with pytest.raises(ClientError) as caught:
        client.send_message(QueueUrl="https://sqs.us-east-1.amazonaws.com/1/q", MessageBody="{}")

    assert kind_of(caught.value, "sqs", sqs._PERMANENT) is kind
