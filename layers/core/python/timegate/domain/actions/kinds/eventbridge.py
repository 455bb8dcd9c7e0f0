"""Buses: one event of EventBridge."""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

from timegate.domain.actions.field_limits import ARN, PRINTABLE, Text
from timegate.domain.actions.kind import MAX_MESSAGE_PAYLOAD_BYTES, PLACE, ActionKind, check_arn
from timegate.domain.actions.target_rules import TargetPlace, TargetRules
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass

_BUS = re.compile(rf"arn:aws[a-z-]*:events:{PLACE}:event-bus/[A-Za-z0-9._/-]{{1,256}}")
#: AWS keeps these for its own services, and fails the entries of others.
_AWS_SOURCE = "aws."


@dataclass(frozen=True, kw_only=True, slots=True)
class EventBridgeAction(ActionKind):
    """One event on an EventBridge bus on the stage's allow-list."""

    type: ClassVar[str] = "eventbridge"
    payload_bytes: ClassVar[int | None] = MAX_MESSAGE_PAYLOAD_BYTES
    bus_arn: Annotated[str, ARN]
    source: Annotated[str, Text(min_length=1, max_length=256, pattern=PRINTABLE)]
    detail_type: Annotated[str, Text(min_length=1, max_length=128, pattern=PRINTABLE)]

    @property
    def address(self) -> str:
        """Return the bus's ARN."""
        return self.bus_arn

    @property
    def place(self) -> TargetPlace:
        """Return the place that the ARN tells."""
        return TargetPlace.of(self.bus_arn)

    def check(self, rules: TargetRules, tenant: TenantId) -> None:
        """Refuse a bus off the tenant's list, and sources of AWS; raises ``InvalidInput``."""
        check_arn(self, "bus_arn", self.bus_arn, _BUS, rules, tenant)
        if self.source.lower().startswith(_AWS_SOURCE):
            detail = "Sources that begin with aws. are those of AWS's own services."
            raise InvalidInput("action.source", "reserved_source", detail)

    @classmethod
    def words(cls, shown: Mapping[str, Any]) -> Sequence[str | None]:
        """Name bus, source and type."""
        return [shown["bus_arn"], shown["source"], shown["detail_type"]]
