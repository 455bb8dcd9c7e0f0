"""Ends that are followed up, in memory."""

from collections.abc import Sequence
from dataclasses import replace

from timegate.adapters.memory.tables import MemoryTables, in_milliseconds
from timegate.domain.runs.run import TERMINAL, Attempt


class FollowedEnds:
    """The part of ``MemoryRunStore`` that outcomes calls last."""

    _tables: MemoryTables

    def unwatch_all(self, ended: Sequence[Attempt]) -> None:
        """Take ends that are followed up out of the ``watch`` index."""
        for attempt in ended:
            with self._tables.lock:
                stored = self._tables.attempts.get((attempt.tenant, attempt.id))
                if stored is None or stored.state not in TERMINAL:
                    continue
                if stored.ended_at == in_milliseconds(attempt).ended_at:
                    self._tables.put_attempt(replace(stored, watch_at=None))
