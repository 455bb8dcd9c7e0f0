"""Lambda targets: invoked synchronously, allow-listed, classified."""

import json
from dataclasses import replace
from io import BytesIO
from typing import Any
from unittest.mock import Mock

import pytest
from botocore.exceptions import EndpointConnectionError, ReadTimeoutError
from botocore.response import StreamingBody
from botocore.stub import ANY

from tests.support.factories import after
from tests.unit.adapters.conftest import Stubbed
from tests.unit.adapters.targets.calls import NOT_ALLOWED, RUN_ID, call_factory, refusal, told
from timegate.adapters.targets.callbacks import WORDS
from timegate.adapters.targets.kinds.aws_lambda import LambdaTarget
from timegate.domain.actions.kinds.aws_lambda import Invocation, LambdaAction
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.execution.call import ReportTerms, Resume
from timegate.domain.execution.trace_context import traceparent
from timegate.domain.jobs.retry import FailureKind
from timegate.domain.values.tenant import TenantId
from timegate.ports.call_runner import TargetFailed

ARN = "arn:aws:lambda:us-east-1:111122223333:function:timegate-target-report"
RULES = TargetRules(allowed={"lambda": ("arn:aws:lambda:*:*:function:timegate-target-*",)})
ACTION = LambdaAction(function_arn=ARN)


def returned(body: str, **fields: str) -> dict[str, Any]:
    """Return the answer of ``Invoke``."""
    payload = StreamingBody(BytesIO(body.encode()), len(body.encode()))
    return {"StatusCode": 200, "Payload": payload, **fields}


def sent(payload: str, invocation_type: str = "RequestResponse") -> dict[str, object]:
    """Return the request of ``Invoke``: the payload, and the run's identity beside it (R6)."""
    told_of_the_run = {
        "run_id": RUN_ID,
        "idempotency_key": RUN_ID,
        "fence": 3,
        "attempt": 2,
        "scheduled_at": "2026-11-21T07:00:00.000Z",
        "traceparent": traceparent(call_factory()),
    }
    event = f'{{"payload":{payload},"timegate":{json.dumps(told_of_the_run)}}}'
    return {
        "FunctionName": ARN,
        "InvocationType": invocation_type,
        "Payload": event.encode(),
    }


CALLBACK = ReportTerms(token="t0ken", silence_seconds=300, deadline_at=after(3600))
LARGE = Resume(slice=2, sequence=3, link="https://s3/x?y")


@pytest.mark.parametrize(
    ("payload", "arrives_as"),
    [('{"report": "sales"}', '{"report": "sales"}'), ("[1, 2]", "[1, 2]"), (None, "null")],
    ids=["object", "list", "none"],
)
def test_a_function_is_told_which_run_it_executes(
    stubbed: Stubbed, payload: str | None, arrives_as: str
) -> None:
    """Its answer is the run's result."""
    client, stubber = stubbed("lambda")
    stubber.add_response("invoke", returned('{"rows": 7}'), sent(arrives_as))
    answer = LambdaTarget(client, RULES).invoke(call_factory(payload=payload), ACTION)

    assert answer.text == '{"rows": 7}'


@pytest.mark.parametrize(
    ("tenant", "named"), [("acme", "acme"), ("auth0|5:a@b.c", "auth0/5:a@b.c")]
)
def test_a_tenant_has_environments_of_its_own(stubbed: Stubbed, tenant: str, named: str) -> None:
    """Lambda keeps tenants of a function apart by an id, which has no vertical bar."""
    client, stubber = stubbed("lambda")
    expected = sent("{}") | {"TenantId": named, "Payload": ANY}
    stubber.add_response("invoke", returned("7"), expected)
    call = replace(call_factory(), tenant=TenantId(tenant))
    action = LambdaAction(function_arn=ARN, tenant_isolation=True)
    allowed = TargetRules(allowed={"lambda": (ARN,)})

    assert LambdaTarget(client, allowed).invoke(call, action).text == "7"


def test_an_event_is_queued_and_not_waited_for(stubbed: Stubbed) -> None:
    """Lambda answers when it has the event; the function's own answer goes nowhere."""
    client, stubber = stubbed("lambda")
    payload = StreamingBody(BytesIO(b""), 0)
    expected = sent('{"report": "sales"}', "Event")
    stubber.add_response("invoke", {"StatusCode": 202, "Payload": payload}, expected)
    action = LambdaAction(function_arn=ARN, invocation=Invocation.ASYNC)

    assert LambdaTarget(client, RULES).invoke(call_factory(), action).text == "event queued"


