"""The auditor's tick over one shard: does every instant that has passed have its record?"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice, takewhile

from timegate.domain.audit import Expected, expected_instants
from timegate.domain.damage import DAMAGE
from timegate.domain.damaged_records import GapRecord
from timegate.domain.errors import JobDamaged, JobNotFound
from timegate.domain.identity import JobId
from timegate.domain.instants import minute_of, minutes_between
from timegate.domain.job import JobStatus, Timing
from timegate.domain.restrictions import InForce, Restrictions
from timegate.domain.tenant import TenantId
from timegate.ports.quotas import UsageStore
from timegate.ports.restrictions import RestrictionStore
from timegate.ports.stores import AttemptRef, DamagedJob, JobStore, RunStore
from timegate.ports.surroundings import Telemetry
from timegate.usecases.audit_quotas import audit_quotas
from timegate.usecases.damage_report import tell_of_damage, tell_of_damaged_records
from timegate.usecases.gaps_on_record import gaps_on_record
from timegate.usecases.runs_on_record import runs_on_record

#: Jobs that are due around now are audited whenever the auditor looks: those that fire often, and
#: those that should have been planned and were not.
AROUND = (timedelta(minutes=-20), timedelta(minutes=15))
#: Jobs that fire rarely are found in minutes of the coming day, drawn by lot.
DRAWN_FROM = timedelta(hours=24)
DRAWS = 10
#: Whatever was planned lately is audited, too: its run lies here until it has ended. A run that is
#: queued ten minutes ahead is met at least once by ticks that come each five.
PLANNED = (timedelta(seconds=30), timedelta(minutes=12))
#: Most jobs of a shard that one tick audits because they are due, and because they were planned.
MAX_JOBS = 200
#: Runs that are looked through for the latter.
MAX_RUNS = 2_000
#: Gaps of a job read at once.
GAPS_PER_PAGE = 100
#: Runs of a job read at once.
RUNS_PER_PAGE = 500
#: Instants named in the event that reports a miss.
NAMED = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Auditing:
    """What the auditor reads; it writes nothing."""

    jobs: JobStore
    runs: RunStore
    restrictions: RestrictionStore
    #: How many jobs and DAGs tenants have.
    usage: UsageStore
    telemetry: Telemetry


@dataclass(frozen=True, kw_only=True, slots=True)
class Audited:
    """What one tick found in its shard."""

    jobs: int
    instants: int
    unaccounted: int


def audit_shard(shard: int, auditing: Auditing, *, now: datetime, seed: str) -> Audited:
    """Recompute what should have been recorded, and report every instant that was not.

    ``seed`` decides which minutes of the coming day are drawn, and where there are too many jobs,
    which of them.
    """
    lot = random.Random(f"{seed}#{shard}")  # noqa: S311 - a sample, not a secret
    candidates = list(islice(_candidates(shard, auditing, now, lot), MAX_JOBS))
    candidates += _planned_lately(shard, candidates, auditing, now, lot)
    in_force = auditing.restrictions.in_force({timing.tenant for timing in candidates})
    judged = (_audit_one(each, in_force[each.tenant], auditing, now) for each in candidates)
    audited = [one for one in judged if one is not None]
    found = Audited(
        jobs=len(audited),
        instants=sum(one.instants for one in audited),
        unaccounted=sum(one.unaccounted for one in audited),
    )
    telemetry = auditing.telemetry
    telemetry.count("InstantsAudited", found.instants)
    telemetry.count("InstantsUnaccounted", found.unaccounted)
    telemetry.event(
        "shard_audited",
        shard=shard,
        jobs=found.jobs,
        instants=found.instants,
        unaccounted=found.unaccounted,
    )
    audit_quotas({timing.tenant for timing in candidates}, auditing.usage, telemetry, lot)
    return found


def _expected(timing: Timing, in_force: InForce, now: datetime) -> Expected | None:
    """Calendars do not matter: what they leave out is on record as well."""
    restrictions = Restrictions(freezes=in_force.freezes)
    return expected_instants(timing, now=now, restrictions=restrictions)


def _candidates(
    shard: int, auditing: Auditing, now: datetime, lot: random.Random
) -> Iterator[Timing]:
    first, last = AROUND
    minutes = list(minutes_between(now + first, now + last))
    later = (now + last).timestamp()
    drawn = (lot.uniform(later, later + DRAWN_FROM.total_seconds()) for _ in range(DRAWS))
    minutes += [minute_of(datetime.fromtimestamp(each, now.tzinfo)) for each in drawn]
    for minute in dict.fromkeys(minutes):
        for timing in auditing.jobs.due(minute, shard):
            # What cannot be read is the planner's to report.
            if isinstance(timing, Timing) and timing.status is JobStatus.ACTIVE:
                yield timing


def _planned_lately(
    shard: int,
    known: Sequence[Timing],
    auditing: Auditing,
    now: datetime,
    lot: random.Random,
) -> list[Timing]:
    """Other jobs that have runs which are still to begin, or have just begun."""
    first, last = PLANNED
    waiting = islice(
        (
            each
            for minute in minutes_between(now + first, now + last)
            for each in auditing.runs.overdue(minute, shard, until=now + last)
        ),
        MAX_RUNS,
    )
    # What cannot be read is the sweeper's to report.
    refs = [each for each in waiting if isinstance(each, AttemptRef)]
    found = dict.fromkeys((ref.tenant, ref.id.run.job_id) for ref in refs)
    others = [each for each in found if each not in {(t.tenant, t.job_id) for t in known}]
    drawn = lot.sample(others, min(len(others), MAX_JOBS))
    timings = (_timing_of(*each, auditing) for each in drawn)
    return [timing for timing in timings if timing is not None]


def _timing_of(tenant: TenantId, job_id: JobId, auditing: Auditing) -> Timing | None:
    """Of an active job; one that cannot be read is told of."""
    try:
        timing = auditing.jobs.get(tenant, job_id).timing
    except JobDamaged as error:
        damaged = DamagedJob(tenant=tenant, job_id=job_id, reason=error.reason)
        tell_of_damage([damaged], auditing.telemetry)
        return None
    except JobNotFound:
        return None
    return timing if timing.status is JobStatus.ACTIVE else None


def _audit_one(
    timing: Timing, in_force: InForce, auditing: Auditing, now: datetime
) -> Audited | None:
    """``None`` for a job that cannot be judged: nothing is expected of it, or it is damaged."""
    try:
        expected = _expected(timing, in_force, now)
        return _audit(timing, expected, auditing, now) if expected is not None else None
    except DAMAGE as damage:
        auditing.telemetry.count("RecordsUnreadable")
        auditing.telemetry.event(
            "job_unaudited",
            tenant_id=timing.tenant,
            job_id=timing.job_id,
            detail=repr(damage),
        )
        return None


def _audit(timing: Timing, expected: Expected, auditing: Auditing, now: datetime) -> Audited:
    missing = _unaccounted(timing, expected, auditing)
    if missing and _is_outdated(timing, auditing):
        missing = ()
    if missing:
        auditing.telemetry.event(
            "instants_unaccounted",
            tenant_id=timing.tenant,
            job_id=timing.job_id,
            version=timing.version,
            count=len(missing),
            instants=list(missing[:NAMED]),
            at=now,
        )
    return Audited(jobs=1, instants=len(expected.instants), unaccounted=len(missing))


def _unaccounted(timing: Timing, expected: Expected, auditing: Auditing) -> tuple[datetime, ...]:
    gaps = _gaps(timing, expected, auditing)
    span = {"start": expected.first, "end": expected.last}
    # An edited job has runs of other instants, too: none of them may hide an expected one.
    runs = list(runs_on_record(timing, auditing.runs, **span, page_size=RUNS_PER_PAGE))
    tell_of_damaged_records((*runs, *gaps), auditing.telemetry)
    # What cannot be read is on record all the same: it was decided, and is to be repaired.
    return expected.without([run.id.run.scheduled_at for run in runs], gaps)


def _gaps(timing: Timing, expected: Expected, auditing: Auditing) -> list[GapRecord]:
    """All that may hold an expected instant."""
    since, jobs = expected.first, auditing.jobs
    gaps = gaps_on_record(timing, jobs, since=since, page_size=GAPS_PER_PAGE)
    return list(takewhile(lambda gap: gap.first <= expected.last, gaps))


def _is_outdated(timing: Timing, auditing: Auditing) -> bool:
    """The index showed a job that has been changed or moved since: the next tick sees it right."""
    try:
        stored = auditing.jobs.get(timing.tenant, timing.job_id).timing
    except JobNotFound:
        return True
    return (stored.version, stored.next_run_at) != (timing.version, timing.next_run_at)
