"""Explaining an instant of a job: why it ran then, or why it did not."""

from dataclasses import replace
from datetime import datetime
from functools import partial
from itertools import islice

from timegate.domain.auditing.adjacent_instants import Neighbours, neighbours
from timegate.domain.auditing.explain_instant import (
    Account,
    Evidence,
    Verdict,
    account_for,
    is_exhausted,
    was_backfilled,
)
from timegate.domain.jobs.job import Job, Timing
from timegate.domain.ledger.damaged_records import DamagedRun, GapRecord, RunRecord
from timegate.domain.ledger.gap_parts import part_of
from timegate.domain.ledger.ledger import Gap, refuse_withdrawn_zone, withdrawn_zone
from timegate.domain.previews.forthcoming import will_begin
from timegate.domain.restrictions.restrictions import Restrictions
from timegate.domain.runs.finishing import forecast, with_finish
from timegate.domain.runs.run import TERMINAL, Attempt
from timegate.domain.values.identity import AttemptId, JobId, Origin, RunId
from timegate.domain.values.instants import MILLISECOND
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import AttemptRef
from timegate.usecases.ledger.count_places import places_of
from timegate.usecases.ledger.explain_offer import explain_offer
from timegate.usecases.ledger.gaps_on_record import gaps_on_record
from timegate.usecases.ledger.tell_of_triggers import tell_of_triggers
from timegate.usecases.restrictions.look_up_restrictions import RestrictionLookup
from timegate.usecases.runs.store_payload import first_payload, load_kept_payload, shown_payload
from timegate.usecases.services.api_services import ApiServices
from timegate.usecases.services.damage_report import tell_of_damaged_records
from timegate.usecases.services.durations_at_hand import read_usual_ms
from timegate.value_classes import dataclass

#: So many schedules of a job may have left out the same instant.
MOST_VERSIONS = 5
#: An instant may still get a run.
_OPEN = frozenset({Verdict.PLANNED, Verdict.PAUSED, Verdict.FROZEN})


@dataclass(frozen=True, kw_only=True, slots=True)
class Explained:
    """The answer, and where the schedule's next and last instants lie."""

    instant: datetime
    account: Account
    nearest: Neighbours
    #: JSON text that its run sends or sent; ``None``: nothing is sent, or it was not asked for.
    payload: str | None = None


def explain_instant(
    tenant: TenantId,
    job_id: JobId,
    at: datetime,
    services: ApiServices,
    *,
    now: datetime,
    filled: bool = False,
) -> Explained:
    """Say what became of ``at``, whatever instant it is; raises ``JobNotFound``.

    ``filled``: with the payload of its run, by the job as it is now. Runs alone are explained of a
    job whose zone was withdrawn; raises ``TimezoneWithdrawn`` for its other instants.
    """
    job = services.jobs.get(tenant, job_id)
    nearest, evidence = _known(job.timing, at, services)
    evidence = replace(evidence, run=_foreseen(evidence.run, job, services, now))
    lookup = RestrictionLookup(services.restrictions, services.scheduling.calendars)
    restrictions = lookup.of([job.timing])[tenant]
    evidence = replace(evidence, places_free=_places_free(job.timing, restrictions, services, now))
    account = account_for(job, at, evidence, now=now, restrictions=restrictions)
    tell_of_damaged_records([account.record], services.telemetry)
    if isinstance(account.record, Attempt):
        waits = explain_offer(account.record, services.pools, job_of=lambda: job, now=now)
        account = replace(account, explanation=account.explanation + waits)
    triggered = tell_of_triggers(tenant, job_id, at, services)
    account = replace(account, explanation=account.explanation + triggered)
    payload = _payload(job, at, account, services) if filled else None
    return Explained(instant=at, account=account, nearest=nearest, payload=payload)


def _places_free(
    timing: Timing, restrictions: Restrictions, services: ApiServices, now: datetime
) -> int | None:
    """Count the runs that ``max_runs`` lets follow; ``None`` without it.

    A stored run that a calendar leaves out by now gives its place back when it is due.
    """

    def holds(run: RunRecord) -> bool:
        is_kept = isinstance(run, DamagedRun) or not timing.calendars
        return is_kept or will_begin(timing, run, restrictions, now=now)

    places = places_of(timing, services.runs, holding=holds)
    return places.free if places is not None else None


