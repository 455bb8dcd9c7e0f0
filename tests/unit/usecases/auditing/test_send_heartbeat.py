"""Heartbeats of the auditor: after complete and good ticks alone."""

from collections.abc import Sequence

import pytest

from tests.support.auditing.heartbeats import MemoryHeartbeat
from timegate.adapters.memory.telemetry import MemoryTelemetry
from timegate.usecases.auditing.audit_shard import Audited
from timegate.usecases.auditing.send_heartbeat import send_heartbeat

GOOD = Audited(jobs=3, instants=9)
GROUP = (4, 5)


@pytest.mark.parametrize(
    ("audited", "group", "beats"),
    [
        pytest.param([GOOD, Audited()], GROUP, [4], id="good"),
        pytest.param([GOOD, Audited(unaccounted=1)], GROUP, [], id="a-missed-instant"),
        pytest.param([GOOD, Audited(lost=1)], GROUP, [], id="a-lost-record"),
        pytest.param([GOOD, None], GROUP, [], id="a-shard-of-another-auditor"),
        pytest.param([GOOD], GROUP, [], id="no-time-for-a-shard"),
        pytest.param([], (), [], id="no-open-shard"),
    ],
)
def test_a_heartbeat_follows_a_complete_and_good_tick(
    audited: Sequence[Audited | None], group: Sequence[int], beats: list[int]
) -> None:
    """Silence says that an instant, a record or a part of the tick is missing."""
    heartbeat, telemetry = MemoryHeartbeat(), MemoryTelemetry()
    send_heartbeat(audited, group, heartbeat, telemetry)

    assert heartbeat.beats == beats
    assert telemetry.counts.get("HeartbeatsFailed", 0) == 0


def test_a_failed_heartbeat_is_counted_and_logged() -> None:
    """The audit goes on."""
    telemetry = MemoryTelemetry()
    send_heartbeat([GOOD], (4,), MemoryHeartbeat("The address answered 503."), telemetry)
    (event,) = telemetry.named("heartbeat_failed")

    assert telemetry.counts["HeartbeatsFailed"] == 1
    assert event.fields == {"shard": 4, "detail": "The address answered 503."}
