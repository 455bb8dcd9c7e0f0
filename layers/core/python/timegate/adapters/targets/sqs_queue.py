"""Queues of the user's: the run ends when SQS has accepted its message."""

from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from timegate.adapters.targets.failures import permanent, retryable
from timegate.domain.action import SqsAction
from timegate.domain.call import Answer, Call
from timegate.domain.instants import rfc3339
from timegate.domain.target_rules import TargetRules

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_sqs.type_defs import MessageAttributeValueTypeDef

#: Refusals that the same request would meet again.
_PERMANENT = frozenset(
    {
        "AccessDenied",
        "AccessDeniedException",
        "AWS.SimpleQueueService.NonExistentQueue",
        "InvalidMessageContents",
        "InvalidParameterValue",
        "QueueDoesNotExist",
    }
)


class SqsTarget:
    """Sends to allow-listed queues."""

    def __init__(self, client: "SQSClient", rules: TargetRules) -> None:
        self._client = client
        self._rules = rules

    def invoke(self, call: Call, action: SqsAction) -> Answer:
        """Send the payload, the run's identity beside it; raises ``TargetFailed``."""
        if not self._rules.allows_queue(action.queue_url):
            raise permanent("target_not_allowed", "NotAllowed", "The queue is not allow-listed.")
        try:
            sent = self._client.send_message(
                QueueUrl=action.queue_url,
                MessageBody=call.payload if call.payload is not None else "{}",
                MessageAttributes=_identity(call),
            )
        except ClientError as error:
            code = error.response["Error"]["Code"]
            if code in _PERMANENT:
                raise permanent("sqs_refused", code, str(error)) from error
            raise retryable("sqs_unavailable", code, str(error)) from error
        except BotoCoreError as error:
            raise retryable("connection_failed", type(error).__name__, str(error)) from error
        return Answer(text=f"message {sent['MessageId']}")


def _identity(call: Call) -> "dict[str, MessageAttributeValueTypeDef]":
    texts = {
        "run_id": str(call.attempt.run),
        "idempotency_key": call.idempotency_key,
        "scheduled_at": rfc3339(call.scheduled_at),
    }
    numbers = {"fence": call.fence, "attempt": call.attempt.number}
    return {
        **{name: {"DataType": "String", "StringValue": text} for name, text in texts.items()},
        **{name: {"DataType": "Number", "StringValue": str(n)} for name, n in numbers.items()},
    }
