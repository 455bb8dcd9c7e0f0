"""AWS's published limits and latencies, each with its source: the only place that has them.

``python -m bench.scale`` plays the stage against these. Where AWS publishes a range or nothing, the
worse end is taken and said.
"""

from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Latency:
    """A latency by its quantiles: pairs of share and seconds, rising."""

    points: tuple[tuple[float, float], ...]
    source: str

    def at(self, share: float) -> float:
        """Return the latency, in seconds, that ``share`` of all stay below."""
        for (low, least), (high, most) in pairwise(self.points):
            if share <= high:
                return least + (most - least) * (share - low) / (high - low)
        return self.points[-1][1]


_MEASURED = "bitesizedserverless.com, messaging latency compared, 2022-09: p50, p90, p99"

#: From SQS to the handler of a warm function; beyond p99 nothing is published.
QUEUE_TO_FUNCTION = Latency(
    ((0.0, 0.008), (0.5, 0.016), (0.9, 0.034), (0.99, 0.105), (1.0, 0.300)), _MEASURED
)
#: From a write to DynamoDB to the handler of its stream: Lambda polls each shard four times a
#: second.
STREAM_TO_FUNCTION = Latency(
    ((0.0, 0.050), (0.5, 0.213), (0.9, 0.341), (0.99, 0.552), (1.0, 1.0)), _MEASURED
)

#: Write units a second of a partition, of a table or of an index (bp-partition-key-design).
PARTITION_UNITS = 1_000
#: Write units a second of a table by the default quota; AWS raises it on request.
TABLE_QUOTA_UNITS = 40_000

#: Concurrent invocations with which an SQS event source begins (services-sqs-scaling).
SOURCE_START = 5
#: Pollers that it gains in a minute.
SOURCE_GAIN_A_MINUTE = 300
#: The most of ``MaximumConcurrency``.
SOURCE_SETTING_MOST = 1_000
#: The same of provisioned pollers, which exclude ``MaximumConcurrency`` (Lambda, 2025-11-14).
PROVISIONED_GAIN_A_MINUTE = 1_000
PROVISIONED_MOST = 20_000
#: An SQS poller's price (price list, 2026-09-28).
POLLER_HOUR_USD = 0.00925
#: Messages of a standard queue that are received and not deleted.
QUEUE_IN_FLIGHT = 120_000
QUEUE_BATCH = 10

#: Environments that a function gains in ten seconds (Lambda scaling behaviour).
ENVIRONMENTS_GAIN = 1_000
ENVIRONMENTS_GAIN_SECONDS = 10.0
#: Virtual processors of a function, by its memory.
MB_A_PROCESSOR = 1_769


def processors(memory_mb: int) -> float:
    """Return the share of a processor that a function has."""
    return memory_mb / MB_A_PROCESSOR
