"""Queues and looks as the sweeper sees them: lengths, its own looks, and those at rules."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Protocol

from timegate.domain.dispatch.looks import ShardLook
from timegate.domain.runs.watch import QueueDepth
from timegate.domain.values.identity import AbsenceRef
from timegate.domain.values.tenant import TenantId


class Backlog(Protocol):
    """Lengths of the run queues."""

    def load(self, queue_key: str) -> QueueDepth:
        """Its messages that are ready or in flight, by the queue's own approximate counts."""


class LookQueue(Protocol):
    """The queue that brings the sweeper its looks."""

    def send_all(self, looks: Sequence[ShardLook], *, now: datetime) -> int:
        """Send looks, each delayed to its instant; how many were accepted. Never raises."""


class RuleLooks(Protocol):
    """Watches that wait for a look."""

    def overdue_rules(self, *, until: datetime) -> Iterator[TenantId | AbsenceRef]:
        """Tenants and jobs whose watches are to be looked at, the longest waiting first."""

    def touch_rules(self, shown: TenantId | AbsenceRef, *, now: datetime, due_at: datetime) -> bool:
        """Show a watch in the stream, and put its next look off; ``False``: it waits no more."""
