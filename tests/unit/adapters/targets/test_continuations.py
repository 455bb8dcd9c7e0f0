"""Orders to go on, in what targets answer, and what targets are told of the slices before."""

import json
import tracemalloc
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest
from botocore.response import StreamingBody

from tests.unit.adapters.conftest import Stubbed
from tests.unit.adapters.targets.calls import RUN_ID, call_factory
from tests.unit.adapters.targets.web_hooks.http_target import LocalTarget, local_target, reply
from tests.unit.adapters.targets.web_hooks.web_senders import sender
from timegate.adapters.targets.continuations import (
    MAX_ORDER_CHARACTERS,
    continuation_in,
    continuation_under,
)
from timegate.adapters.targets.kinds.aws_lambda import LambdaTarget
from timegate.adapters.targets.run_context import envelope
from timegate.domain.actions.kinds.aws_lambda import Invocation, LambdaAction
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.execution.call import Resume
from timegate.domain.execution.trace_context import traceparent
from timegate.domain.jobs.retry import FailureKind
from timegate.domain.jobs.slices import Continuation
from timegate.ports.call_runner import TargetFailed

ARN = "arn:aws:lambda:us-east-1:111122223333:function:timegate-target-report"
RULES = TargetRules(allowed={"lambda": ("arn:aws:lambda:*:*:function:timegate-target-*",)})

YES, NO = True, False


def order(value: Any) -> str:  # noqa: ANN401 - any JSON
    """An answer with such an order."""
    return json.dumps({"timegate": {"continue": value}, "rows": 7})


@pytest.fixture
def target() -> Iterator[LocalTarget]:
    with local_target() as target:
        yield target


@pytest.mark.parametrize(
    ("answer", "meant"),
    [
        pytest.param(order(YES), Continuation(), id="true"),
        pytest.param(order({}), Continuation(), id="nothing-more"),
        pytest.param(
            order({"checkpoint": {"row": 7, "müller": [1.5, None]}}),
            Continuation(checkpoint='{"row":7,"müller":[1.5,null]}'),
            id="checkpoint",
        ),
        pytest.param(order({"checkpoint": None}), Continuation(checkpoint="null"), id="null"),
        pytest.param(
            order({"delay_seconds": 86_400}), Continuation(delay_seconds=86_400), id="delay"
        ),
        pytest.param(
            order({"progress": {"percent": 50, "message": "half"}}),
            Continuation(percent=50, message="half"),
            id="progress",
        ),
        pytest.param(f"\ufeff{order(YES)}", Continuation(), id="byte-order-mark"),
    ],
)
def test_an_answer_orders_to_go_on(answer: str, meant: Continuation) -> None:
    """By one member of a JSON object; the others are the target's own."""
    assert continuation_in(answer) == meant


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param("", id="empty"),
        pytest.param('"timegate"', id="text"),
        pytest.param('["timegate", "continue"]', id="list"),
        pytest.param('{"rows": 7}', id="its-own"),
        pytest.param('{"timegate": "great"}', id="another-thing"),
        pytest.param('{"timegate": {"run_id": "x"}}', id="an-echo"),
        pytest.param(order(NO), id="false"),
        pytest.param('{"timegate": cut off', id="no-json"),
        pytest.param('{"timegate": {}, "tree": ' + "[" * 100_000, id="endless"),
        pytest.param('<p>{"timegate": {"continue": true}}</p>', id="a-page-about-it"),
    ],
)
def test_other_answers_order_nothing(answer: str) -> None:
    """They end their run."""
    assert continuation_in(answer) is None


@pytest.mark.parametrize("more", [0, 1])
def test_an_order_is_looked_for_in_so_long_an_answer_and_no_longer(more: int) -> None:
    """A longer one that may hold an order fails, as one that was cut off does."""
    long = order(YES).ljust(MAX_ORDER_CHARACTERS + more)
    if not more:
        assert continuation_in(long) == Continuation()
        return
    with pytest.raises(TargetFailed) as failed:
        continuation_in(long)

    assert failed.value.failure.code == "invalid_continue"


