"""Runs that two edits leave behind: the first replaced them, and they wait when the second comes.

A run that was due when the last schedule was given stays due. Executors judge that by the last
schedule alone, so an edit ends the runs that its predecessor had replaced by then.
"""

from dataclasses import replace
from datetime import datetime, timedelta

from timegate.domain.jobs.job import Timing
from timegate.domain.ledger.damaged_records import RunRecord
from timegate.domain.ledger.gap_parts import answers_after
from timegate.domain.planning.roll_ahead import LONGEST_ROLL, may_precede
from timegate.domain.recurrence.fires import names_instant
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.identity import Origin
from timegate.domain.values.instants import MILLISECOND


def is_left_behind(record: RunRecord, before: Timing, after: Timing) -> bool:
    """Tell if a run waits that ``before`` has replaced and ``after`` would let begin.

    ``before``, ``after``: the job's timing as an edit finds and leaves it. ``before`` answers for
    the run's instant and does not name it. An operation's run is left alone.
    """
    if not isinstance(record, Attempt) or record.state not in {RunState.WAITING, RunState.QUEUED}:
        return False
    run = record.id.run
    if run.origin is not Origin.SCHEDULE or record.operation is not None or record.fence > 0:
        return False
    if record.job_version == before.version:
        return False
    instant = run.scheduled_at
    answered = answers_after(before) < instant <= answers_after(after)
    return answered and not names_instant(before, instant)


def left_behind_within(
    before: Timing, after: Timing, *, look_ahead: timedelta
) -> tuple[datetime, datetime] | None:
    """The first and the last instant that a run may have that is left behind; ``None``: none has.

    The job's first schedule replaced none. A later one replaced what was planned by the time it was
    given: ``look_ahead`` of instants, and those that calendars roll to earlier days.
    """
    if before.anchored_at in {before.created_at, after.anchored_at}:
        return None
    given_at = answers_after(before)
    planned_until = given_at + look_ahead + (LONGEST_ROLL if may_precede(before) else timedelta(0))
    rolled_until = max(planned_until, before.rolled_until or planned_until)
    return given_at + MILLISECOND, min(rolled_until, answers_after(after))


def with_dropped_rolls(
    before: Timing, after: Timing, *, now: datetime, look_ahead: timedelta
) -> Timing:
    """The timing after a change, which knows how far calendars that it drops had runs planned."""
    if not may_precede(before) or may_precede(after):
        return after
    return replace(after, rolled_until=now + look_ahead + LONGEST_ROLL)
