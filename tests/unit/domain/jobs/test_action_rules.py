"""A job carries only an action that names an allowed target with its fields in bounds."""

import pytest

from tests.support.factories import TENANT
from timegate.domain.actions.action import Action
from timegate.domain.actions.kinds.aws_lambda import Invocation, LambdaAction
from timegate.domain.actions.kinds.eventbridge import EventBridgeAction
from timegate.domain.actions.kinds.sns import SnsAction
from timegate.domain.actions.kinds.sqs import SqsAction
from timegate.domain.actions.kinds.stepfunctions import StepFunctionsAction
from timegate.domain.actions.kinds.webhook import Wait, WebhookAction
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.values.errors import InvalidInput

PLACE = "eu-central-1:123456789012"
ACCOUNT = f"arn:aws:lambda:{PLACE}:function"
OTHER_ACCOUNT = f"{ACCOUNT.replace('123', '999')}:timegate-target-mail"
TOPIC = f"arn:aws:sns:{PLACE}:timegate-target-orders"
BUS = f"arn:aws:events:{PLACE}:event-bus/timegate-target-orders"
MACHINE = f"arn:aws:states:{PLACE}:stateMachine:timegate-target-orders"
RULES = TargetRules(
    allowed={
        "lambda": (f"{ACCOUNT}:timegate-target-*",),
        "sqs": (f"arn:aws:sqs:{PLACE}:timegate-target-*",),
        "sns": (f"arn:aws:sns:{PLACE}:timegate-target-*",),
        "eventbridge": (f"arn:aws:events:{PLACE}:event-bus/timegate-target-*",),
        "stepfunctions": (f"arn:aws:states:{PLACE}:stateMachine:timegate-target-*",),
    },
)
QUEUE = "https://sqs.eu-central-1.amazonaws.com/123456789012/timegate-target-orders"


def refusal(action: Action, rules: TargetRules = RULES) -> tuple[str, str] | None:
    """The refused field and the code; nothing when the action is accepted."""
    try:
        action.check(rules, TENANT)
    except InvalidInput as refused:
        return refused.field.removeprefix("action."), refused.code
    return None


@pytest.mark.parametrize(
    ("arn", "expected"),
    [
        (f"{ACCOUNT}:timegate-target-mail", None),
        (f"{ACCOUNT}:timegate-target-mail:live", None),
        (f"{ACCOUNT}:timegate-target-mail:$LATEST", None),
        (f"{ACCOUNT}:other", ("function_arn", "target_not_allowed")),
        (OTHER_ACCOUNT, ("function_arn", "target_not_allowed")),
        ("timegate-target-mail", ("function_arn", "invalid_arn")),
        (f"{ACCOUNT}:", ("function_arn", "invalid_arn")),
        (f"{ACCOUNT}:timegate-target-*", ("function_arn", "invalid_arn")),
        (f"{ACCOUNT}:timegate-target-mail\n", ("function_arn", "invalid_arn")),
        (f"{ACCOUNT}:{'x' * 65}", ("function_arn", "invalid_arn")),
        (QUEUE, ("function_arn", "invalid_arn")),
    ],
    ids=lambda value: repr(value)[-50:],
)
def test_a_function_is_named_and_allowed(arn: str, expected: tuple[str, str] | None) -> None:
    """By the list that also bounds what the executors may invoke."""
    assert expected == refusal(LambdaAction(function_arn=arn))


