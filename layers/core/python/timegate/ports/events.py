"""Events of tenants, as the use cases see them."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from timegate.domain.events.event import Event, EventKey, ReceivedEvent
from timegate.domain.values.identity import DagRunId, TaskKey
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass


class Receipt(StrEnum):
    """Fates of an event that was sent."""

    #: It was not known before.
    NEW = "new"
    #: It was received before, and is the same.
    REPEATED = "repeated"
    #: Another event has its source and id.
    CONFLICT = "conflict"


@dataclass(frozen=True, kw_only=True, slots=True)
class Receiving:
    """An event as it is on record, and how it was received."""

    received: ReceivedEvent
    receipt: Receipt


@dataclass(frozen=True, kw_only=True, slots=True)
class EventWaiter:
    """A task that waits for an event of a key, in a round of its DAG run."""

    dag_run_id: DagRunId
    task: TaskKey
    round: int


class EventStore(Protocol):
    """Events by identity, and those with a key by key. Throttling raises ``Throttled``."""

    def receive(
        self, tenant: TenantId, events: Sequence[Event], *, at: datetime
    ) -> list[Receiving]:
        """Keep events, each once; in order. A repeated one has the instant of the first.

        An event with a key can be found by it once this has returned.
        """

    def kept(
        self, tenant: TenantId, key: EventKey, *, since: datetime
    ) -> tuple[ReceivedEvent, ...]:
        """The events of a key that came since, the latest of them, earliest first.

        Strongly consistent.
        """

    def wait(
        self, tenant: TenantId, key: EventKey, waiter: EventWaiter, *, forget_at: datetime
    ) -> None:
        """Let senders of events find a task; the same again changes nothing."""

    def waiters(self, tenant: TenantId, key: EventKey) -> tuple[EventWaiter, ...]:
        """The tasks that wait for a key, and some that did: the latest, strongly consistent."""
