"""The walk over all jobs after a promotion, page by page and tick by tick."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import partial

from timegate.domain.auditing.unarrived import LostTime
from timegate.domain.jobs.job import Job
from timegate.domain.values.corrupt_record import DAMAGE
from timegate.ports.auditing import TablePage, TakeoverWalkStore
from timegate.ports.telemetry import service_events
from timegate.usecases.planning.mend_job import mend_job
from timegate.usecases.planning.mend_messages import RulesOf, mend_messages_of_rules
from timegate.usecases.restrictions.look_up_restrictions import RestrictionLookup
from timegate.usecases.services.planner_services import Scheduling
from timegate.value_classes import dataclass

#: Jobs looked at side by side: a look mostly waits for its reads.
LOOKERS = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class Share:
    """A part of the jobs: ``shard`` of ``of``."""

    shard: int
    of: int


def mend_jobs(
    share: Share,
    number: int,
    lost: LostTime,
    walks: TakeoverWalkStore,
    rules_of: RulesOf,
    scheduling: Scheduling,
    *,
    now: datetime,
    has_time: Callable[[], bool],
) -> bool:
    """Go on with the walk that is owed; ``False``: time is over before its end.

    ``number``: that of the look. The walk's record says how far it came: a planner that dies
    repeats one page, and a second one that works beside it changes nothing more.
    """
    walk = walks.read(share.shard, share.of).owing(number)
    lookup = RestrictionLookup(scheduling.restrictions, scheduling.calendars)
    while not walk.is_done:
        if not has_time():
            return False
        page = walks.page(walk)
        mended = _mend_page(page, lost, rules_of, scheduling, lookup, now=now)
        following = walk.behind(page, mended=mended)
        if not walks.move(walk, following):
            return False
        walk = following
        scheduling.telemetry.event(
            service_events.REGION_JOBS_CHECKED,
            shard=share.shard,
            jobs=len(page.jobs),
            mended=mended,
            done=walk.is_done,
        )
    return True


def _mend_page(
    page: TablePage,
    lost: LostTime,
    rules_of: RulesOf,
    scheduling: Scheduling,
    lookup: RestrictionLookup,
    *,
    now: datetime,
) -> int:
    """Mend jobs, side by side, and messages of rules; how many jobs lacked records."""
    jobs = [each.job for each in page.jobs]
    lookup.learn({job.tenant for job in jobs})
    look = partial(_look_at, lost=lost, scheduling=scheduling, lookup=lookup, now=now)
    with ThreadPoolExecutor(max_workers=LOOKERS) as pool:
        mended = sum(pool.map(look, jobs))
    for tenant in page.with_rules:
        mend_messages_of_rules(
            tenant, lost, rules_of, scheduling.runs, scheduling.telemetry, now=now
        )
    return mended


def _look_at(
    job: Job, *, lost: LostTime, scheduling: Scheduling, lookup: RestrictionLookup, now: datetime
) -> bool:
    """Tell if the job lacked records. One that cannot be judged holds up no other."""
    try:
        mended = mend_job(job, lost, scheduling, lookup, now=now)
    except DAMAGE as damage:
        scheduling.telemetry.event(
            service_events.JOB_UNREADABLE, item=f"{job.tenant} {job.job_id}", detail=repr(damage)
        )
        return False
    if mended.is_whole:
        return False
    scheduling.telemetry.event(
        service_events.REGION_JOB_MENDED,
        tenant_id=job.tenant,
        job_id=job.job_id,
        lost=mended.lost,
        planned_from=mended.planned_from,
        retries=mended.retries,
        messages=mended.messages,
        completed=mended.completed,
        done=mended.done,
    )
    return True
