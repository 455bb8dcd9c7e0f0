"""Jobs that have no audit cursor, or were changed since their last check: where the auditor looks.

Jobs that are due soon and runs that were planned lately show most new jobs within a tick. The walk
over the table shows every job in the end, those that no index shows as well.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime, timedelta
from itertools import islice

from timegate.domain.auditing.audit import ENDED
from timegate.domain.auditing.audit_cursor import AuditCursor, horizon, lot, opening_cursor
from timegate.domain.auditing.audit_finding import Finding, FindingCode
from timegate.domain.jobs.job import JobStatus, Timing
from timegate.domain.values.errors import JobDamaged, JobNotFound
from timegate.domain.values.identity import Origin
from timegate.domain.values.instants import minutes_between
from timegate.ports.auditing import AuditWalk, Owner, SightedJob, TablePage
from timegate.ports.stores import AttemptRef, DamagedJob
from timegate.usecases.services.auditor_services import Auditing, missing_job
from timegate.value_classes import dataclass

#: Jobs that are due around now are seen whenever the auditor looks.
AROUND = (timedelta(minutes=-20), timedelta(minutes=15))
#: A run that is queued ten minutes ahead is met at least once by ticks that come each five.
PLANNED = (timedelta(seconds=30), timedelta(minutes=12))
#: Entries of an index that one tick looks through.
MAX_SEEN = 5_000
#: Jobs of which one tick looks for a cursor because an index showed them.
MAX_UNKNOWN = 500


@dataclass(kw_only=True, slots=True)
class Unaudited:
    """Jobs and runs found in one look, with damaged records."""

    #: Cursors that are to be checked now, whenever they are due.
    cursors: list[AuditCursor] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    damaged: list[DamagedJob] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Seen:
    """A job as something shows it."""

    version: int
    created_at: datetime


def find_unaudited(
    walk: AuditWalk,
    page: TablePage,
    known: Mapping[Owner, AuditCursor],
    auditing: Auditing,
    *,
    now: datetime,
) -> Unaudited:
    """Give every job that is seen and has no cursor one; ``known``: cursors that were read."""
    found = Unaudited(damaged=list(page.damaged))
    found.findings += [finding for each in page.jobs for finding in _of_indexes(each)]
    since = horizon(now, auditing.retention)
    due = dict(islice(_due(walk.shard, auditing, now), MAX_SEEN))
    table = {_owner(each): _as_seen(each) for each in page.jobs if not _is_forgotten(each, since)}
    seen = due | table
    runs = [owner for owner in _planned(walk.shard, auditing, now) if owner not in seen]
    by_index = _drawn([owner for owner in (*due, *runs) if owner not in known], now)
    looked_up = dict.fromkeys([*by_index, *(owner for owner in table if owner not in known)])
    cursors = auditing.cursors.load(list(looked_up))
    for owner in by_index:
        if owner not in seen and owner not in cursors:
            _look_up(owner, seen, found, auditing)
    added = [
        opening_cursor(*owner, seen[owner].created_at, now=now, since=since)
        for owner in looked_up
        if owner in seen and owner not in cursors
    ]
    auditing.cursors.add(added, now=now)
    # A job that had ended and was revived is among them.
    changed = [
        replace(cursor, check_at=now)
        for owner, cursor in (dict(known) | cursors).items()
        if owner in seen and cursor.version != seen[owner].version
    ]
    found.cursors += [
        each
        for each in (*added, *changed)
        if auditing.cursors.owns(walk.shard, walk.of, each.job_id)
    ]
    return found


def _drawn(owners: Sequence[Owner], now: datetime) -> list[Owner]:
    return sorted(owners, key=lambda owner: lot(owner[0], owner[1], now))[:MAX_UNKNOWN]


def _owner(sighted: SightedJob) -> Owner:
    return sighted.job.tenant, sighted.job.job_id


def _as_seen(sighted: SightedJob) -> _Seen:
    timing = sighted.job.timing
    return _Seen(version=timing.version, created_at=timing.created_at)


def _is_forgotten(sighted: SightedJob, since: datetime) -> bool:
    """It has ended, and so long ago that none of its records is left."""
    return sighted.job.timing.status in ENDED and sighted.job.updated_at <= since


def _due(shard: int, auditing: Auditing, now: datetime) -> Iterator[tuple[Owner, _Seen]]:
    """Jobs that the ``due`` index shows around now."""
    first, last = AROUND
    for minute in minutes_between(now + first, now + last):
        for timing in auditing.jobs.due(minute, shard):
            # The planner reports an unreadable job.
            if isinstance(timing, Timing) and timing.status is JobStatus.ACTIVE:
                seen = _Seen(version=timing.version, created_at=timing.created_at)
                yield (timing.tenant, timing.job_id), seen


def _planned(shard: int, auditing: Auditing, now: datetime) -> list[Owner]:
    """Jobs of runs that are to begin, or have just begun."""
    first, last = PLANNED
    waiting = (
        each
        for minute in minutes_between(now + first, now + last)
        for each in auditing.runs.overdue(minute, shard, until=now + last)
    )
    # The sweeper reports an unreadable run.
    refs = [each for each in islice(waiting, MAX_SEEN) if isinstance(each, AttemptRef)]
    scheduled = [ref for ref in refs if ref.id.run.origin is Origin.SCHEDULE]
    return list(dict.fromkeys((ref.tenant, ref.id.run.job_id) for ref in scheduled))


def _look_up(owner: Owner, seen: dict[Owner, _Seen], found: Unaudited, auditing: Auditing) -> None:
    """The job of a run, of which nothing else is known."""
    tenant, job_id = owner
    try:
        timing = auditing.jobs.get(tenant, job_id).timing
    except JobNotFound:
        missing = missing_job(tenant, job_id, auditing)
        found.findings += [missing] if missing is not None else []
    except JobDamaged as error:
        found.damaged.append(DamagedJob(tenant=tenant, job_id=job_id, reason=error.reason))
    else:
        seen[owner] = _Seen(version=timing.version, created_at=timing.created_at)


def _of_indexes(sighted: SightedJob) -> list[Finding]:
    tenant, job_id = _owner(sighted)
    active = sighted.job.timing.status is JobStatus.ACTIVE
    codes = []
    if active and not sighted.is_indexed:
        codes.append(FindingCode.JOB_NOT_INDEXED)
    if not sighted.is_listed:
        codes.append(FindingCode.JOB_NOT_LISTED)
    return [Finding(code=code, tenant=tenant, job_id=job_id) for code in codes]