@pytest.mark.parametrize(
    ("url", "allowed"),
    [
        (QUEUE, True),
        ("http://localhost:4566/123456789012/timegate-target-orders", False),
        (QUEUE.replace(".com", ".com.cn"), False),
        (QUEUE.replace(".com", ".com.cn.evil.com"), False),
        (QUEUE.replace(".com", ".com.evil"), False),
        (QUEUE.replace("sqs.", "sqs.evil.com/sqs."), False),
        (QUEUE.replace("sqs.", "xsqs."), False),
        (QUEUE.replace("sqs.", "sqs.x."), False),
        (QUEUE.replace(".com/", ".com:8443/"), False),
        (QUEUE.replace("https", "http"), False),
        (QUEUE.replace("sqs.eu-central-1.amazonaws.com", "queue.evil.com"), False),
        (QUEUE.replace("sqs.eu-central-1.amazonaws.com", "[::1]"), False),
        (QUEUE.replace("orders", ""), True),
        (QUEUE.replace("eu-central-1", "us-east-1"), False),
        (QUEUE.replace("123456789012", "999999999999"), False),
        (QUEUE.replace("timegate-target", "payroll"), False),
        (QUEUE + "/x", False),
        (QUEUE + "?x=1", False),
        (QUEUE + "#x", False),
        (QUEUE + "\n", False),
        (QUEUE.replace("https://", "https://me@"), False),
        (QUEUE.replace("https", "ftp"), False),
        ("https://[", False),
        ("", False),
    ],
    ids=lambda value: repr(value)[-50:],
)
def test_a_queue_is_named_and_allowed(url: str, *, allowed: bool) -> None:
    """One answer for every other queue, whether it exists or not."""
    expected = None if allowed else ("queue_url", "target_not_allowed")

    assert expected == refusal(SqsAction(queue_url=url))


def event(bus: str = BUS, source: str = "billing") -> EventBridgeAction:
    """An event about an invoice."""
    return EventBridgeAction(bus_arn=bus, source=source, detail_type="invoice due")


@pytest.mark.parametrize(
    ("arn", "code"),
    [
        (TOPIC, None),
        (f"{TOPIC}.fifo", None),
        (TOPIC.replace("timegate-target", "payroll"), "target_not_allowed"),
        (TOPIC.replace("123456789012", "999999999999"), "target_not_allowed"),
        (f"{TOPIC}:9f2c1c1e", "invalid_arn"),
        (f"{TOPIC}.fifo.fifo", "invalid_arn"),
        (f"{TOPIC}\n", "invalid_arn"),
        (TOPIC.replace("sns", "sqs"), "invalid_arn"),
        ("timegate-target-orders", "invalid_arn"),
    ],
    ids=lambda value: repr(value)[-50:],
)
def test_a_topic_is_named_and_allowed(arn: str, code: str | None) -> None:
    """A subscription's ARN is no topic's."""
    expected = ("topic_arn", code) if code else None

    assert expected == refusal(SnsAction(topic_arn=arn))


@pytest.mark.parametrize(
    ("arn", "code"),
    [
        (BUS, None),
        (BUS.replace("timegate-target-orders", "default"), "target_not_allowed"),
        (BUS.replace("event-bus", "rule"), "invalid_arn"),
        (f"{BUS}?", "invalid_arn"),
        ("default", "invalid_arn"),
    ],
    ids=lambda value: repr(value)[-50:],
)
def test_a_bus_is_named_and_allowed(arn: str, code: str | None) -> None:
    """Also the account's own bus, which is not a job's by default."""
    expected = ("bus_arn", code) if code else None

    assert expected == refusal(event(arn))


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("billing", None),
        ("aws", None),
        ("awsome.shop", None),
        ("aws.ec2", "reserved_source"),
        ("AWS.ec2", "reserved_source"),
    ],
)
def test_an_event_does_not_pretend_to_be_of_aws(source: str, code: str | None) -> None:
    """EventBridge would fail every one of them, when it is due."""
    expected = ("source", code) if code else None

    assert expected == refusal(event(source=source))


@pytest.mark.parametrize(
    ("arn", "code"),
    [
        (MACHINE, None),
        (f"{MACHINE}:7", None),
        (f"{MACHINE}:live", None),
        (MACHINE.replace("timegate-target", "payroll"), "target_not_allowed"),
        (MACHINE.replace("stateMachine", "execution"), "invalid_arn"),
        (f"{MACHINE}:live:x", "invalid_arn"),
        (f"{MACHINE}#mock", "invalid_arn"),
    ],
    ids=lambda value: repr(value)[-50:],
)
def test_a_state_machine_is_named_and_allowed(arn: str, code: str | None) -> None:
    """With or without a version or an alias."""
    expected = ("state_machine_arn", code) if code else None

    assert expected == refusal(StepFunctionsAction(state_machine_arn=arn))


