"""Topics: the run ends when SNS has accepted its message."""

from typing import TYPE_CHECKING, Any

from timegate.adapters.targets.action_target import ActionTarget, TargetServices
from timegate.adapters.targets.aws.aws_failures import classified
from timegate.adapters.targets.aws.work_requests import doing
from timegate.adapters.targets.failures import permanent
from timegate.adapters.targets.run_context import attributes, order
from timegate.domain.actions.kinds.sns import SnsAction
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.execution.call import Answer, Call

if TYPE_CHECKING:
    from mypy_boto3_sns import SNSClient

_PERMANENT = frozenset({"EndpointDisabled", "ParameterValueInvalid", "PlatformApplicationDisabled"})


class SnsTarget(ActionTarget):
    """Publishes to allow-listed topics."""

    def __init__(self, client: "SNSClient", rules: TargetRules) -> None:
        self._client = client
        self._rules = rules

    def invoke(self, call: Call, action: SnsAction) -> Answer:
        """Publish the payload, the run's identity beside it; raises ``TargetFailed``."""
        if not self._rules.allows(action.type, call.tenant, action.topic_arn):
            raise permanent("target_not_allowed", "NotAllowed", "The topic is not allow-listed.")
        extras: dict[str, Any] = dict(
            order(call, group_id=action.message_group_id, is_fifo=action.is_fifo)
        )
        if action.subject is not None:
            extras["Subject"] = action.subject
        if action.message_structure is not None:
            extras["MessageStructure"] = action.message_structure
        with doing(call, is_named=action.is_fifo), classified("sns", permanent_codes=_PERMANENT):
            sent = self._client.publish(
                TopicArn=action.topic_arn,
                Message=call.payload if call.payload is not None else "{}",
                MessageAttributes=attributes(call),
                **extras,
            )
        return Answer(text=f"message {sent['MessageId']}")


def build(services: TargetServices) -> SnsTarget:
    """Build the target."""
    return SnsTarget(services.clients.client("sns"), services.rules)
