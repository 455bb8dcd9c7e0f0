"""Executors make one call to every kind of target on behalf of jobs.

The real targets make them; their answers here say that there is nothing, or that it was done.
"""

import json
from contextlib import suppress
from dataclasses import replace
from typing import Any

import boto3
import pytest
from botocore import UNSIGNED
from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.config import Config

from tests.iam.api_calls import ACCOUNT, REGION
from tests.iam.recording import Recorder, attach
from tests.support.api import RULES
from tests.support.factories import NOW
from tests.support.stores.dynamodb_inside import answer
from tests.unit.adapters.targets.calls import ATTEMPT, call_factory
from timegate.adapters.memory.clock import MemoryClock
from timegate.adapters.targets.action_target import TargetServices
from timegate.adapters.targets.router import TargetRouter
from timegate.domain.actions.action import Action
from timegate.domain.actions.kinds.aws_lambda import LambdaAction
from timegate.domain.actions.kinds.ecs import EcsAction
from timegate.domain.actions.kinds.eventbridge import EventBridgeAction
from timegate.domain.actions.kinds.sns import SnsAction
from timegate.domain.actions.kinds.sqs import SqsAction
from timegate.domain.actions.kinds.stepfunctions import ExecutionMode, StepFunctionsAction
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.execution.call import Resume
from timegate.domain.values.instants import rfc3339
from timegate.domain.values.secrets import SecretRef
from timegate.ports.call_runner import TargetFailed

EXECUTOR = "executor-normal-short"
_PLACE = f"{REGION}:{ACCOUNT}"
_MACHINE = f"arn:aws:states:{_PLACE}:stateMachine:timegate-target-acme-m"
#: A secret of the tenant that the calls are made for.
_SECRET = f"arn:aws:secretsmanager:{_PLACE}:secret:timegate-target/acme/key-AbCdEf"
_PARAMETER = "/timegate-target/acme/key"


def _hook(ref: SecretRef) -> WebhookAction:
    return WebhookAction(url="https://93.184.216.34/", secret_headers={"X-Key": ref})


_TASK = EcsAction(
    cluster_arn=f"arn:aws:ecs:{_PLACE}:cluster/timegate-target-acme-c",
    task_definition="timegate-target-acme-d",
    container="app",
    subnets=("subnet-1",),
)
_TASK_ARN = f"arn:aws:ecs:{_PLACE}:task/timegate-target-acme-c/1"
#: A task that goes on although its time is up.
_OVERDUE = Resume(
    slice=2,
    sequence=1,
    checkpoint=json.dumps(
        {"task_arn": _TASK_ARN, "attempt": 2, "since": rfc3339(NOW), "until": rfc3339(NOW)}
    ),
)


ACTIONS: tuple[Action, ...] = (
    LambdaAction(function_arn=f"arn:aws:lambda:{_PLACE}:function:timegate-target-acme-f"),
    SqsAction(queue_url=f"https://sqs.{REGION}.amazonaws.com/{ACCOUNT}/timegate-target-acme-q"),
    SnsAction(topic_arn=f"arn:aws:sns:{_PLACE}:timegate-target-acme-t"),
    EventBridgeAction(
        bus_arn=f"arn:aws:events:{_PLACE}:event-bus/timegate-target-acme-b",
        source="timegate",
        detail_type="run",
    ),
    StepFunctionsAction(state_machine_arn=_MACHINE),
    _TASK,
    _hook(SecretRef(secret_arn=_SECRET)),
    _hook(SecretRef(ssm_parameter=_PARAMETER)),
)
#: An execution that goes on, so that it can be stopped.
_RUNNING = b'{"executionArn": "e", "stateMachineArn": "m", "status": "RUNNING", "startDate": 0}'
#: A task that goes on, for every call of ECS.
_TASKS = json.dumps(
    {"tasks": [{"taskArn": _TASK_ARN, "lastStatus": "RUNNING"}], "taskArns": [_TASK_ARN]}
).encode()


def call_every_target(recorder: Recorder, patch: pytest.MonkeyPatch) -> None:
    """Have the real targets make their calls; whether those succeed is another test's matter."""
    patch.setenv("AWS_DEFAULT_REGION", REGION)
    recorder.at_work = lambda: EXECUTOR

    services = TargetServices(
        rules=RULES,
        clients=_Clients(recorder),
        clock=MemoryClock(NOW),
        api_url="https://api.example.com",
        trace_percent=50,
    )
    router = TargetRouter(services)
    for action in ACTIONS:
        # The answer says nothing that a target could use.
        with suppress(TargetFailed, KeyError):
            router.invoke(call_factory(action=action))
    with suppress(TargetFailed):
        router.invoke(call_factory(action=_TASK, resume=_OVERDUE))
    # A second attempt takes over the task that goes on; the first one starts it.
    router.invoke(call_factory(action=_TASK, attempt=replace(ATTEMPT, number=1)))
    router.stop(call_factory(action=_TASK))
    waiting = StepFunctionsAction(state_machine_arn=_MACHINE, mode=ExecutionMode.WAIT)
    router.stop(call_factory(action=waiting))


class _Clients:
    """Clients whose requests are recorded, and never sent."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    def client(self, service: str, /, *, waits: bool = False, region: str | None = None) -> Any:  # noqa: ANN401 - any client
        config = Config(signature_version=UNSIGNED, retries={"total_max_attempts": 1})
        client: Any = boto3.client(service, region_name=region or REGION, config=config)  # type: ignore[call-overload]
        client.meta.events.register("before-send", _answered)
        attach(client, lambda: self._recorder)
        return client


def _answered(request: AWSPreparedRequest, **_: object) -> AWSResponse:
    if "//ecs." in request.url:
        return answer(request, 200, {}, _TASKS)
    return answer(request, 200, {}, b"<Empty/>" if "//sns." in request.url else _RUNNING)
