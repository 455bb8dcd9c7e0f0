"""Cutting what a replaced schedule left out ahead, however many gaps that are.

The first of them are cut in the transaction that stores the new schedule, and it takes a hundred
writes. The others lie wholly beyond the change, so that nothing is left of them; readers pass over
them from then on (``gap_parts.as_answered``). They are taken away afterwards. Should that die
half-way, the next change of schedule does it first, while the last one is known.
"""

from datetime import datetime, timedelta
from itertools import takewhile

from timegate.domain.jobs.job import Timing
from timegate.domain.ledger.damaged_records import GapRecord
from timegate.domain.ledger.gap_parts import Cut, cut_ahead
from timegate.domain.ledger.ledger import Gap
from timegate.domain.planning.plan import EXCLUDED_AHEAD
from timegate.ports.stores import JobStore
from timegate.usecases.ledger.gaps_on_record import stored_gaps

#: Cut with the change. With it go the job, its former definition, a new gap at most, what is left
#: of the one gap that reaches across the change, the entry of the audit trail, the watch over a
#: success, two keys, and a count; and of a DAG whose job it is, two versions, an entry and a count.
WITH_CHANGE = 87
_PAGE = 1_000


def cuts_of(before: Timing, after: Timing, jobs: JobStore, *, now: datetime) -> tuple[Cut, ...]:
    """Return the gaps that a schedule given at ``now`` cuts; the one that reaches across it
    first.
    """
    ahead = tuple(stored_gaps(before, jobs, since=now, page_size=_PAGE))
    return cut_ahead(ahead, before, after)


def finish_cutting(timing: Timing, jobs: JobStore, *, look_ahead: timedelta) -> None:
    """Cut what the job's last change of schedule has not come to; twice is as good as once."""
    given_at = timing.anchored_at
    if given_at == timing.created_at:
        return
    # No planner leaves out anything further ahead than this.
    end = given_at + max(EXCLUDED_AHEAD, look_ahead)
    gaps = stored_gaps(timing, jobs, since=given_at, page_size=_PAGE)
    near = takewhile(lambda gap: gap.first <= end, gaps)
    cuts = cut_ahead([gap for gap in near if _is_older(gap, timing)], timing, timing)
    if cuts:
        jobs.cut(cuts)


def _is_older(gap: GapRecord, timing: Timing) -> bool:
    if not isinstance(gap, Gap) or gap.naming is None:
        return False
    return gap.naming.anchored_at < timing.anchored_at
