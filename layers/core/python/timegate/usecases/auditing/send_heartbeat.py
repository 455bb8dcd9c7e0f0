"""The auditor's heartbeat: a service outside learns that a tick was complete and good."""

from collections.abc import Sequence

from timegate.ports.auditing import TickHeartbeat
from timegate.ports.telemetry import service_events, service_metrics
from timegate.ports.telemetry.telemetry import Telemetry
from timegate.usecases.auditing.audit_shard import Audited


def send_heartbeat(
    audited: Sequence[Audited | None],
    group: Sequence[int],
    heartbeat: TickHeartbeat,
    telemetry: Telemetry,
) -> None:
    """Call the operator's address if each shard of the group was audited and lacks nothing.

    A call that fails is counted and logged, and changes nothing of the audit.
    """
    if not group or len(audited) < len(group) or not all(map(_is_good, audited)):
        return
    failure = heartbeat.beat(group[0])
    if failure is None:
        return
    telemetry.count(service_metrics.HEARTBEATS_FAILED)
    telemetry.event(service_events.HEARTBEAT_FAILED, shard=group[0], detail=failure)


def _is_good(one: Audited | None) -> bool:
    return one is not None and not one.unaccounted and not one.lost
