"""Answers about queues and pools, each asked for once in a step of the sweeper."""

from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING

from timegate.domain.runs.run import Attempt, RunState
from timegate.usecases.sweeping.sweeper_services import Sweeping

if TYPE_CHECKING:
    from timegate.domain.pools.pause import PoolPause


class StepAnswers:
    """A backlog of thousands is one question, and an answer of a moment ago."""

    def __init__(self, sweeping: Sweeping) -> None:
        #: How full a queue is.
        self.load_of = cache(sweeping.backlog.load)
        self._pause_of = cache(sweeping.pools.pause)

    def is_paused(self, attempt: Attempt, *, now: datetime) -> bool:
        """Tell if its pool keeps an offered run from workers; raises ``Throttled``."""
        pause = self._last_pause(attempt)
        return pause is not None and pause.is_active(now)

    def why_late(self, attempt: Attempt, *, now: datetime) -> str | None:
        """Tell the pause for which an offered run waited; ``None``: it waited for none."""
        pause = self._last_pause(attempt)
        if pause is None:
            return None
        # Imported here: few pools are ever paused.
        from timegate.domain.pools.paused_runs import why_late  # noqa: PLC0415

        return why_late(attempt, pause, now=now)

    def _last_pause(self, attempt: Attempt) -> "PoolPause | None":
        offer = attempt.offer
        if offer is None or attempt.state is not RunState.QUEUED:
            return None
        return self._pause_of(attempt.tenant, offer.pool)
