"""The router: each kind of action to its target, each target built when first needed."""

from io import BytesIO
from typing import Any

import pytest
from botocore.response import StreamingBody

from tests.support.factories import NOW
from tests.unit.adapters.conftest import Stubbed
from tests.unit.adapters.targets.calls import call_factory
from tests.unit.adapters.targets.web_hooks.http_target import local_target
from tests.unit.adapters.targets.web_hooks.web_senders import ANY_PORT
from timegate.adapters.memory.clock import MemoryClock
from timegate.adapters.targets.action_target import ActionTarget, TargetServices
from timegate.adapters.targets.action_target import Clients as AnyClients
from timegate.adapters.targets.kinds.webhook import WebhookTarget
from timegate.adapters.targets.router import TargetRouter
from timegate.domain.actions.kinds.aws_lambda import LambdaAction
from timegate.domain.actions.kinds.eventbridge import EventBridgeAction
from timegate.domain.actions.kinds.sns import SnsAction
from timegate.domain.actions.kinds.sqs import SqsAction
from timegate.domain.actions.kinds.stepfunctions import StepFunctionsAction
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.execution.call import Answer, Call
from timegate.domain.execution.trace_context import traceparent

RULES = TargetRules(
    allowed={
        "lambda": ("*",),
        "sqs": ("*",),
        "sns": ("*",),
        "eventbridge": ("*",),
        "stepfunctions": ("*",),
    },
    private_hosts=("127.0.0.1",),
    allowed_ports=ANY_PORT,
)
PLACE = "us-east-1:111122223333"
FUNCTION = LambdaAction(function_arn=f"arn:aws:lambda:{PLACE}:function:report")
TOPIC = SnsAction(topic_arn=f"arn:aws:sns:{PLACE}:orders")
BUS = EventBridgeAction(
    bus_arn=f"arn:aws:events:{PLACE}:event-bus/orders", source="billing", detail_type="due"
)
MACHINE = StepFunctionsAction(state_machine_arn=f"arn:aws:states:{PLACE}:stateMachine:orders")
QUEUE = SqsAction(queue_url="https://sqs.us-east-1.amazonaws.com/111122223333/orders")


class Clients:
    """Stubbed clients, and which of them were built."""

    def __init__(self, stubbed: Stubbed) -> None:
        self.built: list[str] = []
        self.waiting: dict[str, bool] = {}
        self.regions: list[str | None] = []
        services = ("sqs", "lambda", "sns", "events", "stepfunctions")
        self._ready = {service: stubbed(service) for service in services}
        body = StreamingBody(BytesIO(b"done"), 4)
        self._ready["lambda"][1].add_response("invoke", {"StatusCode": 200, "Payload": body})
        for _ in range(2):
            self._ready["sqs"][1].add_response("send_message", {"MessageId": "m-1"})
        self._ready["sns"][1].add_response("publish", {"MessageId": "m-2"})
        events = {"FailedEntryCount": 0, "Entries": [{"EventId": "e-1"}]}
        self._ready["events"][1].add_response("put_events", events)
        begun = {"executionArn": "arn:execution", "startDate": NOW}
        self._ready["stepfunctions"][1].add_response("start_execution", begun)

    def client(self, service: str, /, *, waits: bool = False, region: str | None = None) -> Any:  # noqa: ANN401 - any client
        self.waiting[service] = waits
        self.built.append(service)
        self.regions.append(region)
        return self._ready[service][0]


@pytest.fixture
def clients(stubbed: Stubbed) -> Clients:
    return Clients(stubbed)


@pytest.fixture
def router(clients: Clients) -> TargetRouter:
    return router_on(clients)


def router_on(clients: AnyClients) -> TargetRouter:
    """A router of a stage that records half of its own traces."""
    return TargetRouter(
        TargetServices(
            rules=RULES,
            clients=clients,
            clock=MemoryClock(NOW),
            api_url="https://api.example.com",
            trace_percent=50,
        )
    )


class NoClients:
    """Clients of which none is built."""

    def client(self, service: str, /, *, waits: bool = False, region: str | None = None) -> Any:  # noqa: ANN401 - any client
        """Build none."""
        raise AssertionError(service)


class Heard(ActionTarget):
    """Keeps the trace contexts of calls."""

    def __init__(self) -> None:
        self.contexts: list[str] = []

    def invoke(self, call: Call, action: object) -> Answer:
        """Keep it."""
        self.contexts.append(traceparent(call))
        return Answer(text="")

    def stop(self, call: Call, action: object) -> None:
        """Keep it."""
        self.contexts.append(traceparent(call))


@pytest.mark.parametrize(("trace", "flag"), [("f" * 32, "01"), ("0" * 32, "00")])
def test_a_call_says_if_its_trace_is_recorded(
    monkeypatch: pytest.MonkeyPatch, trace: str, flag: str
) -> None:
    """By the share of the stage, half of all here: a call and its stop."""
    router, heard = router_on(NoClients()), Heard()
    monkeypatch.setattr(router, "target", lambda _: heard)
    router.invoke(call_factory(action=QUEUE, trace=trace))
    router.stop(call_factory(action=QUEUE, trace=trace))

    assert [each[-3:] for each in heard.contexts] == [f"-{flag}", f"-{flag}"]


def test_an_action_reaches_its_kind_of_target(router: TargetRouter, clients: Clients) -> None:
    """A client is built for the first call of its kind, and for no other."""
    with local_target() as target:
        web = router.invoke(call_factory(action=WebhookAction(url=target.url())))
        hooks = router.target(WebhookAction(url=target.url()))
        assert isinstance(hooks, WebhookTarget)
        hooks.close()
    before = list(clients.built)
    actions = (QUEUE, QUEUE, FUNCTION, TOPIC, BUS, MACHINE)
    texts = [router.invoke(call_factory(action=each)).text for each in actions]

    assert web.text == "ok"
    assert before == []
    assert texts[:-1] == ["message m-1", "message m-1", "done", "message m-2", "event e-1"]
    assert texts[-1].startswith("execution ")
    assert clients.built == ["sqs", "lambda", "sns", "events", "stepfunctions"]
    assert [service for service, waits in clients.waiting.items() if waits] == ["lambda"]
