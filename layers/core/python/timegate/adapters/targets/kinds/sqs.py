"""Queues of the user's: the run ends when SQS has accepted its message."""

from typing import TYPE_CHECKING

from timegate.adapters.targets.action_target import ActionTarget, TargetServices
from timegate.adapters.targets.aws.aws_failures import classified
from timegate.adapters.targets.aws.work_requests import doing
from timegate.adapters.targets.failures import permanent
from timegate.adapters.targets.run_context import attributes, message_body, order
from timegate.domain.actions.kinds.sqs import SqsAction
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.execution.call import Answer, Call

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

_PERMANENT = frozenset(
    {
        "AWS.SimpleQueueService.NonExistentQueue",
        "AWS.SimpleQueueService.UnsupportedOperation",
        "InvalidAddress",
        "InvalidMessageContents",
        "MissingParameter",
        "QueueDoesNotExist",
        "UnsupportedOperation",
    }
)


class SqsTarget(ActionTarget):
    """Sends to allow-listed queues."""

    def __init__(self, client: "SQSClient", rules: TargetRules) -> None:
        self._client = client
        self._rules = rules

    def invoke(self, call: Call, action: SqsAction) -> Answer:
        """Send the payload, the run's identity beside it; raises ``TargetFailed``."""
        if not action.is_allowed(self._rules, call.tenant):
            raise permanent("target_not_allowed", "NotAllowed", "The queue is not allow-listed.")
        with doing(call, is_named=action.is_fifo), classified("sqs", permanent_codes=_PERMANENT):
            sent = self._client.send_message(
                QueueUrl=action.queue_url,
                MessageBody=message_body(call),
                MessageAttributes=attributes(call),
                **order(call, group_id=action.message_group_id, is_fifo=action.is_fifo),  # type: ignore[arg-type]
            )
        return Answer(text=f"message {sent['MessageId']}")


def build(services: TargetServices) -> SqsTarget:
    """Build the target."""
    return SqsTarget(services.clients.client("sqs"), services.rules)
