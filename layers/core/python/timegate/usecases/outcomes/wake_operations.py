"""Waking operations when a run ended that one waits for."""

from collections.abc import Sequence

from timegate.domain.runs.run import Attempt
from timegate.ports.operations.operation_store import OperationStore
from timegate.ports.telemetry import service_events
from timegate.ports.telemetry.telemetry import Telemetry


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
