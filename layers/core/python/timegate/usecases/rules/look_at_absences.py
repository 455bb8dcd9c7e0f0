"""Looks at jobs that are to succeed within a span: one query for each, when its span is over."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from timegate.domain.jobs.rules.absence_watch import AbsenceWatch, awaited_within
from timegate.domain.rules.absence import RunsSince, with_successes
from timegate.domain.rules.absence_notices import absence_notices
from timegate.domain.runs.run import Attempt
from timegate.domain.values.corrupt_record import DAMAGE
from timegate.domain.values.errors import JobNotFound, Throttled
from timegate.domain.values.identity import AbsenceRef
from timegate.domain.values.instant_range import InstantRange
from timegate.ports.telemetry import run_metrics, service_events, service_metrics
from timegate.usecases.rules.looking import Looking, runs_to_success


def look_at_absences(refs: Sequence[AbsenceRef], looking: Looking) -> list[bool]:
    """One look for each of these jobs; ``False``: the look is to be made again.

    A look and the runs that tell of what it found are one write: one that dies has told nothing.
    """
    looks = {ref: _look(ref, looking) for ref in dict.fromkeys(refs)}
    return [looks[ref] for ref in refs]


def _look(ref: AbsenceRef, looking: Looking) -> bool:
    try:
        return _look_once(ref, looking)
    except Throttled as throttled:
        event, detail = service_events.RULES_THROTTLED, str(throttled)
        looking.telemetry.event(event, tenant_id=ref.tenant, detail=detail)
        return False
    except DAMAGE as damage:
        # Trying again at once cannot help; the next look meets it again.
        looking.telemetry.count(service_metrics.RECORDS_UNREADABLE)
        event, detail = service_events.RULES_UNREADABLE, f"{ref.job_id}: {damage!r}"
        looking.telemetry.event(event, tenant_id=ref.tenant, detail=detail)
        return True


def _look_once(ref: AbsenceRef, looking: Looking) -> bool:
    watch, now = looking.absences.watch(ref), looking.clock.now()
    if watch is None:
        return True
    try:
        job = looking.jobs.get(ref.tenant, ref.job_id)
    except JobNotFound:
        job = None
    if job is None or awaited_within(job) is None:
        # Its last run has ended, and with it the job: a change of the job begins a new watch.
        return looking.absences.rest(watch)
    after = with_successes(watch, _runs_since(ref, looking, now), now=now)
    if _would_tell(after, now):
        # Its runs of before may be on record in another stage alone.
        awaited_from = looking.awaited_from(ref.tenant)
        begun = max(after.since, job.resumed_at or after.since)
        after = after.succeeded(now if awaited_from is None else max(begun, awaited_from))
    is_new = _would_tell(after, now)
    notices = absence_notices(job, after, now=now) if is_new else ()
    after = replace(after, told=after.told or is_new)
    if not looking.absences.looked(watch, after, notices, next_look=after.next_look(now)):
        return False
    if is_new:
        looking.telemetry.count(run_metrics.NOTIFICATIONS_MADE, len(notices))
        looking.telemetry.event(
            service_events.ABSENCE_TOLD,
            tenant_id=ref.tenant,
            job_id=ref.job_id,
            channels=len(notices),
        )
    return True


def _would_tell(watch: AbsenceWatch, now: datetime) -> bool:
    return watch.over_at <= now and not watch.told


def _runs_since(ref: AbsenceRef, looking: Looking, now: datetime) -> RunsSince:
    def runs_since(since: datetime) -> Iterator[Attempt]:
        within = InstantRange(start=since, end=now)
        return runs_to_success(looking, ref.tenant, ref.job_id, within=within)

    return runs_since
