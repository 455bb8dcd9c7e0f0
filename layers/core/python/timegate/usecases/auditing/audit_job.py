"""One check of the auditor: the instants of a job from its cursor on."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import takewhile

from timegate.domain.auditing.audit import (
    ENDED,
    PLANNED_AHEAD,
    SETTLED_AFTER,
    AuditFindings,
    Era,
    LedgerRecords,
    counted_in,
    eras,
    judge,
    short_of_runs,
)
from timegate.domain.auditing.audit_cursor import CHECK_EVERY, AuditCursor, horizon, next_check
from timegate.domain.auditing.audit_finding import Finding, FindingCode
from timegate.domain.auditing.explain_instant import Verdict
from timegate.domain.jobs.job import Job
from timegate.domain.ledger.damaged_records import RunRecord
from timegate.domain.recurrence.fires import next_instant
from timegate.domain.restrictions.restrictions import Restrictions, RestrictionsInForce
from timegate.domain.runs.run import TERMINAL, Attempt
from timegate.domain.values.corrupt_record import DAMAGE
from timegate.domain.values.errors import JobDamaged, JobNotFound
from timegate.domain.values.instants import MILLISECOND
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import DamagedJob
from timegate.usecases.ledger.gaps_on_record import gaps_on_record
from timegate.usecases.ledger.runs_on_record import runs_on_record
from timegate.usecases.services.auditor_services import Auditing, missing_job
from timegate.value_classes import dataclass

#: Gaps of a job read at once.
GAPS_PER_PAGE = 100
#: Runs of a job read at once.
RUNS_PER_PAGE = 500


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckResult:
    """Findings of one check, and the cursor of the next one."""

    cursor: AuditCursor
    instants: int = 0
    findings: tuple[Finding, ...] = ()
    #: The job was erased with its tenant: the cursor is to be forgotten.
    is_erased: bool = False
    #: Records that cannot be read.
    records: tuple[object, ...] = ()
    damaged: DamagedJob | None = None
    #: Why the job could not be judged.
    unjudged: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class _Window:
    """The instants that one check looks at, and what is on record of them."""

    judged: tuple[Era, ...]
    after: datetime
    #: The last instant to which the check comes, unless one is still open.
    until: datetime
    is_whole: bool
    records: LedgerRecords

    def instants(self, open_at: datetime | None) -> int:
        """Count the instants that are judged, up to one that is still open."""
        named = [at for era in self.judged for at in era.instants]
        return len(named) if open_at is None else bisect_left(named, open_at)


def audit_job(
    cursor: AuditCursor,
    in_force: Mapping[TenantId, RestrictionsInForce],
    auditing: Auditing,
    *,
    now: datetime,
) -> CheckResult:
    """Check what the job named since its last check; never raises over a damaged record."""
    try:
        job = auditing.jobs.get(cursor.tenant, cursor.job_id)
    except JobNotFound:
        missing = missing_job(cursor.tenant, cursor.job_id, auditing)
        findings = (missing,) if missing is not None else ()
        return CheckResult(cursor=cursor, findings=findings, is_erased=missing is None)
    except JobDamaged as error:
        damaged = DamagedJob(tenant=cursor.tenant, job_id=cursor.job_id, reason=error.reason)
        return CheckResult(cursor=replace(cursor, check_at=now + CHECK_EVERY), damaged=damaged)
    try:
        return _check(cursor, job, in_force[cursor.tenant], auditing, now)
    except DAMAGE as damage:
        return CheckResult(
            cursor=replace(cursor, check_at=now + CHECK_EVERY), unjudged=repr(damage)
        )


def _check(
    cursor: AuditCursor, job: Job, in_force: RestrictionsInForce, auditing: Auditing, now: datetime
) -> CheckResult:
    window = _window(cursor, job, auditing, now)
    # Calendars do not matter: instants that they leave out are on record as gaps.
    restrictions = Restrictions(freezes=in_force.freezes)
    judged = judge(window.judged, window.records, now=now, restrictions=restrictions)
    lost = [*judged.unrecorded, *_lost_at_the_end(cursor, job, judged, window, now)]
    moved = _moved(cursor, job, window, judged, lost=len(lost), now=now)
    findings = _findings(cursor, job, judged, lost, window.records, now)
    if findings and _is_outdated(job, auditing):
        # An edit or a planner came in between: the next tick reads it right.
        return CheckResult(cursor=replace(cursor, check_at=now))
    return CheckResult(
        cursor=moved,
        instants=window.instants(judged.open_at),
        findings=tuple(findings),
        records=(*window.records.runs.values(), *window.records.gaps),
    )


def _window(cursor: AuditCursor, job: Job, auditing: Auditing, now: datetime) -> _Window:
    since = horizon(now, auditing.retention)
    after = max(cursor.checked_until, since)
    until = now if job.timing.status in ENDED else now - SETTLED_AFTER
    replaced: Sequence[Job] = ()
    version = max(cursor.version, 1)
    if version < job.timing.version:
        replaced = auditing.cursors.replaced(job.tenant, job.job_id, since=version)
        replaced = [each for each in replaced if each.timing.version < job.timing.version]
    judged, is_whole = eras(job, replaced, after=after, until=until)
    if not is_whole:
        until = judged[-1].instants[-1]
    return _Window(
        judged=judged,
        after=after,
        until=until,
        is_whole=is_whole,
        records=_records(job, judged, auditing, after=after, until=until),
    )


def _records(
    job: Job, judged: Sequence[Era], auditing: Auditing, *, after: datetime, until: datetime
) -> LedgerRecords:
    """Runs as far ahead as any is planned: ``max_runs`` counts them, and they tell what ended."""
    is_counted = job.timing.schedule.max_runs is not None
    if not judged and not is_counted:
        return LedgerRecords(runs={}, gaps=())
    start = after + MILLISECOND if is_counted else judged[0].instants[0]
    end = until + PLANNED_AHEAD if is_counted else judged[-1].instants[-1]
    timing = job.timing
    gaps = gaps_on_record(timing, auditing.jobs, since=start, page_size=GAPS_PER_PAGE)
    found = list(takewhile(lambda gap: gap.first <= end, gaps))
    # Runs that a replaced schedule had planned are among them: none may hide an expected one.
    runs: Iterable[RunRecord] = runs_on_record(
        timing, auditing.runs, start=start, end=end, page_size=RUNS_PER_PAGE
    )
    return LedgerRecords(runs={run.id.run.scheduled_at: run for run in runs}, gaps=found)


def _moved(
    cursor: AuditCursor,
    job: Job,
    window: _Window,
    judged: AuditFindings,
    *,
    lost: int,
    now: datetime,
) -> AuditCursor:
    """The cursor behind all that is settled."""
    until = window.until if judged.open_at is None else judged.open_at - MILLISECOND
    until = max(until, cursor.checked_until)
    counted = cursor.counted
    if window.after > cursor.checked_until:
        # Some expired unseen.
        counted = None
    if counted is not None:
        counted += counted_in(window.records.planned, window.after, until)
        counted += lost
    return replace(
        cursor,
        version=job.timing.version,
        checked_until=until,
        check_at=_check_at(job, until, window, judged, now),
        counted=counted,
    )


def _check_at(
    job: Job, until: datetime, window: _Window, judged: AuditFindings, now: datetime
) -> datetime | None:
    waits_for_place = judged.open_as is Verdict.PLANNED and job.timing.full
    if not window.is_whole or (judged.open_as is Verdict.PLANNED and not waits_for_place):
        return now
    if judged.open_as is Verdict.FROZEN or waits_for_place:
        return now + CHECK_EVERY
    if judged.open_as is None and job.timing.status in ENDED:
        return None
    following = None
    if judged.open_as is None:
        timing = job.timing
        following = next_instant(timing, until)
    return next_check(following, now=now, settled_after=SETTLED_AFTER)


def _lost_at_the_end(
    cursor: AuditCursor, job: Job, judged: AuditFindings, window: _Window, now: datetime
) -> list[datetime]:
    """Instants whose loss the number of runs shows."""
    counted = cursor.counted
    if judged.ended_at is None or counted is None or window.after > cursor.checked_until:
        return []
    counted += len(window.records.planned) + len(judged.unrecorded)
    return short_of_runs(job, judged.ended_at, counted, now=now)


def _findings(
    cursor: AuditCursor,
    job: Job,
    judged: AuditFindings,
    lost: Sequence[datetime],
    records: LedgerRecords,
    now: datetime,
) -> list[Finding]:
    is_overdue = judged.is_overdue(job.timing, now)
    overdue = [judged.open_at] if is_overdue and judged.open_at is not None else []
    unwatched = [
        at
        for at, run in records.runs.items()
        if isinstance(run, Attempt) and run.state not in TERMINAL and run.watch_at is None
    ]
    found = {
        FindingCode.INSTANT_UNRECORDED: lost,
        FindingCode.INSTANT_OVERDUE: overdue,
        FindingCode.RUN_NOT_WATCHED: unwatched,
    }
    return [_finding(cursor, code, instants) for code, instants in found.items() if instants]


def _finding(cursor: AuditCursor, code: FindingCode, instants: Sequence[datetime] = ()) -> Finding:
    return Finding(code=code, tenant=cursor.tenant, job_id=cursor.job_id, instants=tuple(instants))


def _is_outdated(job: Job, auditing: Auditing) -> bool:
    """The job has been changed or moved since it was read."""
    try:
        stored = auditing.jobs.get(job.tenant, job.job_id)
    except (JobNotFound, JobDamaged):
        return True
    return stored.timing != job.timing