def test_a_function_is_told_where_to_call_back(stubbed: Stubbed) -> None:
    """Lambda has the event, and the run is the function's: with all that it needs to hold it."""
    client, stubber = stubbed("lambda")
    payload = StreamingBody(BytesIO(b""), 0)
    stubber.add_response("invoke", {"StatusCode": 202, "Payload": payload}, None)
    sent_events: list[str] = []
    client.meta.events.register(
        "provide-client-params.lambda.Invoke",
        lambda params, **_: sent_events.append(params["Payload"].decode()),
    )
    action = LambdaAction(function_arn=ARN, invocation=Invocation.CALLBACK)
    call = call_factory(action=action, callback=CALLBACK, resume=LARGE)
    answer = LambdaTarget(client, RULES, api_url="https://api.example.com").invoke(call, action)
    told_of = json.loads(sent_events[0])["timegate"]
    url = f"https://api.example.com/v1/callbacks/{RUN_ID}"

    assert answer.accepted
    assert told_of["callback"] == {
        "token": "t0ken",
        "url": url,
        "heartbeat_seconds": 300,
        "deadline_at": "2026-11-21T08:00:00.000Z",
        **{f"{word}_url": f"{url}/{word}" for word in WORDS},
    }
    assert (told_of["checkpoint"], told_of["checkpoint_link"]) == (None, "https://s3/x?y")


def test_a_long_answer_is_cut(stubbed: Stubbed) -> None:
    """A function may return six megabytes; the record keeps an excerpt."""
    client, stubber = stubbed("lambda")
    stubber.add_response("invoke", returned("x" * 10_000))
    answer = LambdaTarget(client, RULES).invoke(call_factory(), ACTION)

    assert len(answer.text) == 500


def test_a_function_that_is_not_allow_listed_is_not_invoked(stubbed: Stubbed) -> None:
    """A list that was shortened holds for the jobs that exist already."""
    client, _ = stubbed("lambda")
    action = LambdaAction(function_arn=ARN.replace("timegate-target", "payroll"))

    assert (
        refusal(lambda: LambdaTarget(client, RULES).invoke(call_factory(), action)) == NOT_ALLOWED
    )


@pytest.mark.parametrize(
    ("code", "kind", "named"),
    [
        ("AccessDeniedException", FailureKind.RETRYABLE, "lambda_refused"),
        ("ResourceNotFoundException", FailureKind.PERMANENT, "lambda_refused"),
        ("RequestTooLargeException", FailureKind.PERMANENT, "lambda_refused"),
        ("TooManyRequestsException", FailureKind.RETRYABLE, "lambda_unavailable"),
        ("ServiceException", FailureKind.RETRYABLE, "lambda_unavailable"),
        ("EC2ThrottledException", FailureKind.RETRYABLE, "lambda_unavailable"),
    ],
)
def test_a_refusal_of_lambda_is_classified(
    stubbed: Stubbed, code: str, kind: FailureKind, named: str
) -> None:
    """Throttles and outages pass; a missing right may; a missing function does not (R8)."""
    client, stubber = stubbed("lambda")
    stubber.add_client_error("invoke", code)

    assert refusal(lambda: LambdaTarget(client, RULES).invoke(call_factory(), ACTION)) == (
        kind,
        named,
        code,
    )


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ('{"errorType": "KeyError", "errorMessage": "\'id\'"}', "KeyError"),
        ('{"errorMessage": "Task timed out after 3.00 seconds"}', "Unknown"),
        ('["odd"]', "Unknown"),
        ("no JSON", "Unknown"),
        ('{"errorType": null}', "Unknown"),
        ('{"errorType": "Half\\ud83d\\u0007"}', "Half??"),
    ],
    ids=["raised", "timed-out", "a-list", "no-json", "null", "unprintable"],
)
def test_what_a_function_raises_may_pass(stubbed: Stubbed, body: str, kind: str) -> None:
    """The type of what it raised is the error's type, the message an excerpt of it."""
    client, stubber = stubbed("lambda")
    stubber.add_response("invoke", returned(body, FunctionError="Unhandled"))

    with pytest.raises(TargetFailed) as caught:
        LambdaTarget(client, RULES).invoke(call_factory(), ACTION)

    assert told(caught.value.failure) == (FailureKind.RETRYABLE, "function_error", kind)
    assert caught.value.failure.message == body


@pytest.mark.parametrize(
    ("body", "kind"),
    [('{"errorType": "' + "E" * 500_000 + '"}', "E" * 128), ("[" * 100_000, "Unknown")],
    ids=["long", "endless"],
)
def test_a_record_has_room_for_what_a_function_raises(
    stubbed: Stubbed, body: str, kind: str
) -> None:
    """A type of half a megabyte would leave the run without an end."""
    client, stubber = stubbed("lambda")
    stubber.add_response("invoke", returned(body, FunctionError="Unhandled"))

    assert refusal(lambda: LambdaTarget(client, RULES).invoke(call_factory(), ACTION)) == (
        FailureKind.RETRYABLE,
        "function_error",
        kind,
    )


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        pytest.param(
            ReadTimeoutError(endpoint_url="https://lambda"),
            (FailureKind.TIMEOUT, "timeout", "TimedOut"),
            id="no-answer",
        ),
        pytest.param(
            EndpointConnectionError(endpoint_url="https://lambda"),
            (FailureKind.RETRYABLE, "connection_failed", "EndpointConnectionError"),
            id="no-connection",
        ),
    ],
)
def test_a_broken_connection_is_classified(
    stubbed: Stubbed,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    expected: tuple[str, str, str],
) -> None:
    """Without an answer the function may have acted; without a connection it cannot have."""
    client, _ = stubbed("lambda")

    monkeypatch.setattr(client, "invoke", Mock(side_effect=error))

    assert refusal(lambda: LambdaTarget(client, RULES).invoke(call_factory(), ACTION)) == expected
