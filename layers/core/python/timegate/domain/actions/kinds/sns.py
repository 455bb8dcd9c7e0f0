"""Topics: one message of SNS."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from timegate.domain.actions.field_limits import ARN, PRINTABLE, Meaning, Text
from timegate.domain.actions.kind import MAX_MESSAGE_PAYLOAD_BYTES, PLACE, ActionKind, check_arn
from timegate.domain.actions.kinds.message_groups import FIFO_SUFFIX, GROUP_ID
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.values.tenant import TenantId

_TOPIC = re.compile(rf"arn:aws[a-z-]*:sns:{PLACE}:[A-Za-z0-9_-]{{1,256}}(\.fifo)?")


@dataclass(frozen=True, kw_only=True, slots=True)
class SnsAction(ActionKind):
    """One message to an SNS topic on the stage's allow-list."""

    type: ClassVar[str] = "sns"
    payload_bytes: ClassVar[int | None] = MAX_MESSAGE_PAYLOAD_BYTES
    topic_arn: Annotated[str, ARN]
    subject: Annotated[str, Text(min_length=1, max_length=99, pattern=PRINTABLE)] | None = None
    #: As a queue's.
    message_group_id: Annotated[
        Annotated[str, GROUP_ID] | None, Meaning("Of a FIFO topic it is the job's id unless given.")
    ] = None

    @property
    def is_fifo(self) -> bool:
        """Tell if the topic keeps order and drops duplicates."""
        return self.topic_arn.endswith(FIFO_SUFFIX)

    @property
    def address(self) -> str:
        """Return the topic's ARN."""
        return self.topic_arn

    def check(self, rules: TargetRules, tenant: TenantId) -> None:
        """Refuse a topic off the tenant's list; raises ``InvalidInput``."""
        check_arn(self, "topic_arn", self.topic_arn, _TOPIC, rules, tenant)

    @classmethod
    def words(cls, shown: Mapping[str, Any]) -> Sequence[str | None]:
        """Name topic, group and subject."""
        return [shown["topic_arn"], shown["message_group_id"], shown["subject"]]
