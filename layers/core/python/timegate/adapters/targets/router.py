"""From an action to the target that does it."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from timegate.adapters.targets.aws_lambda import LambdaTarget
from timegate.adapters.targets.sqs_queue import SqsTarget
from timegate.adapters.targets.webhook import WebhookTarget
from timegate.domain.action import LambdaAction, SqsAction, WebhookAction
from timegate.domain.call import Answer, Call
from timegate.domain.target_rules import TargetRules
from timegate.ports.surroundings import Clock

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient
    from mypy_boto3_sqs import SQSClient


class TargetRouter:
    """Every kind of target; what a kind needs is built when its first call comes."""

    def __init__(
        self,
        rules: TargetRules,
        private_hosts: tuple[str, ...],
        sqs: "Callable[[], SQSClient]",
        aws_lambda: "Callable[[], LambdaClient]",
        clock: Clock,
    ) -> None:
        self._rules = rules
        self._private_hosts = private_hosts
        self._sqs = sqs
        self._lambda = aws_lambda
        self._clock = clock

    def invoke(self, call: Call) -> Answer:
        """Do the call within its deadline; raises ``TargetFailed``, classified."""
        match call.action:
            case WebhookAction():
                return self._webhook.invoke(call, call.action)
            case LambdaAction():
                return self._function.invoke(call, call.action)
            case SqsAction():
                return self._queue.invoke(call, call.action)

    @cached_property
    def _webhook(self) -> WebhookTarget:
        return WebhookTarget(self._clock, private_hosts=self._private_hosts)

    @cached_property
    def _function(self) -> LambdaTarget:
        return LambdaTarget(self._lambda(), self._rules)

    @cached_property
    def _queue(self) -> SqsTarget:
        return SqsTarget(self._sqs(), self._rules)