def test_a_long_answer_without_an_order_is_not_read() -> None:
    """A function may answer 6 MB: lists in them would take 200 MB of an executor's memory."""
    long = '{"timegate": {"run_id": "x"}, "rows": [' + "[]," * MAX_ORDER_CHARACTERS + "0]}"
    tracemalloc.start()
    try:
        assert continuation_in(long) is None
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert peak < len(long)


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(order(1), id="number"),
        pytest.param(order("yes"), id="text"),
        pytest.param(order({"checkpoints": 1}), id="misspelt"),
        pytest.param(order({"delay_seconds": -1}), id="past"),
        pytest.param(order({"delay_seconds": 86_401}), id="too-far"),
        pytest.param(order({"delay_seconds": True}), id="no-number"),
        pytest.param(order({"delay_seconds": "10"}), id="number-as-text"),
        pytest.param(order({"progress": 50}), id="bare-progress"),
        pytest.param(order({"progress": {"done": 1}}), id="other-progress"),
        pytest.param(order({"progress": {"percent": "50"}}), id="percent-as-text"),
        pytest.param('{"timegate": {"continue": {"checkpoint": 1e999}}}', id="infinite"),
        pytest.param('{"timegate": {"continue": {"checkpoint": "cut', id="cut-off"),
        pytest.param('{"timegate": {"continue": {"checkpoint": ' + "[" * 100_000, id="endless"),
        pytest.param(order({"checkpoint": "\ud83d"}), id="half-a-letter"),
        pytest.param(order({"progress": {"message": "\ud83d"}}), id="half-a-letter-in-progress"),
        pytest.param(order({"progress": {"percent": float("nan")}}), id="percent-nan"),
    ],
)
def test_an_unknown_order_fails_for_good(answer: str) -> None:
    """A success would lose the work that is left."""
    with pytest.raises(TargetFailed) as failed:
        continuation_in(answer)

    assert failed.value.failure.kind is FailureKind.PERMANENT
    assert failed.value.failure.code == "invalid_continue"


@pytest.mark.parametrize(
    ("header", "body", "meant"),
    [
        pytest.param("0", '{"row": 7}', Continuation(checkpoint='{"row":7}'), id="at-once"),
        pytest.param("1.5", " ", Continuation(delay_seconds=1.5), id="no-checkpoint"),
        pytest.param("0", "\ufeff7", Continuation(checkpoint="7"), id="byte-order-mark"),
    ],
)
def test_a_header_makes_the_body_the_checkpoint(
    header: str, body: str, meant: Continuation
) -> None:
    """Its number is the delay."""
    assert continuation_under(header, body) == meant


@pytest.mark.parametrize(
    ("header", "body"),
    [
        ("soon", "{}"),
        ("nan", "{}"),
        ("inf", "{}"),
        ("-1", "{}"),
        ("0", "row 7"),
        ("0", '{"ro'),
        pytest.param("0", "[" * 100_000, id="endless"),
        pytest.param("0", '"\\ud83d"', id="half-a-letter"),
    ],
)
def test_an_unknown_header_fails_for_good(header: str, body: str) -> None:
    """An unknown header or a body that is no JSON is a permanent failure."""
    with pytest.raises(TargetFailed) as failed:
        continuation_under(header, body)

    assert failed.value.failure.kind is FailureKind.PERMANENT


