"""Web hooks: what is sent, and what an answer means."""

from collections.abc import Iterator

import pytest

from tests.support.factories import after
from tests.unit.adapters.targets.calls import RUN_ID, call_factory, told
from tests.unit.adapters.targets.web_hooks.http_target import LocalTarget, reply
from tests.unit.adapters.targets.web_hooks.web_senders import sender
from timegate.adapters.targets.kinds.webhook import WebhookTarget
from timegate.domain.actions.kinds.webhook import Wait, WebhookAction
from timegate.domain.execution.call import Answer, ReportTerms
from timegate.domain.execution.trace_context import traceparent
from timegate.domain.jobs.retry import Failure, FailureKind
from timegate.ports.call_runner import TargetFailed


@pytest.fixture
def webhook() -> Iterator[WebhookTarget]:
    with sender("127.0.0.1") as webhook:
        yield webhook


def failure_of(webhook: WebhookTarget, action: WebhookAction) -> Failure:
    """Return the failure of the call."""
    with pytest.raises(TargetFailed) as caught:
        webhook.invoke(call_factory(), action)
    return caught.value.failure


def test_a_request_carries_the_identity_of_its_run(
    webhook: WebhookTarget, target: LocalTarget
) -> None:
    """Run id, idempotency key, attempt, fence and instant: enough to refuse a dead worker (R6)."""
    webhook.invoke(call_factory(), WebhookAction(url=target.url()))
    (request,) = target.requests

    assert {
        "Timegate-Run-Id": RUN_ID,
        "Timegate-Idempotency-Key": RUN_ID,
        "Idempotency-Key": RUN_ID,
        "Timegate-Attempt": "2",
        "Timegate-Fence": "3",
        "Timegate-Scheduled-At": "2026-11-21T07:00:00.000Z",
        "traceparent": traceparent(call_factory()),
    }.items() <= dict(request.headers).items()


def test_a_target_is_told_where_to_call_back(target: LocalTarget) -> None:
    """In headers; 202 accepts the run, any other success ends it."""
    callback = ReportTerms(token="t0ken", silence_seconds=300, deadline_at=after(3600))
    action = WebhookAction(url=target.url(), wait=Wait.CALLBACK)
    call = call_factory(callback=callback)
    with sender("127.0.0.1") as webhook:
        target.script = reply(202, b"later")
        accepted = webhook.invoke(call, action)
        plain = webhook.invoke(call_factory(), WebhookAction(url=target.url()))
        target.script = reply(200, b"done")
        done = webhook.invoke(call, action)
    first, last, _ = target.requests

    assert [answer.accepted for answer in (accepted, plain, done)] == [True, False, False]
    assert {
        "Timegate-Callback-Token": "t0ken",
        "Timegate-Callback-Url": f"https://api.example.com/v1/callbacks/{RUN_ID}",
        "Timegate-Heartbeat-Seconds": "300",
        "Timegate-Deadline-At": "2026-11-21T08:00:00.000Z",
    }.items() <= dict(first.headers).items()
    assert "Timegate-Callback-Token" not in last.headers


def test_a_request_is_what_the_job_says(webhook: WebhookTarget, target: LocalTarget) -> None:
    """Method, path with its query, own headers, and the payload as JSON."""
    action = WebhookAction(url=target.url("/a/b?c=d&e"), method="PUT", headers={"X-Team": "ops"})
    webhook.invoke(call_factory(), action)
    (request,) = target.requests

    assert (
        request.method,
        request.path,
        request.body,
    ) == ("PUT", "/a/b?c=d&e", '{"report": "sales"}')
    assert {
        "X-Team": "ops",
        "Content-Type": "application/json",
        "User-Agent": "Timegate",
        "Host": f"127.0.0.1:{target.port}",
    }.items() <= dict(request.headers).items()


@pytest.mark.parametrize("name", ["Content-Type", "content-type"])
def test_a_job_may_name_its_content_type(
    webhook: WebhookTarget, target: LocalTarget, name: str
) -> None:
    """Its own header replaces ours, however it is spelled; two would contradict each other."""
    headers = {name: "application/cloudevents+json"}
    webhook.invoke(call_factory(), WebhookAction(url=target.url(), headers=headers))

    assert target.requests[0].headers.get_all("content-type") == ["application/cloudevents+json"]


def test_a_url_without_a_path_asks_for_the_root(
    webhook: WebhookTarget, target: LocalTarget
) -> None:
    """A query stays; a fragment is not sent."""
    webhook.invoke(call_factory(), WebhookAction(url=target.url("?a=b#c")))

    assert target.requests[0].path == "/?a=b"


