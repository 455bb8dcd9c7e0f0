"""Lambda's event sources of queues: who is given the messages of which queue."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from infra.stage.capacity import LEAST_SOURCE_CONCURRENCY
from tests.crash.services.queueing.queue import EVENTS, LOOKS, UNSENT, Message, Queue
from tests.crash.services.queueing.queues import Queues
from tests.crash.services.ticks import MINUTE
from timegate.domain.dispatch.looks import looks_of_next_minute
from timegate.domain.values.instants import compact


@dataclass
class Source:
    """Poller of one queue."""

    queue: Queue
    function: str
    #: Batches at work at once, at most; ``None``: as many as come.
    most: int | None = None
    at_work: int = 0

    @property
    def is_full(self) -> bool:
        """It receives nothing now."""
        return self.most is not None and self.at_work >= self.most

    @property
    def feeds_executor(self) -> bool:
        """Its messages are runs to be executed."""
        return self.function.startswith("executor")

    def next_batch(self, now: datetime) -> list[Message]:
        """The messages of its next batch, which are hidden from now on."""
        return [] if self.is_full else self.queue.receive(now)

    def answered(
        self, batch: Sequence[tuple[str, str]], queues: Queues, answer: Mapping[str, Any] | None
    ) -> None:
        """Delete what was answered, of ids and receipts; ``None``: all of it shows itself again."""
        self.at_work -= 1
        if answer is None:
            return
        failed = {each["itemIdentifier"] for each in answer["batchItemFailures"]}
        for message_id, receipt in batch:
            deleted = None if message_id in failed else self.queue.delete(receipt)
            if deleted is not None and self.queue.holds_runs:
                queues.watch_deleted(deleted.body)

    def wakes_at(self) -> datetime | None:
        """Instant of the next batch; ``None``: not before another event."""
        return None if self.is_full else self.queue.next_at()


def sources(queues: Queues) -> tuple[Source, ...]:
    """All of them."""
    return tuple(_source(queue) for queue in queues.queues.values() if queue.name != UNSENT)


def _source(queue: Queue) -> Source:
    if queue.name == LOOKS:
        return Source(queue, "sweeper", most=LEAST_SOURCE_CONCURRENCY)
    if queue.name == EVENTS:
        return Source(queue, "cloud_events")
    if queue.dead_letters is None:
        return Source(queue, "dead_letter")
    return Source(queue, f"executor {queue.name.rpartition('-')[2]}")


def put_looks_of_this_minute(queues: Queues, now: datetime) -> None:
    """Put those looks that are ahead into their queue; the tick before has asked for them."""
    for look in looks_of_next_minute([0], 1, now=now - MINUTE):
        if look.at > now:
            queues.queues[LOOKS].put(
                compact(look.at), json.dumps(look.fields()), now=now, visible_at=look.at
            )
