"""The relay: reads the stream of runs and publishes them through the production time gate."""

from collections.abc import Mapping
from random import Random

import simpy

from bench.scale import costs, facts
from bench.scale.model.capacity import Throughput
from bench.scale.model.parcels import Parcel, instant
from bench.scale.model.queue import RunQueue
from infra.stage.delivery import STREAMS
from infra.stage.settings import StageSettings
from timegate.domain.jobs.demands import Precision
from timegate.domain.runs.gate import queue_delay_seconds

MEMORY_MB = 512


class Relay:
    """Readers of the stream's shards, up to the concurrency that the stage gives the relay."""

    def __init__(
        self,
        env: simpy.Environment,
        settings: StageSettings,
        *,
        stream_shards: int,
        queues: Mapping[str, RunQueue],
        random: Random,
    ) -> None:
        self._env = env
        self._queues = queues
        self._random = random
        self._lead_seconds = settings.hold_lead_seconds
        readers = stream_shards * settings.stream_parallelism
        allowed = settings.capacity.functions.get("relay", readers)
        self.throughput = Throughput(
            name="relay: readers", per_second=min(readers, allowed) / _record_seconds()
        )

    def publish(self, parcel: Parcel, *, direct: bool) -> None:
        """Publish runs: at once if their creator does, or when the stream has shown them."""
        now = self._env.now
        if direct:
            published = now + costs.CALL
        else:
            wait = self.throughput.take(parcel.count, now)
            self.throughput.wait(wait, now=now, weight=parcel.count)
            latency = facts.STREAM_TO_FUNCTION.at(self._random.random())
            published = now + wait + latency + costs.CALL
        delay = queue_delay_seconds(
            instant(parcel.due), instant(published), Precision.SECOND, self._lead_seconds
        )
        self._queues[parcel.lane].send(parcel, visible_at=published + delay)


def _record_seconds() -> float:
    """Return the seconds that a reader spends on a record, in full batches."""
    calls = STREAMS.batch_size / facts.QUEUE_BATCH * costs.CALL
    working = costs.RELAY_CPU * STREAMS.batch_size / facts.processors(MEMORY_MB)
    return (calls + working) / STREAMS.batch_size
