"""The auditor's tick over one shard: does every instant that has passed have its record?"""

import random
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta

from timegate.domain.auditing.audit_cursor import AuditCursor, drawn
from timegate.domain.auditing.audit_finding import AuditVerdict, Finding
from timegate.domain.values.errors import JobDamaged, JobNotFound
from timegate.domain.values.instants import compact, milliseconds_between
from timegate.domain.values.tenant import TenantId
from timegate.ports.auditing import AuditWalk, TablePage
from timegate.ports.telemetry import service_events, service_metrics
from timegate.usecases.auditing.audit_job import CheckResult, audit_job
from timegate.usecases.auditing.audit_quotas import audit_quotas
from timegate.usecases.auditing.find_unaudited import find_unaudited
from timegate.usecases.services.auditor_services import Auditing, missing_job, report_findings
from timegate.usecases.services.damage_report import tell_of_damage, tell_of_damaged_records
from timegate.value_classes import dataclass

#: Most jobs of a shard that one tick checks.
MAX_JOBS = 1_000
#: Jobs that are checked before their cursors are stored: a crash repeats no more.
JOBS_PER_STEP = 100
#: No step begins later than this: a tick has a minute for each of its shards.
WORK_TIME = timedelta(seconds=40)
#: Cursors that one tick reads: about 3 MB, and 760 read units.
MAX_CURSORS = 20_000
#: Finished cursors whose jobs one tick looks for.
MAX_FINISHED = 100
#: Checks under way at once.
CHECKERS = 8
#: An auditor that crashes costs its shard one tick.
LEASE = timedelta(minutes=4)


@dataclass(frozen=True, kw_only=True, slots=True)
class Audited:
    """Counts of one tick in its shard."""

    jobs: int = 0
    instants: int = 0
    #: Instants that neither a record nor a rule accounts for.
    unaccounted: int = 0
    #: Jobs and runs that were lost, or that an index has lost.
    lost: int = 0


def audit_shard(
    shard: int, auditing: Auditing, *, of: int = 1, now: datetime, owner: str
) -> Audited | None:
    """Check the jobs that are due for it, and report every instant that has no record.

    ``of``: so many shards are open. Each checks the jobs whose cursors are its own, and passes over
    its segment of the table. ``None``: another auditor is at work on this shard.
    """
    walk = auditing.cursors.acquire(shard, of, owner=owner, now=now, until=now + LEASE)
    if walk is None:
        auditing.telemetry.event(service_events.AUDIT_SHARD_HELD, shard=shard)
        return None
    live = auditing.cursors.live(shard, of, position=walk.live, most=MAX_CURSORS)
    page = auditing.cursors.jobs(shard, of, position=walk.table)
    known = {(each.tenant, each.job_id): each for each in live.cursors}
    unaudited = find_unaudited(walk, page, known, auditing, now=now)
    due = {owner: each for owner, each in known.items() if _is_due(each, now)}
    due |= {(each.tenant, each.job_id): each for each in unaudited.cursors}
    checked = _check(drawn(due.values(), MAX_JOBS, now=now), auditing, now)
    finished = auditing.cursors.finished(shard, of, position=walk.finished, most=MAX_FINISHED)
    others = [*unaudited.findings, *_orphans(finished.cursors, auditing, now)]
    tell_of_damage(unaudited.damaged, auditing.telemetry)
    report_findings(others, auditing.telemetry)
    findings = [*others, *(finding for one in checked for finding in one.findings)]
    _report_delay(walk, due.values(), checked, auditing, now)
    _recount({tenant for tenant, _ in (known | due)}, shard, auditing, now)
    audited = _summed(shard, checked, findings, auditing)
    walk = replace(_walked(walk, page, now), verdict=_verdict(audited, now).following(walk.verdict))
    auditing.cursors.release(replace(walk, live=live.position, finished=finished.position))
    return audited


def _is_due(cursor: AuditCursor, now: datetime) -> bool:
    return cursor.check_at is not None and cursor.check_at <= now


