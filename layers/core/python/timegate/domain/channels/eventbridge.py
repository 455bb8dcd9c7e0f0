"""Event buses: the document is the payload of an event, and its type the event's."""

from dataclasses import replace
from typing import Annotated, ClassVar

from timegate.domain.actions.field_limits import ARN, Meaning
from timegate.domain.actions.kinds.eventbridge import EventBridgeAction
from timegate.domain.channels.channel_kind import ChannelKind
from timegate.domain.channels.notice import Notice, NoticeDelivery
from timegate.value_classes import dataclass

SOURCE = "timegate"


@dataclass(frozen=True, kw_only=True, slots=True)
class EventBridgeChannel(ChannelKind):
    """An EventBridge bus on the stage's allow-list."""

    type: ClassVar[str] = "eventbridge"
    leads_by: ClassVar[str] = "bus_arn"
    bus_arn: Annotated[
        str, ARN, Meaning("Events have the source timegate, and types such as run.failed.")
    ]

    @property
    def address(self) -> str:
        """Return the bus's ARN."""
        return self.bus_arn

    @property
    def action(self) -> EventBridgeAction:
        """Return the event, of no type yet."""
        return EventBridgeAction(bus_arn=self.bus_arn, source=SOURCE, detail_type="notice")

    def delivery(self, notice: Notice) -> NoticeDelivery:
        """Return an event of the notice's type."""
        action = replace(self.action, detail_type=notice.type)
        return NoticeDelivery(action=action, payload=notice.document)
