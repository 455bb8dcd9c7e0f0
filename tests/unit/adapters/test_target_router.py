"""The router: each kind of action to its target, each target built when first needed."""

from io import BytesIO
from typing import Any

import pytest
from botocore.response import StreamingBody

from tests.support.factories import NOW
from tests.unit.adapters.calls import call_factory
from tests.unit.adapters.conftest import Stubbed
from tests.unit.adapters.http_target import local_target
from timegate.adapters.memory.clock import MemoryClock
from timegate.adapters.targets.router import TargetRouter
from timegate.domain.action import LambdaAction, SqsAction, WebhookAction
from timegate.domain.target_rules import TargetRules

RULES = TargetRules(allowed_lambda_targets=("*",), allowed_queue_targets=("*",))
FUNCTION = LambdaAction(function_arn="arn:aws:lambda:us-east-1:111122223333:function:report")
QUEUE = SqsAction(queue_url="https://sqs.us-east-1.amazonaws.com/111122223333/orders")


class Clients:
    """Stubbed clients, and which of them were built."""

    def __init__(self, stubbed: Stubbed) -> None:
        self.built: list[str] = []
        self._ready = {service: stubbed(service) for service in ("sqs", "lambda")}
        body = StreamingBody(BytesIO(b"done"), 4)
        self._ready["lambda"][1].add_response("invoke", {"StatusCode": 200, "Payload": body})
        for _ in range(2):
            self._ready["sqs"][1].add_response("send_message", {"MessageId": "m-1"})

    def build(self, service: str) -> Any:  # noqa: ANN401 - whichever client it is
        self.built.append(service)
        return self._ready[service][0]


@pytest.fixture
def clients(stubbed: Stubbed) -> Clients:
    return Clients(stubbed)


@pytest.fixture
def router(clients: Clients) -> TargetRouter:
    return TargetRouter(
        RULES,
        ("127.0.0.1",),
        lambda: clients.build("sqs"),
        lambda: clients.build("lambda"),
        MemoryClock(NOW),
    )


def test_an_action_reaches_its_kind_of_target(router: TargetRouter, clients: Clients) -> None:
    """A client is built for the first call of its kind, and for no other."""
    with local_target() as target:
        web = router.invoke(call_factory(action=WebhookAction(url=target.url())))
        router._webhook._pools.clear()
    before = list(clients.built)
    texts = [router.invoke(call_factory(action=each)).text for each in (QUEUE, QUEUE, FUNCTION)]

    assert web.text == "ok"
    assert before == []
    assert texts == ["message m-1", "message m-1", "done"]
    assert clients.built == ["sqs", "lambda"]