def _check(chosen: Sequence[AuditCursor], auditing: Auditing, now: datetime) -> list[CheckResult]:
    """Step by step, as long as there is time; what is left stays due."""
    in_force = auditing.restrictions.in_force({cursor.tenant for cursor in chosen})
    deadline = auditing.clock.now() + WORK_TIME
    checked: list[CheckResult] = []

    def check(cursor: AuditCursor) -> CheckResult:
        return audit_job(cursor, in_force, auditing, now=now)

    with ThreadPoolExecutor(max_workers=CHECKERS) as pool:
        for start in range(0, len(chosen), JOBS_PER_STEP):
            if auditing.clock.now() >= deadline:
                break
            # Side by side: a check mostly waits for its reads.
            before = chosen[start : start + JOBS_PER_STEP]
            step = list(pool.map(check, before))
            # Reported before it is stored: an auditor that crashes in between reports it twice.
            for one in step:
                _report_unreadable(one, auditing)
                report_findings(one.findings, auditing.telemetry)
            moved = [
                one.cursor for one, read in zip(step, before, strict=True) if one.cursor != read
            ]
            auditing.cursors.save(moved, now=now)
            auditing.cursors.forget([one.cursor for one in step if one.is_erased], now=now)
            checked += step
    return checked


def _report_unreadable(one: CheckResult, auditing: Auditing) -> None:
    telemetry = auditing.telemetry
    tell_of_damaged_records(one.records, telemetry)
    if one.damaged is not None:
        tell_of_damage([one.damaged], telemetry)
    if one.unjudged is not None:
        telemetry.count(service_metrics.RECORDS_UNREADABLE)
        telemetry.event(
            service_events.JOB_UNAUDITED,
            tenant_id=one.cursor.tenant,
            job_id=one.cursor.job_id,
            detail=one.unjudged,
        )


def _orphans(finished: Sequence[AuditCursor], auditing: Auditing, now: datetime) -> list[Finding]:
    """Jobs that have ended and are gone: a job's record outlives all its others."""
    found, erased = [], []
    for cursor in finished:
        try:
            auditing.jobs.get(cursor.tenant, cursor.job_id)
        except JobDamaged:
            continue
        except JobNotFound:
            missing = missing_job(cursor.tenant, cursor.job_id, auditing)
            if missing is None:
                erased.append(cursor)
            else:
                found.append(missing)
    auditing.cursors.forget(erased, now=now)
    return found


def _walked(walk: AuditWalk, page: TablePage, now: datetime) -> AuditWalk:
    """The walk behind a page of the table."""
    begins_anew = page.position is None
    return replace(
        walk,
        table=page.position,
        round_began_at=now if begins_anew else walk.round_began_at,
    )


def _report_delay(
    walk: AuditWalk,
    due: Collection[AuditCursor],
    checked: Sequence[CheckResult],
    auditing: Auditing,
    now: datetime,
) -> None:
    """Measure the auditor's delay; the alarm holds the promised bound."""
    done = {(one.cursor.tenant, one.cursor.job_id) for one in checked}
    left = [each for each in due if (each.tenant, each.job_id) not in done]
    since = min((each.check_at for each in left if each.check_at is not None), default=now)
    telemetry = auditing.telemetry
    telemetry.count(service_metrics.AUDITS_PUT_OFF, len(left))
    if left:
        telemetry.measure(service_metrics.AUDIT_DELAY_MS, milliseconds_between(since, now))
    telemetry.measure(
        service_metrics.AUDIT_ROUND_MS, milliseconds_between(walk.round_began_at, now)
    )


def _summed(
    shard: int,
    checked: Sequence[CheckResult],
    findings: Sequence[Finding],
    auditing: Auditing,
) -> Audited:
    of_instants = [each.count for each in findings if each.code.is_of_instants]
    audited = Audited(
        jobs=sum(one.instants > 0 for one in checked),
        instants=sum(one.instants for one in checked),
        unaccounted=sum(of_instants),
        lost=sum(each.count for each in findings) - sum(of_instants),
    )
    telemetry = auditing.telemetry
    telemetry.count(service_metrics.INSTANTS_AUDITED, audited.instants)
    telemetry.event(
        service_events.SHARD_AUDITED,
        shard=shard,
        jobs=audited.jobs,
        instants=audited.instants,
        unaccounted=audited.unaccounted,
        lost=audited.lost,
    )
    return audited


def _verdict(audited: Audited, now: datetime) -> AuditVerdict:
    return AuditVerdict.of(
        at=now,
        instants=audited.instants,
        unaccounted=audited.unaccounted,
        lost=audited.lost,
    )


def _recount(tenants: set[TenantId], shard: int, auditing: Auditing, now: datetime) -> None:
    """Compare what some tenants have with what was counted against their quotas."""
    lot = random.Random(f"{compact(now)}#{shard}")  # noqa: S311 - a sample, not a secret
    audit_quotas(tenants, auditing.usage, auditing.telemetry, lot, auditing.clock)