def test_no_payload_is_an_empty_object(webhook: WebhookTarget, target: LocalTarget) -> None:
    """A target can always parse JSON."""
    webhook.invoke(call_factory(payload=None), WebhookAction(url=target.url()))

    assert target.requests[0].body == "{}"


def test_calls_to_one_target_share_a_connection(
    webhook: WebhookTarget, target: LocalTarget
) -> None:
    """A handshake per call would cost more than the call."""
    for _ in range(3):
        webhook.invoke(call_factory(), WebhookAction(url=target.url()))

    assert len(target.requests) == 3
    assert len(target.connections) == 1


@pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
def test_success_is_a_2xx(webhook: WebhookTarget, target: LocalTarget, status: int) -> None:
    """Its body, if any, is the run's result."""
    body = b"" if status == 204 else b'{"done": true}'
    target.script = reply(status, body)

    assert Answer(text=body.decode()) == webhook.invoke(
        call_factory(), WebhookAction(url=target.url())
    )


@pytest.mark.parametrize(
    ("status", "succeeds"), [(200, False), (204, False), (302, True), (404, True), (409, True)]
)
def test_a_job_may_say_which_answers_are_successes(
    webhook: WebhookTarget, target: LocalTarget, status: int, *, succeeds: bool
) -> None:
    """Then no other is: ``404`` is what deleting twice should answer."""
    target.script = reply(status)
    action = WebhookAction(url=target.url(), success_statuses=(302, 404, 409))
    if succeeds:
        assert webhook.invoke(call_factory(), action) == Answer(text="")
    else:
        assert failure_of(webhook, action).code == f"http_{status}"


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_not_followed(
    webhook: WebhookTarget, target: LocalTarget, status: int
) -> None:
    """It would lead past the address check (S5), and carry the payload to the named host."""
    target.script = reply(status, Location=target.url("/elsewhere"))

    assert told(failure_of(webhook, WebhookAction(url=target.url()))) == (
        FailureKind.PERMANENT,
        f"http_{status}",
        "HttpStatus",
    )
    assert [request.path for request in target.requests] == ["/"]


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, FailureKind.PERMANENT),
        (401, FailureKind.PERMANENT),
        (404, FailureKind.PERMANENT),
        (408, FailureKind.RETRYABLE),
        (409, FailureKind.PERMANENT),
        (425, FailureKind.RETRYABLE),
        (429, FailureKind.RETRYABLE),
        (499, FailureKind.PERMANENT),
        (500, FailureKind.RETRYABLE),
        (503, FailureKind.RETRYABLE),
        (599, FailureKind.RETRYABLE),
    ],
)
def test_a_status_says_whether_trying_again_can_help(
    webhook: WebhookTarget, target: LocalTarget, status: int, kind: FailureKind
) -> None:
    """The same request would be refused again with most 4xx; load and outages pass (R8)."""
    target.script = reply(status, b"because")
    failure = failure_of(webhook, WebhookAction(url=target.url()))

    assert told(failure) == (kind, f"http_{status}", "HttpStatus")
    assert failure.message == f"The target answered {status}: because"


def test_an_overloaded_target_says_when_to_come_back(
    webhook: WebhookTarget, target: LocalTarget
) -> None:
    """``Retry-After`` reaches the retry decision."""
    target.script = reply(429, Retry_After="17")

    assert failure_of(webhook, WebhookAction(url=target.url())).retry_after_seconds == 17.0


def test_a_date_of_no_machine_word_is_no_wait(webhook: WebhookTarget, target: LocalTarget) -> None:
    """A hostile target gets a failure on record as any other, and no crash of its executor."""
    target.script = reply(429, Retry_After=f"Sat, {'9' * 30} Nov 2026 07:00:00 GMT")
    failure = failure_of(webhook, WebhookAction(url=target.url()))

    assert (failure.code, failure.retry_after_seconds) == ("http_429", None)


def test_an_answer_is_kept_as_an_excerpt(webhook: WebhookTarget, target: LocalTarget) -> None:
    """The record is billed by the kilobyte; what was cut is marked."""
    target.script = reply(200, b"x" * 501)
    answer = webhook.invoke(call_factory(), WebhookAction(url=target.url()))

    assert answer.text == "x" * 499 + "…"


def test_an_answer_need_not_be_text(webhook: WebhookTarget, target: LocalTarget) -> None:
    """Bytes that are no UTF-8 are shown as such, and are no failure."""
    target.script = reply(200, b"a\xffb")
    answer = webhook.invoke(call_factory(), WebhookAction(url=target.url()))

    assert answer.text == "a\ufffdb"
