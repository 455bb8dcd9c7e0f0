"""Requests that do a run's work: sent within the call, and repeated only where that is harmless."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, ClassVar

import pytest
from botocore.session import Session

from tests.unit.adapters.targets.calls import call_factory
from timegate.adapters.system_clock import SystemClock
from timegate.adapters.targets.aws.work_requests import doing, hold_to_terms, sends_once
from timegate.adapters.targets.kinds.eventbridge import EventBusTarget
from timegate.adapters.targets.kinds.sns import SnsTarget
from timegate.adapters.targets.kinds.sqs import SqsTarget
from timegate.adapters.targets.kinds.stepfunctions import StateMachineTarget
from timegate.domain.actions.kinds.eventbridge import EventBridgeAction
from timegate.domain.actions.kinds.sns import SnsAction
from timegate.domain.actions.kinds.sqs import SqsAction
from timegate.domain.actions.kinds.stepfunctions import StepFunctionsAction
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.execution.call import Call
from timegate.domain.jobs.retry import FailureKind
from timegate.ports.call_runner import TargetFailed
from timegate.runtime import clients

RULES = TargetRules(allowed=dict.fromkeys(("sqs", "sns", "eventbridge", "stepfunctions"), ("*",)))
QUEUE = "https://sqs.us-east-1.amazonaws.com/111122223333/timegate-target-orders"
TOPIC = "arn:aws:sns:us-east-1:111122223333:timegate-target-orders"
PUBLISHED = (
    '<PublishResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><PublishResult>'
    "<MessageId>m</MessageId></PublishResult></PublishResponse>"
)
REFUSAL = '{"__type": "ThrottlingException"}'
REFUSAL_OF_SNS = "<ErrorResponse><Error><Code>InternalError</Code></Error></ErrorResponse>"
STARTED = '{"executionArn": "arn", "startDate": 1}'
#: Answers for which the connection is closed instead.
NO_ANSWER = 0
THROTTLED = 400

Do = Callable[[Call], object]


class _Aws(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    #: Statuses of the next answers; those behind them succeed.
    failing: ClassVar[list[int]] = []
    answer = "{}"
    refusal = REFUSAL
    requests = 0

    def do_POST(self) -> None:
        """Carry a request out, whatever is answered."""
        type(self).requests += 1
        self.rfile.read(int(self.headers["Content-Length"]))
        status = self.failing.pop(0) if self.failing else 200
        if status == NO_ANSWER:
            self.close_connection = True
            return
        body = self.answer if status == 200 else self.refusal
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(autouse=True)
def _service(monkeypatch: pytest.MonkeyPatch, socket_enabled: None) -> Iterator[None]:
    del socket_enabled
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Aws)
    Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{server.server_address[1]}")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    _Aws.requests, _Aws.answer, _Aws.refusal = 0, "{}", REFUSAL
    _Aws.failing.clear()
    yield
    server.shutdown()
    server.server_close()


def new_client(service: str) -> Any:  # noqa: ANN401 - any client
    """Return a client of a target."""
    return clients.target(Session(), service, now=SystemClock().now)


def queue(url: str = QUEUE) -> Do:
    """Send to a queue."""
    _Aws.answer = '{"MessageId": "m"}'
    target = SqsTarget(new_client("sqs"), RULES)
    return lambda call: target.invoke(call, SqsAction(queue_url=url))


def topic(arn: str = TOPIC) -> Do:
    """Publish to a topic."""
    _Aws.answer, _Aws.refusal = PUBLISHED, REFUSAL_OF_SNS
    target = SnsTarget(new_client("sns"), RULES)
    return lambda call: target.invoke(call, SnsAction(topic_arn=arn))


def bus() -> Do:
    """Put an event on a bus."""
    _Aws.answer = '{"Entries": [{"EventId": "e"}]}'
    target = EventBusTarget(new_client("events"), RULES)
    arn = "arn:aws:events:us-east-1:111122223333:event-bus/timegate-target-orders"
    action = EventBridgeAction(bus_arn=arn, source="orders", detail_type="due")
    return lambda call: target.invoke(call, action)


def machine() -> Do:
    """Start an execution, which may be of an express state machine."""
    _Aws.answer = STARTED
    client = new_client("stepfunctions")
    target = StateMachineTarget(client, RULES, SystemClock())
    arn = "arn:aws:states:us-east-1:111122223333:stateMachine:timegate-target-orders"
    return lambda call: target.invoke(call, StepFunctionsAction(state_machine_arn=arn))


def a_call(*, once: bool = False, seconds: float = 30) -> Call:
    """Return a call that lasts so long from now on."""
    deadline_at = datetime.now(UTC) + timedelta(seconds=seconds)
    return replace(call_factory(), once=once, deadline_at=deadline_at)


def failure_of(do: Do, call: Call) -> FailureKind:
    """Return the kind of failure that a call ends with."""
    with pytest.raises(TargetFailed) as caught:
        do(call)
    return caught.value.failure.kind


def test_terms_end_with_their_call() -> None:
    """The thread's next requests are of another call, or of none."""

    def fail() -> None:
        with doing(a_call(once=True)):
            assert sends_once()
            raise KeyError

    with pytest.raises(KeyError):
        fail()

    assert not sends_once()


