"""The last run of a job: that of its present schedule, and of none before it.

A planner marks the run that ends its job (``final``). A job that is edited afterwards may have such
a run of each of its schedules, under way or still to begin.
"""

from collections.abc import Iterable

from timegate.domain.jobs.job import Timing
from timegate.domain.ledger.damaged_records import RunRecord
from timegate.domain.ledger.gap_parts import answers_after
from timegate.domain.recurrence.fires import names_instant
from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import RunId


def awaits_last_run(timing: Timing, records: Iterable[RunRecord], *, ended: RunId) -> bool:
    """Tell if another run than ``ended`` is the last of the job's schedule, and is still to end.

    ``records``: the last attempts of the job's runs, those behind ``answers_after`` among them.
    """
    first = answers_after(timing)
    open_ends = (
        each.id.run
        for each in records
        if isinstance(each, Attempt) and each.final and not each.ends_run
    )
    return any(
        run != ended and run.scheduled_at > first and names_instant(timing, run.scheduled_at)
        for run in open_ends
    )
