"""Working on operations: one step of each, decided by one conditional write."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from timegate.domain.operations.operation import (
    Backfill,
    BulkChange,
    Operation,
    PendingRuns,
    Settlement,
    WaitsFor,
    given_up,
    stepped,
)
from timegate.domain.tenants.audit_trail import Stamp
from timegate.domain.values.corrupt_record import DAMAGE
from timegate.domain.values.errors import Malformed, OperationNotFound, Throttled
from timegate.ports.operations.operation_store import OperationRef
from timegate.ports.telemetry import service_events, service_metrics
from timegate.usecases.operations.backfill_runs import begin_runs, look_at_backfill
from timegate.usecases.operations.bulk.change_in_bulk import change_in_bulk
from timegate.usecases.operations.bulk.settle_in_bulk import settle_in_bulk
from timegate.usecases.services.operations_services import Operating


def work_operations(refs: Sequence[OperationRef], operating: Operating) -> list[bool]:
    """One step of each operation; ``False`` where the store refused for load.

    The write of a step makes the stream bring the operation again, for the next one. A step
    that is done twice, or after another, changes nothing.
    """
    steps = {ref: _step(ref, operating) for ref in dict.fromkeys(refs)}
    return [steps[ref] for ref in refs]


def _step(ref: OperationRef, operating: Operating) -> bool:
    try:
        operation = operating.operations.get(ref.tenant, ref.id)
    except OperationNotFound:
        # Long ended, and forgotten.
        return True
    except Malformed as malformed:
        # Trying again cannot help; the sweeper goes on telling people of it.
        operating.telemetry.event(
            service_events.OPERATION_UNREADABLE,
            tenant_id=ref.tenant,
            operation_id=ref.id,
            detail=str(malformed),
        )
        return True
    except Throttled:
        return False
    if not operation.is_running:
        return True
    try:
        _work(operation, operating)
    except Throttled:
        operating.telemetry.event(
            service_events.OPERATION_THROTTLED,
            tenant_id=ref.tenant,
            operation_id=ref.id,
            step=operation.step,
        )
        return False
    return True


def _work(before: Operation, operating: Operating) -> None:
    now = operating.clock.now()
    if _is_held(before, operating, now):
        after = replace(before, waits_for=WaitsFor.TENANT)
    else:
        after = _stepped_on(before, operating, now)
    if after == before:
        return
    # Later than ``now``: the changes of a step take their time.
    after = stepped(before, after, now=operating.clock.now())
    won = operating.operations.advance(before, after)
    _report(before, after, operating, won=won)
    new = [each for each in after.opened if each not in before.opened]
    if won and new and not _is_called_off(after, operating):
        begin_runs(after, new, operating, now=now)


def _stepped_on(before: Operation, operating: Operating, now: datetime) -> Operation:
    """Make its next step, in the name of the caller who started it."""
    stamp = Stamp(
        subject=before.created_by,
        operation=f"bulk.{before.kind}",
        request_id=before.operation_id,
        at=now,
    )
    try:
        with operating.trail.on_behalf_of(stamp):
            return _next_step(_awake(before), operating, now)
    except DAMAGE as damage:
        # A repetition would meet the same damage again, and keep its neighbours waiting.
        detail = f"A record that it needs cannot be read: {damage!r}"
        return given_up(before, code="record_damaged", detail=detail)


def _is_called_off(operation: Operation, operating: Operating) -> bool:
    """Tell if a caller asked it to stop since the step read it: the next step drops its choices."""
    stored = operating.operations.get(operation.tenant, operation.operation_id)
    return stored.cancel_requested


def _is_held(operation: Operation, operating: Operating, now: datetime) -> bool:
    """Tell if its tenant is suspended; the sweeper looks every few minutes if it still is."""
    in_force = operating.scheduling.restrictions.in_force({operation.tenant})
    return any(each.suspends(now) for each in in_force[operation.tenant].freezes)


def _awake(operation: Operation) -> Operation:
    """Return it as it goes on after a suspension."""
    waits = operation.waits_for
    return replace(operation, waits_for=None if waits is WaitsFor.TENANT else waits)


def _next_step(before: Operation, operating: Operating, now: datetime) -> Operation:
    match before.task:
        case BulkChange():
            return change_in_bulk(before, before.task, operating)
        case Backfill():
            return look_at_backfill(before, before.task, operating, now=now)
        case Settlement():
            return settle_in_bulk(before, before.task, operating)
        case PendingRuns():
            # Imported here: it is rarely asked for.
            from timegate.usecases.operations.bulk.pending_in_bulk import pending_in_bulk  # noqa: PLC0415

            return pending_in_bulk(before, before.task, operating)


def _report(before: Operation, after: Operation, operating: Operating, *, won: bool) -> None:
    telemetry, tally = operating.telemetry, after.tally
    if won:
        telemetry.count(service_metrics.OPERATION_ITEMS_DONE, tally.done - before.tally.done)
        telemetry.count(service_metrics.OPERATION_ITEMS_FAILED, tally.failed - before.tally.failed)
    telemetry.event(
        service_events.OPERATION_STEPPED,
        tenant_id=after.tenant,
        operation_id=after.operation_id,
        kind=after.kind,
        step=after.step,
        status=after.status,
        matched=tally.matched,
        done=tally.done,
        unchanged=tally.unchanged,
        failed=tally.failed,
        in_progress=len(after.opened) + len(after.chosen),
        failure=after.failure.code if after.failure is not None else None,
        stored=won,
    )
