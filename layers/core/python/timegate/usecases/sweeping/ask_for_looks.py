"""A tick's request for the looks of the minute after it."""

from collections.abc import Sequence
from datetime import datetime

from timegate.domain.dispatch.looks import looks_of_next_minute
from timegate.ports.dispatch.looks import LookQueue
from timegate.ports.telemetry import service_metrics
from timegate.ports.telemetry.telemetry import Telemetry


def ask_for_looks(
    shards: Sequence[int],
    of: int | None,
    queue: LookQueue,
    telemetry: Telemetry,
    *,
    now: datetime,
) -> None:
    """Send the looks, delayed to their instants. A tick does its work whether that succeeds or not.

    No shards, no looks: the tick of another group asks for those of its shards.

    Two ticks of one minute ask for the same looks, and looking twice changes nothing more.
    """
    if not shards:
        return
    looks = looks_of_next_minute(shards, of, now=now)
    sent = queue.send_all(looks, now=now)
    telemetry.count(service_metrics.LOOKS_NOT_SENT, len(looks) - sent)
