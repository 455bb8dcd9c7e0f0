"""Following a batch of the stream: all that ends, and changes of DAG runs, bring about."""

from collections.abc import Sequence
from typing import Protocol

from timegate.domain.dag_runs.run_identity import DagRunRef
from timegate.domain.runs.run import Attempt
from timegate.ports.clock import Clock
from timegate.ports.operations.operation_store import OperationStore
from timegate.ports.stores import JobStore, RunStore
from timegate.ports.telemetry.telemetry import Telemetry
from timegate.usecases.dag_runs.dag_run_services import DagWorks
from timegate.usecases.dag_runs.follow_records import follow_records
from timegate.usecases.outcomes.close_ends import close_ends
from timegate.usecases.outcomes.complete_jobs import complete_jobs
from timegate.usecases.outcomes.fill_places import fill_places
from timegate.usecases.outcomes.follow_ends import Followers, follow_ends
from timegate.usecases.outcomes.pause_failing_jobs import Pausing, pause_failing_jobs
from timegate.usecases.outcomes.wake_operations import wake_followers
from timegate.usecases.services.planner_services import Scheduling


class Following(Protocol):
    """Services of outcomes."""

    @property
    def jobs(self) -> JobStore:
        """Jobs that are completed."""

    @property
    def runs(self) -> RunStore:
        """Ends that are closed, and runs that follow."""

    @property
    def operations(self) -> OperationStore:
        """Operations that wait for ends."""

    @property
    def scheduling(self) -> Scheduling:
        """Planning of jobs that got a place back."""

    @property
    def followers(self) -> Followers:
        """Hooks and follow-ups."""

    @property
    def pausing(self) -> Pausing:
        """Pauses of failing jobs."""

    @property
    def dag_works(self) -> DagWorks:
        """DAG runs."""

    @property
    def clock(self) -> Clock:
        """The present."""

    @property
    def telemetry(self) -> Telemetry:
        """One event for each decision."""


def follow_batch(shown: Sequence[Attempt | DagRunRef], following: Following) -> list[bool]:
    """Do all that follows these records, and close the ends last; all are done.

    Safe to repeat, and in any order. Raises ``Throttled`` and ``JobChanged``: then none is done.
    """
    ended = [each for each in shown if isinstance(each, Attempt)]
    now = following.clock.now()
    complete_jobs(ended, following.jobs, following.runs, following.telemetry, now=now)
    fill_places(ended, following.scheduling, now=now)
    wake_followers(ended, following.operations, following.telemetry)
    follow_ends(ended, following.followers, now=now)
    follow_records(shown, following.dag_works)
    pause_failing_jobs(ended, following.pausing, now=now)
    close_ends(ended, following.runs)
    return [True] * len(shown)
