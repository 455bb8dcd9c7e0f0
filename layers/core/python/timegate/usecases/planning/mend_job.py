"""One job after a promotion: records that did not arrive from the region before are made good."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from timegate.domain.auditing.audit import LedgerRecords
from timegate.domain.auditing.unarrived import LostTime, settle_unarrived
from timegate.domain.jobs.job import Job, JobStatus
from timegate.domain.ledger.damaged_records import RunRecord
from timegate.domain.regions.lost_retry import asks_for_retry, lost_retry, retried_since
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.errors import JobNotFound
from timegate.domain.values.identity import Origin
from timegate.domain.values.instant_range import InstantRange
from timegate.usecases.dispatch.relay_runs import relay_runs
from timegate.usecases.ledger.gaps_on_record import gaps_on_record
from timegate.usecases.planning.complete_changed import complete_changed
from timegate.usecases.planning.materialise import materialise
from timegate.usecases.planning.mend_messages import mend_messages_of_job
from timegate.usecases.restrictions.look_up_restrictions import RestrictionLookup
from timegate.usecases.services.planner_services import Scheduling
from timegate.value_classes import dataclass

#: Records of a job that are read at once.
_PAGE = 500
#: Steps at a job: each stores as many gaps as a transaction takes, or meets another writer.
_STEPS = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class Mended:
    """Counts of what one job lacked."""

    #: Instants that the region before may have begun.
    lost: int = 0
    #: The first instant that is planned again.
    planned_from: datetime | None = None
    retries: int = 0
    #: Retries of messages of its channels.
    messages: int = 0
    #: Its last run had ended, and it is completed now.
    completed: bool = False
    #: Every instant has its record now.
    done: bool = True

    @property
    def is_whole(self) -> bool:
        """Nothing was missing."""
        return self == Mended()


def mend_job(
    job: Job, lost: LostTime, scheduling: Scheduling, lookup: RestrictionLookup, *, now: datetime
) -> Mended:
    """Give each instant and each retry of a job that the region before stored its record here.

    A job whose last run ended there is completed, and runs that it planned ahead are published.
    Every write is conditional, so that twice is as good as once. Raises ``Throttled``.
    """
    found = list(_runs(job, lost, scheduling))
    _publish_planned(found, lost, scheduling, now)
    retries = _make_retries(job, found, scheduling, now)
    since = _first_instant(job, lost) - timedelta(seconds=job.timeout_seconds)
    messages = mend_messages_of_job(job, since, scheduling.runs, now=now)
    mended = _mend_instants(job, found, lost, scheduling, lookup, now)
    completed = not retries and mended.is_whole and _complete(job, found, scheduling, now)
    return replace(mended, retries=retries, messages=messages, completed=completed)


def _mend_instants(
    job: Job,
    found: list[RunRecord],
    lost: LostTime,
    scheduling: Scheduling,
    lookup: RestrictionLookup,
    now: datetime,
) -> Mended:
    gone, planned_from = 0, None
    for _ in range(_STEPS):
        instants = lost.instants(job.timing)
        if not instants:
            return Mended(lost=gone, planned_from=planned_from)
        runs = {each.id.run.scheduled_at: each for each in found if _is_named(each)}
        gaps = gaps_on_record(job.timing, scheduling.jobs, since=instants[0], page_size=_PAGE)
        settlement = settle_unarrived(
            job,
            instants,
            LedgerRecords(runs=runs, gaps=list(gaps)),
            lost,
            restrictions=lookup.of([job.timing])[job.tenant],
            now=now,
        )
        if settlement is None:
            return Mended(lost=gone, planned_from=planned_from)
        if _is_free(job) and scheduling.jobs.settle(job.timing, settlement):
            gone += sum(gap.count for gap in settlement.gaps)
            after = settlement.timing
            if after.next_run_at != job.timing.next_run_at:
                planned_from = after.next_run_at
                materialise([after], scheduling, now=now, lookup=lookup)
        elif job.timing.announced is not None:
            materialise([job.timing], scheduling, now=now, lookup=lookup)
        try:
            job = scheduling.jobs.get(job.tenant, job.job_id)
        except JobNotFound:
            break
        found = list(_runs(job, lost, scheduling))
    return Mended(lost=gone, planned_from=planned_from, done=False)


def _is_free(job: Job) -> bool:
    """A planner stores runs of an active job that announces some, and moves it, first."""
    return job.timing.announced is None or job.timing.status is not JobStatus.ACTIVE


def _is_named(run: RunRecord) -> bool:
    return run.id.run.origin is Origin.SCHEDULE


def _runs(job: Job, lost: LostTime, scheduling: Scheduling) -> Iterator[RunRecord]:
    """The last attempt of each run of the lost time, whatever asked for it.

    A run of an earlier instant is one of it as well, if it may have been retried so late.
    """
    within, cursor = InstantRange(start=_first_instant(job, lost)), None
    while True:
        page = scheduling.runs.list_runs(
            job.tenant, job.job_id, limit=_PAGE, cursor=cursor, within=within
        )
        yield from page.rows
        yield from page.damaged
        cursor = page.cursor
        if cursor is None:
            return


def _first_instant(job: Job, lost: LostTime) -> datetime:
    return min(lost.since, retried_since(job.retry, job.timeout_seconds, until=lost.until))


def _complete(job: Job, found: list[RunRecord], scheduling: Scheduling, now: datetime) -> bool:
    """Complete an active job as the end of its last run does, if that is on record here."""
    if job.timing.status is not JobStatus.ACTIVE:
        return False
    last = [each for each in found if isinstance(each, Attempt) and each.completes_job]
    return any(complete_changed(each, scheduling.jobs, scheduling.runs, now) for each in last)


def _publish_planned(
    found: list[RunRecord], lost: LostTime, scheduling: Scheduling, now: datetime
) -> None:
    """Publish runs that the region before stored for later: it published them to its own queues.

    The sweeper finds what a queue refuses, a minute behind its instant.
    """
    planned = [
        each
        for each in found
        if isinstance(each, Attempt)
        and each.state is RunState.QUEUED
        and each.created_at < lost.until <= each.due_at
        and each.watch_at is not None
        and each.watch_at > now
    ]
    if planned:
        relay_runs(
            planned,
            scheduling.publisher,
            scheduling.telemetry,
            now=now,
            lead_seconds=scheduling.lead_seconds,
        )


def _make_retries(job: Job, found: list[RunRecord], scheduling: Scheduling, now: datetime) -> int:
    asked = [each for each in found if isinstance(each, Attempt) and asks_for_retry(each)]
    retries = [lost_retry(each, job.retry, now=now) for each in asked]
    return sum(scheduling.runs.insert_all(retries)) if retries else 0
