"""Waking operations that stand still, and looks at rules that are due."""

from datetime import datetime, timedelta

from timegate.domain.operations.operation import WAKE_AFTER
from timegate.domain.values.errors import Malformed
from timegate.ports.dispatch.looks import RuleLooks
from timegate.ports.operations.operation_store import OperationRef, OperationStore
from timegate.ports.telemetry import service_events, service_metrics
from timegate.ports.telemetry.telemetry import Telemetry
from timegate.usecases.dispatch.setbacks import Setbacks

#: A tenant with notification rules is looked at so often.
LOOK_EVERY = timedelta(seconds=60)


def wake_overdue(operations: OperationStore, telemetry: Telemetry, *, now: datetime) -> None:
    """Wake every operation that no worker looked at in time.

    Its event was lost, or its workers died too often; or it waits, and is looked at now
    and then. Only those that should have gone on by themselves, and did not, count as stalled.
    Raises ``Throttled`` once all others are awake.
    """
    stalled, setbacks = 0, Setbacks()
    for ref in operations.overdue(until=now):
        with setbacks.apart():
            stalled += _wake(ref, operations, telemetry, now=now)
    telemetry.count(service_metrics.OPERATIONS_STALLED, stalled)
    setbacks.raise_first()


def _wake(
    ref: OperationRef, operations: OperationStore, telemetry: Telemetry, *, now: datetime
) -> bool:
    """Wake one operation; tell if it is stalled."""
    try:
        operation = operations.touch(ref, now=now, watch_at=now + WAKE_AFTER)
    except Malformed as malformed:
        telemetry.event(
            service_events.OPERATION_UNREADABLE,
            tenant_id=ref.tenant,
            operation_id=ref.id,
            detail=str(malformed),
        )
        return True
    if operation is None:
        return False
    stands_still = operation.stands_still(now)
    telemetry.event(
        service_events.OPERATION_OVERDUE,
        tenant_id=ref.tenant,
        operation_id=ref.id,
        step=operation.step,
        stands_still=stands_still,
    )
    return stands_still


def wake_rules(looks: RuleLooks, telemetry: Telemetry, *, now: datetime) -> None:
    """Show every watch that is due in the stream; the operations function makes its look.

    A look that died, or whose event was lost, is made a minute later. Raises ``Throttled`` once all
    others are shown.
    """
    woken, setbacks = 0, Setbacks()
    for shown in looks.overdue_rules(until=now):
        with setbacks.apart():
            woken += looks.touch_rules(shown, now=now, due_at=now + LOOK_EVERY)
    telemetry.count(service_metrics.RULE_LOOKS_DUE, woken)
    setbacks.raise_first()