@pytest.mark.parametrize(
    ("action", "limit"),
    [
        (SnsAction(topic_arn=TOPIC), 254 * 1024),
        (event(), 254 * 1024),
        (StepFunctionsAction(state_machine_arn=MACHINE), 254 * 1024),
        (SqsAction(queue_url=QUEUE), None),
        (LambdaAction(function_arn=f"{ACCOUNT}:timegate-target-x"), None),
        (WebhookAction(url="https://hooks.example.com/"), None),
    ],
    ids=lambda value: getattr(value, "type", str(value)),
)
def test_what_a_target_is_told_has_room_beside_the_payload(
    action: Action, limit: int | None
) -> None:
    """Creation refuses a payload beyond the target's limit; other targets take the job's."""
    action.check_size(limit or 256 * 1024)
    if limit is not None:
        with pytest.raises(InvalidInput) as caught:
            action.check_size(limit + 1)

        assert (caught.value.field, caught.value.code) == ("payload", "payload_too_large")


@pytest.mark.parametrize(
    "action",
    [
        LambdaAction(function_arn=f"{ACCOUNT}:timegate-target-x"),
        SqsAction(queue_url=QUEUE),
        SnsAction(topic_arn=TOPIC),
        event(),
        StepFunctionsAction(state_machine_arn=MACHINE),
    ],
    ids=lambda action: action.type,
)
def test_a_stage_without_a_list_allows_nothing(action: Action) -> None:
    """Everything not named is refused."""
    refused = refusal(action, TargetRules())

    assert refused is not None
    assert refused[1] == "target_not_allowed"


@pytest.mark.parametrize(
    ("seconds", "code"),
    [(None, None), (4, "out_of_range"), (5, None), (86_400, None), (86_401, "out_of_range")],
)
def test_a_target_that_calls_back_may_be_silent_for_a_while(
    seconds: int | None, code: str | None
) -> None:
    """From five seconds to a day, a web hook as a function."""
    expected = None if code is None else ("heartbeat_seconds", code)
    function = LambdaAction(
        function_arn=f"{ACCOUNT}:timegate-target-mail",
        invocation=Invocation.CALLBACK,
        heartbeat_seconds=seconds,
    )
    web_hook = WebhookAction(
        url="https://hooks.example.com", wait=Wait.CALLBACK, heartbeat_seconds=seconds
    )

    assert [expected, expected] == [refusal(function), refusal(web_hook)]


@pytest.mark.parametrize("invocation", [Invocation.SYNC, Invocation.ASYNC])
def test_a_target_that_does_not_call_back_sends_no_heartbeats(invocation: Invocation) -> None:
    """A job that asks for them expects something else to happen."""
    expected = ("heartbeat_seconds", "not_for_this_action")
    arn = f"{ACCOUNT}:timegate-target-mail"
    function = LambdaAction(function_arn=arn, invocation=invocation, heartbeat_seconds=60)

    assert expected == refusal(function)
    assert expected == refusal(WebhookAction(url="https://hooks.example.com", heartbeat_seconds=60))
    assert function.silence_seconds is None


def test_a_queue_of_a_local_cloud_is_at_a_host_that_the_stage_names() -> None:
    """Its URL tells no region."""
    url = "http://localhost:4566/123456789012/timegate-target-orders"
    rules = TargetRules(
        allowed={"sqs": ("arn:aws:sqs:eu-central-1:123456789012:timegate-target-*",)},
        private_hosts=("localhost",),
    )

    assert refusal(SqsAction(queue_url=url), rules) is None
    assert refusal(SqsAction(queue_url=url.replace("localhost", "evil.com")), rules) is not None
    assert refusal(SqsAction(queue_url=url.replace("http", "ftp")), rules) is not None