def _payload(job: Job, at: datetime, account: Account, services: ApiServices) -> str | None:
    """The JSON text that the run of an instant sends; ``None``: none is, or it is lost."""
    run = account.record
    if isinstance(run, Attempt):
        is_sent = run.leases > 0 or run.state not in TERMINAL
        return shown_payload(job, run, services.blobs) if is_sent else None
    if account.verdict not in _OPEN:
        return None
    planned = RunId(job_id=job.job_id, origin=Origin.SCHEDULE, scheduled_at=at)
    return first_payload(job, planned, load_kept_payload(job.payload, services.blobs))


def _foreseen(
    run: RunRecord | None, job: Job, services: ApiServices, now: datetime
) -> RunRecord | None:
    """The run with its deadline and, while it goes on, its forecast: one query."""
    if not isinstance(run, Attempt) or job.finish_by is None or run.state in TERMINAL:
        return run
    usual = read_usual_ms(job.tenant, job.job_id, services.runs, now=now)
    return forecast(with_finish(run, job), usual, now=now)


def _known(timing: Timing, at: datetime, services: ApiServices) -> tuple[Neighbours, Evidence]:
    """The instants around one, and what is on record of it."""
    if withdrawn_zone(timing.schedule) is None:
        nearest = neighbours(timing, at)
        return nearest, _evidence(timing, at, nearest, services)
    run = _run_of(timing, at, services)
    if run is None:
        refuse_withdrawn_zone(timing)
    evidence = Evidence(run=run, previous=_previous(run, services))
    return Neighbours(before=None, after=None), evidence


def _evidence(timing: Timing, at: datetime, nearest: Neighbours, services: ApiServices) -> Evidence:
    run, gap = _run_of(timing, at, services), _gap_from(timing, at, services)
    following = nearest.after
    if run is not None or following is None or not is_exhausted(timing):
        return Evidence(run=run, previous=_previous(run, services), gap=gap)
    next_gap = _gap_from(timing, following, services)
    covered = next_gap is not None and next_gap.first <= following
    later = _run_of(timing, following, services)
    is_followed = covered or (later is not None and not was_backfilled(later))
    return Evidence(run=run, gap=gap, is_followed=is_followed)


def _run_of(timing: Timing, at: datetime, services: ApiServices) -> RunRecord | None:
    found = services.runs.history(timing.tenant, timing.job_id, start=at, end=at, limit=1)
    return found[0] if found else None


def _previous(last: RunRecord | None, services: ApiServices) -> Attempt | None:
    """The attempt that a retry follows which has not begun: it says why, and until when."""
    if not isinstance(last, Attempt) or last.leases > 0 or last.tries == 1:
        return None
    before = AttemptId(run=last.id.run, number=last.id.number - 1)
    (found,) = services.runs.load_all([AttemptRef(tenant=last.tenant, id=before)])
    return found.attempt


def _gap_from(timing: Timing, at: datetime, services: ApiServices) -> GapRecord | None:
    """The first gap that reaches to an instant.

    A schedule leaves out instants before they are due; where one that replaced it meanwhile did
    so as well, that one counts.
    """
    gaps = gaps_on_record(timing, services.jobs, since=at, page_size=MOST_VERSIONS)
    found = list(islice(gaps, MOST_VERSIONS))
    spanning = [gap for gap in found if gap.first <= at]
    if spanning:
        gap = max(spanning, key=lambda gap: gap.job_version)
        return _without_runs(gap, timing, at, services) if isinstance(gap, Gap) else gap
    return found[0] if found else None


def _without_runs(gap: Gap, timing: Timing, at: datetime, services: ApiServices) -> Gap | None:
    """The part of a gap around an instant, as far as no run lies in it."""
    read = partial(services.runs.history, timing.tenant, timing.job_id, limit=1)
    before: tuple[RunRecord, ...] = ()
    after: tuple[RunRecord, ...] = ()
    if gap.first < at:
        before = read(start=gap.first, end=at - MILLISECOND, latest_first=True)
    if at < gap.last:
        after = read(start=at + MILLISECOND, end=gap.last)
    return part_of(
        gap,
        timing,
        first=before[0].id.run.scheduled_at + MILLISECOND if before else None,
        last=after[0].id.run.scheduled_at - MILLISECOND if after else None,
    )
