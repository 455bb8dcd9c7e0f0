"""Looks at jobs that are to succeed within a span: one query for each, when its span is over."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from timegate.domain.jobs.rules.absence_watch import AbsenceWatch, awaited_within
from timegate.domain.rules.absence_notices import absence_notices
from timegate.domain.rules.judging import succeeded_after
from timegate.domain.values.corrupt_record import DAMAGE
from timegate.domain.values.errors import JobNotFound, Throttled
from timegate.domain.values.identity import AbsenceRef
from timegate.domain.values.instant_range import InstantRange
from timegate.ports.telemetry import run_metrics, service_events, service_metrics
from timegate.usecases.rules.looking import Looking, latest_runs

#: Runs of earlier instants have ended before the span, or take longer than a run may.
LONGEST_RUN = timedelta(days=1)


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
    after = _with_successes(watch, looking, now)
    is_new = after.over_at <= now and not after.told
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


def _with_successes(watch: AbsenceWatch, looking: Looking, now: datetime) -> AbsenceWatch:
    """Return the watch as of the last success that is on record, or of one within its span."""
    found = _success(watch, looking, now)
    while found is not None:
        watch = watch.succeeded(found)
        found = _success(watch, looking, now) if watch.over_at <= now else None
    return watch


def _success(watch: AbsenceWatch, looking: Looking, now: datetime) -> datetime | None:
    """Return the end of the latest run that succeeded since; ``None``: none did."""
    within = InstantRange(start=watch.since - LONGEST_RUN, end=now)
    tenant, job_id = watch.ref.tenant, watch.ref.job_id
    for run in latest_runs(looking.runs, tenant, job_id, within=within):
        if succeeded_after(run, watch.since):
            return run.ended_at
    return None
