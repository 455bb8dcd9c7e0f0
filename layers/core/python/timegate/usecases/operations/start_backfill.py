"""Backfilling a job: what it would do, and starting it."""

from dataclasses import replace
from datetime import datetime
from itertools import islice

from timegate.domain.jobs.job import Timing
from timegate.domain.ledger.damaged_records import DamagedRun, RunRecord
from timegate.domain.ledger.ledger import refuse_withdrawn_zone
from timegate.domain.operations.backfill import InstantFate, check_backfill, fate_of, instants_of
from timegate.domain.operations.operation import Backfill, OperationKind, Reprocess
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import RunStore
from timegate.usecases.ledger.runs_on_record import runs_on_record
from timegate.usecases.operations.start_operation import (
    OperationRequest,
    Started,
    start_operation,
    started_before,
)
from timegate.usecases.services.api_services import ApiServices
from timegate.value_classes import dataclass

#: Runs of a range read at once.
PAGE = 1_000
#: Instants that a preview names.
NAMED = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class BackfillPreview:
    """Effects of a backfill, as things are now."""

    instants: int
    new: int
    reopened: int
    unchanged: int
    #: The first that it would do something about.
    first: tuple[tuple[datetime, InstantFate], ...]


def preview_backfill(
    tenant: TenantId, asked: Backfill, services: ApiServices, *, now: datetime
) -> BackfillPreview:
    """Count what would become of each instant, and write nothing; raises as ``start_backfill``."""
    timing = services.jobs.get(tenant, asked.job_id).timing
    refuse_withdrawn_zone(timing)
    check_backfill(timing, asked, now=now, oldest_record=now - services.run_retention)
    runs = read_runs(timing, asked.start, asked.end, services.runs)
    fates = [
        (instant, _fate(runs.get(instant), asked.reprocess))
        for instant in instants_of(timing, asked.start, asked.end)
    ]
    named = (each for each in fates if each[1] is not InstantFate.UNCHANGED)
    of = [fate for _, fate in fates]
    return BackfillPreview(
        instants=len(fates),
        new=of.count(InstantFate.NEW),
        reopened=of.count(InstantFate.REOPENED),
        unchanged=of.count(InstantFate.UNCHANGED),
        first=tuple(islice(named, NAMED)),
    )


def start_backfill(
    request: OperationRequest, asked: Backfill, services: ApiServices, *, now: datetime
) -> Started:
    """Start one; ``anchored_at`` is the present schedule's, whatever was given.

    Raises ``JobNotFound``, ``JobIsCancelled``, ``JobIsPaused``, ``TimezoneWithdrawn``,
    ``InvalidInput``, and as ``start_operation``.
    """
    stored = started_before(request, services)
    if stored is not None:
        return Started(operation=stored, replayed=True)
    timing = services.jobs.get(request.tenant, asked.job_id).timing
    refuse_withdrawn_zone(timing)
    matched = check_backfill(timing, asked, now=now, oldest_record=now - services.run_retention)
    task = replace(asked, anchored_at=timing.anchored_at)
    return start_operation(
        request, OperationKind.BACKFILL, task, services, now=now, matched=matched
    )


def _fate(run: RunRecord | None, reprocess: Reprocess) -> InstantFate:
    """Return the fate of a run; a record that cannot be read stays unchanged."""
    return InstantFate.UNCHANGED if isinstance(run, DamagedRun) else fate_of(run, reprocess)


def read_runs(
    timing: Timing, start: datetime, end: datetime, runs: RunStore
) -> dict[datetime, RunRecord]:
    """The last attempt at each scheduled run of a range, by instant."""
    found = runs_on_record(timing, runs, start=start, end=end, page_size=PAGE)
    return {run.id.run.scheduled_at: run for run in found}
