"""Waking operations, when a run ended that one waits for or when one stands still; and rules."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from timegate.domain.operations.operation import WAKE_AFTER
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import Malformed
from timegate.ports.dispatch.looks import RuleLooks
from timegate.ports.operations.operation_store import OperationStore
from timegate.ports.telemetry import service_events, service_metrics
from timegate.ports.telemetry.telemetry import Telemetry

#: A tenant with notification rules is looked at so often.
LOOK_EVERY = timedelta(seconds=60)


def wake_followers(
    ended: Sequence[Attempt], operations: OperationStore, telemetry: Telemetry
) -> None:
    """Wake each operation that waits for one of these ends; it looks for itself what ended.

    So a record that comes twice, late or out of order does no harm. Raises ``Throttled``.
    """
    waiting = {
        (attempt.tenant, attempt.operation)
        for attempt in ended
        if attempt.is_followed and attempt.operation is not None
    }
    for tenant, operation_id in sorted(waiting):
        woken = operations.wake(tenant, operation_id)
        telemetry.event(
            service_events.OPERATION_WOKEN,
            tenant_id=tenant,
            operation_id=operation_id,
            running=woken,
        )


def wake_overdue(operations: OperationStore, telemetry: Telemetry, *, now: datetime) -> None:
    """Wake every operation that no worker looked at in time.

    Its event was lost, or its workers died too often; or it waits, and is looked at now
    and then. Only those that should have gone on by themselves, and did not, count as stalled.
    """
    stalled = 0
    for ref in operations.overdue(until=now):
        try:
            operation = operations.touch(ref, now=now, watch_at=now + WAKE_AFTER)
        except Malformed as malformed:
            stalled += 1
            telemetry.event(
                service_events.OPERATION_UNREADABLE,
                tenant_id=ref.tenant,
                operation_id=ref.id,
                detail=str(malformed),
            )
            continue
        if operation is None:
            continue
        stands_still = operation.stands_still(now)
        stalled += stands_still
        telemetry.event(
            service_events.OPERATION_OVERDUE,
            tenant_id=ref.tenant,
            operation_id=ref.id,
            step=operation.step,
            stands_still=stands_still,
        )
    telemetry.count(service_metrics.OPERATIONS_STALLED, stalled)


def wake_rules(looks: RuleLooks, telemetry: Telemetry, *, now: datetime) -> None:
    """Show every watch that is due in the stream; the operations function makes its look.

    A look that died, or whose event was lost, is made a minute later. Raises ``Throttled``.
    """
    woken = sum(
        looks.touch_rules(shown, now=now, due_at=now + LOOK_EVERY)
        for shown in looks.overdue_rules(until=now)
    )
    telemetry.count(service_metrics.RULE_LOOKS_DUE, woken)
