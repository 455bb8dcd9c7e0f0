"""Topics: one message of SNS."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

from timegate.domain.actions.field_limits import ARN, PRINTABLE, Meaning, OneOf, Text
from timegate.domain.actions.kind import MAX_MESSAGE_PAYLOAD_BYTES, PLACE, ActionKind, check_arn
from timegate.domain.actions.kinds.message_groups import FIFO_SUFFIX, GROUP_ID
from timegate.domain.actions.target_rules import TargetPlace, TargetRules
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass

_TOPIC = re.compile(rf"arn:aws[a-z-]*:sns:{PLACE}:[A-Za-z0-9_-]{{1,256}}(\.fifo)?")


@dataclass(frozen=True, kw_only=True, slots=True)
class SnsAction(ActionKind):
    """One message to an SNS topic on the stage's allow-list."""

    type: ClassVar[str] = "sns"
    payload_bytes: ClassVar[int | None] = MAX_MESSAGE_PAYLOAD_BYTES
    reads_payload: ClassVar[bool] = True
    topic_arn: Annotated[str, ARN]
    subject: Annotated[str, Text(min_length=1, max_length=99, pattern=PRINTABLE)] | None = None
    #: Same as a queue's.
    message_group_id: Annotated[
        Annotated[str, GROUP_ID] | None, Meaning("Of a FIFO topic it is the job's id unless given.")
    ] = None
    message_structure: Annotated[
        Annotated[str, OneOf(texts=("json",))] | None,
        Meaning("json: the payload has a message for each protocol, and one under default."),
    ] = None

    @property
    def is_fifo(self) -> bool:
        """Tell if the topic keeps order and drops duplicates."""
        return self.topic_arn.endswith(FIFO_SUFFIX)

    @property
    def address(self) -> str:
        """Return the topic's ARN."""
        return self.topic_arn

    @property
    def place(self) -> TargetPlace:
        """Return the place that the ARN tells."""
        return TargetPlace.of(self.topic_arn)

    def check(self, rules: TargetRules, tenant: TenantId) -> None:
        """Refuse a topic off the tenant's list; raises ``InvalidInput``."""
        check_arn(self, "topic_arn", self.topic_arn, _TOPIC, rules, tenant)

    def check_payload(self, payload: str | None) -> None:
        """Refuse a payload without a message for every protocol; raises ``InvalidInput``."""
        if self.message_structure is None:
            return
        forms = json.loads(payload) if payload is not None else None
        by_protocol = forms if isinstance(forms, dict) else {}
        are_texts = all(isinstance(form, str) for form in by_protocol.values())
        if not are_texts or "default" not in by_protocol:
            detail = "With message_structure json it is an object of texts, one under default."
            raise InvalidInput("payload", "no_default_message", detail)

    @classmethod
    def words(cls, shown: Mapping[str, Any]) -> Sequence[str | None]:
        """Name topic, group and subject."""
        return [shown["topic_arn"], shown["message_group_id"], shown["subject"]]
