"""The opening of a new job: its first runs are stored with it, or its one run before it.

Stored after the job, its first run would cost a move of the job more: two units of its item, and
one each for entering and leaving the index ``due``.
"""

from collections.abc import Sequence
from datetime import datetime

from timegate.domain.jobs.job import Job, Timing
from timegate.domain.planning.plan import Plan, plan_runs
from timegate.domain.planning.roll_ahead import needed_from
from timegate.domain.runs.gate import NEXT_TICK_WITHIN
from timegate.domain.runs.run import Attempt
from timegate.ports.telemetry import service_metrics
from timegate.usecases.dispatch.publish_created import publish_created
from timegate.usecases.restrictions.look_up_restrictions import RestrictionLookup
from timegate.usecases.services.planner_services import Scheduling

#: A transaction takes a hundred writes. Others are the job, its key, its watch, its count and its
#: entry of the audit trail; and, of a DAG whose job it is, the DAG, its count and its entry.
MOST_RUNS = 90


def opening_of(timing: Timing, scheduling: Scheduling, *, now: datetime) -> Plan | None:
    """Plan the first runs of a job that is not stored yet, if the next tick might miss them.

    ``None``: the job is stored first. A tick plans it, or its creator does where places are
    counted, instants are held back or left out, or the runs are too many for one transaction.
    """
    due = needed_from(timing)
    is_soon = due is not None and due - now <= NEXT_TICK_WITHIN
    if not is_soon or timing.schedule.max_runs is not None:
        return None
    lookup = RestrictionLookup(scheduling.restrictions, scheduling.calendars)
    until, restrictions = now + scheduling.look_ahead, lookup.of([timing])[timing.tenant]
    plan = plan_runs(timing, now=now, until=until, restrictions=restrictions)
    # Instants that a freeze holds back are planned by none, and settled in time.
    fits = not plan.gaps and 0 < len(plan.attempts) <= MOST_RUNS
    return plan if fits else None


def store_opened(
    job: Job,
    plan: Plan,
    scheduling: Scheduling,
    *,
    limit: int | None,
    repeatable: bool,
) -> bool:
    """Store a job past its first runs, with these, and publish what is due now.

    ``False``: its id, its key or its run exists. ``repeatable``: its id may exist, for the request
    names it. Raises ``QuotaExceeded``, and ``Throttled``.
    """
    if not scheduling.runs.create_job(job, plan.attempts, limit=limit, repeatable=repeatable):
        return False
    publish_opened(plan.attempts, scheduling)
    return True


def publish_opened(attempts: Sequence[Attempt], scheduling: Scheduling) -> None:
    """Publish those first runs of a job that are due now; all of them are stored."""
    scheduling.telemetry.count(service_metrics.JOBS_PLANNED, 1)
    scheduling.telemetry.count(service_metrics.RUNS_PLANNED, len(attempts))
    direct = [attempt for attempt in attempts if attempt.direct]
    publish_created(direct, scheduling)
