"""From an action to the target that does it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from timegate.adapters.targets.aws.aws_lambda import LambdaTarget
from timegate.adapters.targets.aws.event_bus import EventBusTarget
from timegate.adapters.targets.aws.sns_topic import SnsTarget
from timegate.adapters.targets.aws.sqs_queue import SqsTarget
from timegate.adapters.targets.aws.state_machine import StateMachineTarget
from timegate.adapters.targets.aws.tenant_sessions import acting_for
from timegate.adapters.targets.secret_reader import SecretReader
from timegate.adapters.targets.webhook import WebhookTarget
from timegate.domain.actions.action import (
    DagAction,
    EventBridgeAction,
    LambdaAction,
    SnsAction,
    SqsAction,
    StepFunctionsAction,
    WebhookAction,
    WorkerAction,
)
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.execution.call import Answer, Call
from timegate.ports.surroundings import Clock

if TYPE_CHECKING:
    from mypy_boto3_events import EventBridgeClient
    from mypy_boto3_lambda import LambdaClient
    from mypy_boto3_secretsmanager import SecretsManagerClient
    from mypy_boto3_sns import SNSClient
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_ssm import SSMClient
    from mypy_boto3_stepfunctions import SFNClient


@dataclass(frozen=True, kw_only=True, slots=True)
class TargetClients:
    """Builders of the clients of the targets' services; each client costs memory and start-up
    time.
    """

    sqs: "Callable[[], SQSClient]"
    aws_lambda: "Callable[[], LambdaClient]"
    sns: "Callable[[], SNSClient]"
    events: "Callable[[], EventBridgeClient]"
    step_functions: "Callable[[], SFNClient]"
    secrets: "Callable[[], SecretsManagerClient]"
    parameters: "Callable[[], SSMClient]"


class TargetRouter:
    """Every kind of target; what a kind needs is built when its first call comes."""

    def __init__(
        self,
        rules: TargetRules,
        clients: TargetClients,
        clock: Clock,
        *,
        api_url: str,
    ) -> None:
        #: Where targets say how it goes that work on by themselves.
        self._api_url = api_url
        self._rules = rules
        self._clients = clients
        self._clock = clock

    def invoke(self, call: Call) -> Answer:
        """Do the call within its deadline; raises ``TargetFailed``, classified."""
        with acting_for(call.tenant):
            return self._invoke(call)

    def stop(self, call: Call) -> None:
        """End the run's execution; what other targets began ends with its call, or is theirs."""
        if isinstance(call.action, StepFunctionsAction):
            with acting_for(call.tenant):
                self._state_machine.stop(call, call.action)

    def _invoke(self, call: Call) -> Answer:
        match call.action:
            case WebhookAction():
                return self._webhook.invoke(call, call.action)
            case LambdaAction():
                return self._function.invoke(call, call.action)
            case SqsAction():
                return self._queue.invoke(call, call.action)
            case SnsAction():
                return self._topic.invoke(call, call.action)
            case EventBridgeAction():
                return self._bus.invoke(call, call.action)
            case StepFunctionsAction():
                return self._state_machine.invoke(call, call.action)
            case WorkerAction() | DagAction():
                # Pools and DAG runs take these over: usecases/execution/claims/claim_runs.py and
                # usecases/dag_runs/starting/do_run.py.
                raise ValueError("offers in pools, and DAG runs, have no target")

    @cached_property
    def _webhook(self) -> WebhookTarget:
        clients = self._clients
        secrets = SecretReader(clients.secrets, clients.parameters, self._rules, self._clock)
        return WebhookTarget(
            self._clock,
            secrets.read,
            self._rules,
            api_url=self._api_url,
        )

    @cached_property
    def _function(self) -> LambdaTarget:
        return LambdaTarget(self._clients.aws_lambda(), self._rules, api_url=self._api_url)

    @cached_property
    def _queue(self) -> SqsTarget:
        return SqsTarget(self._clients.sqs(), self._rules)

    @cached_property
    def _topic(self) -> SnsTarget:
        return SnsTarget(self._clients.sns(), self._rules)

    @cached_property
    def _bus(self) -> EventBusTarget:
        return EventBusTarget(self._clients.events(), self._rules)

    @cached_property
    def _state_machine(self) -> StateMachineTarget:
        return StateMachineTarget(self._clients.step_functions(), self._rules, self._clock)
