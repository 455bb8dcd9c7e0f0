"""Consumers of events, in the order in which they are given each event."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from timegate.domain.events.event import ReceivedEvent
from timegate.domain.values.tenant import TenantId
from timegate.usecases.events.fire_triggers import fire_triggers
from timegate.usecases.events.met import Met
from timegate.usecases.events.resume_tasks import resume_tasks
from timegate.usecases.services.api_services import ApiServices


class Consumer(Protocol):
    """Gives an event to everything of one kind that waits for it.

    A consumer is given the same event again when its sender repeats it, or when a process crashed
    before; then it does nothing twice. Raises ``Throttled``: the sender repeats the event.
    """

    def __call__(
        self, tenant: TenantId, received: ReceivedEvent, services: ApiServices, *, now: datetime
    ) -> Sequence[Met]:
        """Return what the event met."""


#: Everything that events reach. A consumer is added here, and nowhere else.
CONSUMERS: tuple[Consumer, ...] = (resume_tasks, fire_triggers)
