"""Writes of holders of runs, as the use cases see them."""

from datetime import datetime
from enum import Enum, auto
from typing import Protocol

from timegate.domain.jobs.delivery import KeptAnswer
from timegate.domain.runs.checkpoint import SILENCE, Report
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.identity import DagRunId
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class HeldByDagRun:
    """A lease that is not renewed: its DAG run ends by itself, and the run with it."""

    dag_run: DagRunId
    #: Longer than the DAG run can take: the run is given up then, unless it has ended.
    deadline_at: datetime


class RetryWritten(Enum):
    """Result of writing an end together with its next attempt: both are written, or neither."""

    DONE = auto()
    LEASE_LOST = auto()
    #: A cancel was requested since the worker last heard; nothing may follow.
    CALLED_OFF = auto()


class HeldLeases(Protocol):
    """The part of ``RunStore`` between a claim and an end; throttling raises ``Throttled``."""

    def hand_over(
        self,
        attempt: Attempt,
        *,
        expires_at: datetime,
        at: datetime,
        to: HeldByDagRun | None = None,
        watch_at: datetime | None = None,
    ) -> bool:
        """Leave the lease, from ``at`` on, to the target that has accepted the run, or a DAG run.

        ``watch_at``: where the watch instant moves to; ``None``: it stays. One write, and none that
        shortens what the target has renewed itself already. ``False``: the lease was lost, or the
        run has ended.
        """

    def extend(
        self,
        attempt: Attempt,
        *,
        expires_at: datetime,
        report: Report = SILENCE,
        handed_over_at: datetime | None = None,
        watch_at: datetime | None = None,
    ) -> bool:
        """Renew a lease and store what its holder reports, in one write.

        ``handed_over_at``: the target itself asks, which has it from then on, or since before.
        ``watch_at``: where the watch instant moves to; ``None``: it stays.
        Returns whether a cancel was requested. Raises ``LeaseLost``, and ``CheckpointOutdated``
        when the run has this checkpoint's sequence already; both with nothing written.
        """

    def release(self, attempt: Attempt, *, state: RunState, watch_at: datetime) -> bool:
        """Hand a lease back: ``queued``, for the stream to publish, or ``waiting``.

        One write, counted on the attempt; ``False``: the lease was lost, and nothing was written.
        """

    def end_slice(self, before: Attempt, after: Attempt) -> bool:
        """End a slice of the attempt read as ``before``: ``after`` waits for its next slice.

        One write that the stream shows. Its checkpoint follows any that was reported meanwhile,
        and a cancel that was requested stays. ``False``: the lease was lost, nothing was written.
        """

    def keep_answer(self, attempt: Attempt, answer: KeptAnswer) -> bool:
        """Keep the answer to a worker that lost its lease, for the one that has it now.

        ``False``: an earlier answer is kept already. Publishes nothing.
        """

    def count_duplicate(self, attempt: Attempt) -> None:
        """Count a duplicate that was prevented on the attempt's record."""
