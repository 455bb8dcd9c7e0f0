"""Events that a rule holds back in its quiet hours."""

from collections.abc import Sequence
from dataclasses import replace

from timegate.domain.rules.messages import Event, with_more_events
from timegate.domain.values.identity import JobId
from timegate.value_classes import dataclass

#: Further events of the same hours are counted.
MAX_HELD = 50


@dataclass(frozen=True, kw_only=True, slots=True)
class HeldEvents:
    """One record for each rule with quiet hours, changed by one conditional write."""

    rule_id: JobId
    #: Events in JSON text, oldest first.
    events: tuple[str, ...] = ()
    #: So many more found no room.
    more: int = 0
    revision: int = 0

    def with_events(self, events: Sequence[Event]) -> "HeldEvents":
        """Return it with more of them."""
        held, more = with_more_events(self.events, events, most=MAX_HELD)
        return replace(self, events=held, more=self.more + more, revision=self.revision + 1)

    def told(self) -> "HeldEvents":
        """Return it after its events were told."""
        return replace(self, events=(), more=0, revision=self.revision + 1)
