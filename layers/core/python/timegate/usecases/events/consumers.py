"""Consumers of events, in the order in which they are given each event."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from timegate.domain.events.event import ReceivedEvent
from timegate.domain.values.tenant import TenantId
from timegate.usecases.services.api_services import ApiServices


class MetKind(StrEnum):
    """Kinds of things that wait for events."""

    #: A task of a DAG run that waited for it.
    TASK = "task"


@dataclass(frozen=True, kw_only=True, slots=True)
class Met:
    """Something that an event started or ended."""

    kind: MetKind
    #: The task's key.
    name: str
    #: The DAG run or the job's run that goes on or begins by it.
    dag_run_id: str | None = None
    run_id: str | None = None


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
CONSUMERS: tuple[Consumer, ...] = ()
