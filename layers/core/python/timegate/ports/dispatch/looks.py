"""Queues as the sweeper sees them: their lengths, and the one that brings it its looks."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from timegate.domain.dispatch.looks import Look
from timegate.domain.runs.watch import QueueLoad


class Backlog(Protocol):
    """Lengths of the run queues."""

    def load(self, queue_key: str) -> QueueLoad:
        """Its messages that are ready or in flight, by the queue's own approximate counts."""


class LookQueue(Protocol):
    """The queue that brings the sweeper its looks."""

    def send_all(self, looks: Sequence[Look], *, now: datetime) -> int:
        """Send looks, each delayed to its instant; how many were accepted. Never raises."""