@pytest.mark.parametrize("status", [500, 503, NO_ANSWER])
@pytest.mark.parametrize("to", [queue, topic, bus, machine])
def test_what_may_have_been_carried_out_is_not_sent_again_at_most_once(
    to: Callable[[], Do], status: int
) -> None:
    """(R7) A service that fails, or does not answer, may have taken the message all the same."""
    do = to()
    _Aws.failing.append(status)

    assert failure_of(do, a_call(once=True)) is FailureKind.RETRYABLE
    assert _Aws.requests == 1


@pytest.mark.parametrize("to", [queue, topic, bus, machine])
def test_any_other_delivery_has_the_request_repeated(to: Callable[[], Do]) -> None:
    """The key tells the target that both are of one run."""
    do = to()
    _Aws.failing.append(500)

    do(a_call())

    assert _Aws.requests == 2


@pytest.mark.parametrize(
    "to", [lambda: queue(f"{QUEUE}.fifo"), lambda: topic(f"{TOPIC}.fifo")], ids=["queue", "topic"]
)
def test_what_aws_drops_by_its_name_is_sent_again(to: Callable[[], Do]) -> None:
    """A FIFO target takes one message of a deduplication id."""
    do = to()
    _Aws.failing.append(500)

    do(a_call(once=True))

    assert _Aws.requests == 2


def test_what_aws_refused_is_sent_again_at_most_once() -> None:
    """A throttle says that nothing was done."""
    do = queue()
    _Aws.failing.append(THROTTLED)

    do(a_call(once=True))

    assert _Aws.requests == 2


def test_no_request_is_sent_after_the_end_of_its_call() -> None:
    """A worker that was frozen goes on where it stood, perhaps after its run has ended."""
    do = queue()

    assert failure_of(do, a_call(seconds=-1)) is FailureKind.TIMEOUT
    assert _Aws.requests == 0


def test_no_request_is_repeated_after_the_end_of_its_call() -> None:
    """The run has ended by then, as timed out, or by another worker."""
    now = datetime.now(UTC)
    client: Any = Session().create_client("sqs")
    hold_to_terms(client, lambda: now + timedelta(seconds=60 * _Aws.requests))
    _Aws.failing.append(500)

    with doing(a_call()), pytest.raises(client.exceptions.ClientError):
        client.send_message(QueueUrl=QUEUE, MessageBody="{}")

    assert _Aws.requests == 1


def test_a_request_of_no_call_is_sent() -> None:
    """Looks at what was begun, and stops, may come later."""
    client: Any = new_client("sqs")
    _Aws.failing.append(500)

    client.send_message(QueueUrl=QUEUE, MessageBody="{}")

    assert _Aws.requests == 2