@pytest.mark.parametrize("by", ["header", "json"])
def test_a_web_hook_is_told_and_heard(target: LocalTarget, by: str) -> None:
    """A small checkpoint fits into a header, in ASCII."""
    body = json.dumps({"row": "x" * 100_000})
    target.script = (
        reply(200, body.encode(), Timegate_Continue="5")
        if by == "header"
        else reply(200, order({"checkpoint": json.loads(body), "delay_seconds": 5}).encode())
    )
    resume = Resume(slice=3, sequence=2, checkpoint='{"row":"ü"}')
    with sender("127.0.0.1") as webhook:
        answer = webhook.invoke(call_factory(resume=resume), WebhookAction(url=target.url()))
    headers = dict(target.requests[0].headers)

    assert answer.continuation is not None
    assert json.loads(answer.continuation.checkpoint or "") == json.loads(body)
    assert answer.continuation.delay_seconds == 5
    assert headers["Timegate-Slice"] == "3"
    assert headers["Timegate-Checkpoint-Sequence"] == "2"
    assert headers["Timegate-Checkpoint"] == '{"row": "\\u00fc"}'
    assert "Timegate-Checkpoint-Link" not in headers
    assert headers["webhook-id"] == RUN_ID.replace(".", "_") + "~3"


def test_a_web_hook_gets_a_link_to_a_large_checkpoint(target: LocalTarget) -> None:
    """And one of no long run hears nothing of slices."""
    link = "https://bucket.example.com/checkpoint?signature=x"
    with sender("127.0.0.1") as webhook:
        resume = Resume(slice=2, sequence=1, link=link)
        webhook.invoke(call_factory(resume=resume), WebhookAction(url=target.url()))
        webhook.invoke(call_factory(), WebhookAction(url=target.url()))
    long, other = (dict(request.headers) for request in target.requests)

    assert long["Timegate-Checkpoint-Link"] == link
    assert "Timegate-Checkpoint" not in long
    assert not [name for name in other if name.startswith(("Timegate-Slice", "Timegate-Check"))]


def test_an_order_under_an_error_is_none(target: LocalTarget) -> None:
    """A failed call is tried again from the last checkpoint."""
    target.script = reply(503, order(YES).encode(), Timegate_Continue="0")
    with sender("127.0.0.1") as webhook, pytest.raises(TargetFailed) as failed:
        webhook.invoke(call_factory(), WebhookAction(url=target.url()))

    assert failed.value.failure.code == "http_503"


@pytest.mark.parametrize(
    ("invocation", "heard"),
    [
        pytest.param(Invocation.SYNC, Continuation(), id="sync"),
        pytest.param(Invocation.ASYNC, None, id="async"),
    ],
)
def test_a_function_is_heard_where_it_answers(
    stubbed: Stubbed, invocation: Invocation, heard: Continuation | None
) -> None:
    """An asynchronous invocation returns nothing."""
    client, stubber = stubbed("lambda")
    body = order(YES).encode()
    payload = StreamingBody(BytesIO(body), len(body))
    stubber.add_response("invoke", {"StatusCode": 200, "Payload": payload})
    action = LambdaAction(function_arn=ARN, invocation=invocation)

    assert LambdaTarget(client, RULES).invoke(call_factory(), action).continuation == heard


@pytest.mark.parametrize(
    ("resume", "told"),
    [
        pytest.param(
            Resume(slice=1),
            {"slice": 1, "checkpoint_sequence": 0, "checkpoint": None},
            id="first",
        ),
        pytest.param(
            Resume(slice=3, sequence=2, checkpoint='{"row": 7.10}'),
            {"slice": 3, "checkpoint_sequence": 2, "checkpoint": {"row": 7.1}},
            id="later",
        ),
    ],
)
def test_a_function_is_told_in_its_event(resume: Resume, told: dict[str, object]) -> None:
    """Beside the run's identity; the checkpoint as it was given."""
    event = json.loads(envelope(call_factory(resume=resume)))
    without = json.loads(envelope(call_factory()))
    # Each slice is a span of its own.
    span = {"traceparent": traceparent(call_factory(resume=resume))}

    assert event["timegate"] == without["timegate"] | told | span
    assert resume.checkpoint is None or resume.checkpoint in envelope(call_factory(resume=resume))
