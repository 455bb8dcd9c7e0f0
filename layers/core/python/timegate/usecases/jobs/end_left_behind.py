"""Ending runs that an edit would let begin, though the schedule before it had replaced them."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from timegate.domain.execution.admission import Refuse
from timegate.domain.execution.notices import listening
from timegate.domain.jobs.job import Timing
from timegate.domain.ledger.damaged_records import RunRecord
from timegate.domain.planning.left_behind import is_left_behind, left_behind_within
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.values.errors import JobChanged
from timegate.ports.stores import AttemptRef
from timegate.usecases.ledger.runs_on_record import runs_on_record
from timegate.usecases.limits.overlap_releases import leave_line
from timegate.usecases.limits.refuse_run import refuse_run
from timegate.usecases.services.api_services import ApiServices

#: The relay queues a run meanwhile, and its line calls it; a run changes only so often.
MAX_TRIES = 5
_PAGE = 500
_SUPERSEDED = Refuse(state=RunState.SKIPPED, reason=Reason.SUPERSEDED)


def end_left_behind(before: Timing, after: Timing, services: ApiServices, *, now: datetime) -> None:
    """End what ``before`` replaced and ``after`` would let begin, as an executor would under it.

    One query, where the job's schedule was changed before. The edit may fail afterwards: no other
    schedule answers for these instants any more. Raises ``JobChanged`` after losing every race.
    """
    within = left_behind_within(before, after, look_ahead=services.scheduling.look_ahead)
    if within is None:
        return
    start, end = within
    found: Iterable[RunRecord] = runs_on_record(
        before, services.runs, start=start, end=end, page_size=_PAGE
    )
    left = _left_behind(found, before, after)
    for _ in range(MAX_TRIES):
        if not left:
            return
        left = _end(left, before, after, services, now)
    if left:
        raise JobChanged(before.job_id)


def _left_behind(records: Iterable[RunRecord], before: Timing, after: Timing) -> list[AttemptRef]:
    return [
        AttemptRef(tenant=each.tenant, id=each.id)
        for each in records
        if isinstance(each, Attempt) and is_left_behind(each, before, after)
    ]


def _end(
    left: list[AttemptRef], before: Timing, after: Timing, services: ApiServices, now: datetime
) -> list[AttemptRef]:
    """End those that wait still; those that changed since they were read."""
    changed: list[AttemptRef] = []
    for ref, loaded in zip(left, services.runs.load_all(left), strict=True):
        attempt, job = loaded.attempt, loaded.job
        if attempt is None or job is None or not is_left_behind(attempt, before, after):
            continue
        # With the edit the job gets another last run.
        heard = replace(listening(attempt, job), final=False)
        if refuse_run(heard, _SUPERSEDED, services, now=now):
            leave_line(attempt, job, services, now=now)
        else:
            changed.append(ref)
    return changed
