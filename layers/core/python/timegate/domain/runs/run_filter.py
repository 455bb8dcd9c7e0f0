"""Filters of runs in listings."""

from collections.abc import Mapping
from datetime import datetime

from timegate.domain.jobs.job_filter import is_named
from timegate.domain.runs.reserved_turns import late_since
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.values.identity import DagRunId, JobId
from timegate.domain.values.instant_range import EVER, InstantRange
from timegate.domain.values.instants import milliseconds_between
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class RunFilter:
    """Common properties of runs of a job; ``None``: anything."""

    state: RunState | None = None
    #: Bounds of their nominal instants.
    within: InstantRange = EVER

    def matches(self, last: Attempt) -> bool:
        """Tell if the run with this last attempt is one of them; its instant is the store's."""
        return self.state in {None, last.state}


@dataclass(frozen=True, kw_only=True, slots=True)
class RunCriteria:
    """Common properties of runs of a tenant; ``None``: anything."""

    #: Empty: any.
    states: tuple[RunState, ...] = ()
    reason: Reason | None = None
    error_code: str | None = None
    job_id: JobId | None = None
    dag_run_id: DagRunId | None = None
    #: An event started them by this trigger.
    event_trigger: str | None = None
    #: Name of their jobs; one that ends with ``*`` is the beginning of a name.
    name: str | None = None
    #: Each of them is a tag of the run or of its job.
    tags: tuple[tuple[str, str], ...] = ()
    #: They began later than so many seconds after they were due, or have not begun by then.
    late_seconds: int | None = None
    #: Bounds of their instants in the listing; the store looks nowhere else.
    within: InstantRange = EVER

    def matches(self, last: Attempt, *, now: datetime | None = None) -> bool:
        """Tell if the run with this last attempt is one of them, whatever its job.

        ``now``: of runs that have neither begun nor ended; ``None``: there are none.
        """
        code = last.error.code if last.error is not None else None
        return (
            (not self.states or last.state in self.states)
            and self.reason in {None, last.reason}
            and self.error_code in {None, code}
            and self.job_id in {None, last.id.run.job_id}
            and self.dag_run_id in {None, last.dag_run, _dag_run_of_task(last)}
            and self._is_of_trigger(last)
            and self._is_late_enough(last, now)
        )

    def suits(self, name: str, tags: Mapping[str, str]) -> bool:
        """Tell if a run is one of them whose job has this name, with the tags of both."""
        named = self.name is None or is_named(name, self.name)
        return named and all(tags.get(key) == value for key, value in self.tags)

    def _is_of_trigger(self, last: Attempt) -> bool:
        event = last.matched_event
        return self.event_trigger in {None, event.event_trigger if event is not None else None}

    def _is_late_enough(self, last: Attempt, now: datetime | None) -> bool:
        if self.late_seconds is None:
            return True
        begun = last.started_at or last.ended_at or now
        waited = milliseconds_between(late_since(last), begun) if begun is not None else 0
        return waited > self.late_seconds * 1000


@dataclass(frozen=True, kw_only=True, slots=True)
class FailureFilter(RunCriteria):
    """Common properties of a tenant's failed runs; ``None``: anything."""

    def matches(self, last: Attempt, *, now: datetime | None = None) -> bool:
        """Tell if the run with this last attempt is one of them, whatever its job."""
        return last.is_failure and RunCriteria.matches(self, last, now=now)


def _dag_run_of_task(last: Attempt) -> DagRunId | None:
    return DagRunId(last.id.run.job_id) if last.is_task else None
