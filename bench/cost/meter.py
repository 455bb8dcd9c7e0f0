"""The meter around a world in memory: what each function's work is billed.

Units, messages and invocations are counted. Seconds of a function are computed, for there is no
Lambda here: from the calls that it makes and the time that targets take. ``CALL_SECONDS`` and its
neighbours are the whole model.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from tests.support.execution.metered import MeteredEngine
from tests.support.stores.records import Records
from tests.support.world import World
from timegate.adapters.archive.ended_records import DynamoEndedRecords
from timegate.adapters.archive.memory_files import MemoryArchiveFiles
from timegate.adapters.dynamo.tables.engine import Scan
from timegate.adapters.dynamo.tables.indexes import RUNS_INDEXES
from timegate.adapters.dynamo.tables.values import size_of
from timegate.adapters.memory.telemetry import LoggedEvent, MemoryTelemetry
from timegate.adapters.parquet.writer import ParquetFiles
from timegate.domain.metering.usage import BilledUsage
from timegate.runtime.plain_logs import log_json
from timegate.usecases.archive.archive_round import archive_round
from timegate.usecases.archive.archive_services import Archiving

#: A call of one item or a query: single-digit milliseconds by AWS's word, with the SDK's own time.
CALL_SECONDS = 0.006
#: A transaction: two rounds.
TRANSACTION_SECONDS = 0.012
#: Parsing, deciding, logging, for an invocation; each run or record adds to it.
INVOCATION_SECONDS = 0.003
ITEM_SECONDS = 0.002
#: A web hook, as the examples assume it. Ten of a batch are called side by side.
TARGET_SECONDS = 0.2
#: Bytes of a log line beside its fields: level, name, time, request and X-Ray's trace.
LOG_ENVELOPE = 184
#: Bytes of a document of metrics; of each metric in it beside its name, twice; and of each value.
_METRICS_ENVELOPE = 176
_METRIC_BYTES = 40
_VALUE_BYTES = 6
#: Messages of a request to a queue, and of an executor's batch.
MESSAGES = 10
#: DynamoDB adds so much to each item, and to each place in an index.
_ITEM_OVERHEAD = 100
#: Lambda's own lines of an invocation: its start, its end and its report, as text.
_PLATFORM_LOG = 380
#: Megabytes of each function (``infra/``; a test compares them).
MEMORY_MB = {
    "api": 1024,
    "workers": 512,
    "planner": 1024,
    "sweeper": 512,
    "auditor": 512,
    "relay": 512,
    "outcomes": 512,
    "executor": 1024,
    "dag_runs": 512,
    "archiver": 2048,
}


class Meter:
    """A world on tables that count, and its usage so far."""

    def __init__(self) -> None:
        self._telemetry = telemetry = MemoryTelemetry()
        self.world = World(tables=Records(MeteredEngine()), telemetry=telemetry)
        self.usage = BilledUsage()
        self._archiving = Archiving(
            records=DynamoEndedRecords(
                self.engine, jobs_table="jobs", runs_table="runs", size_of=lambda _: 0
            ),
            files=MemoryArchiveFiles(),
            format=ParquetFiles(),
            telemetry=telemetry,
        )

    @property
    def engine(self) -> MeteredEngine:
        """The engine that counts."""
        engine = self.world.tables.engine
        assert isinstance(engine, MeteredEngine)
        return engine

    def begin(self) -> None:
        """Forget what was used so far."""
        self.engine.reset()
        self._forget()
        self.usage = BilledUsage()

    @contextmanager
    def invoked(
        self, function: str, *, items: int, seconds: float = 0, invocations: int = 1
    ) -> Iterator[None]:
        """Bill the block's work to a function; ``seconds`` are those that it waits."""
        self.engine.reset()
        self._forget()
        yield
        calls = self.engine.calls
        transactions = calls["TransactWriteItems"]
        lasting = (
            INVOCATION_SECONDS * invocations
            + ITEM_SECONDS * items
            + CALL_SECONDS * (calls.total() - transactions)
            + TRANSACTION_SECONDS * transactions
            + seconds
        )
        self.usage += BilledUsage(
            write_units=self.engine.units.total(),
            read_units=self.engine.read_units,
            invocations=invocations,
            gb_seconds=lasting * MEMORY_MB[function] / 1024,
            log_bytes=_PLATFORM_LOG * invocations + logged_bytes(self._telemetry),
        )

    def _forget(self) -> None:
        """Forget what was told."""
        for told in (self._telemetry.events, self._telemetry.counts, self._telemetry.measures):
            told.clear()

    def archive(self) -> None:
        """Let the archiver have a tick; its requests to S3 are not metered."""
        archive_round(self._archiving, lambda: True, now=self.world.clock.now())

    def sent(self, messages: int) -> None:
        """Bill messages to a queue, ten to a request."""
        self.usage += BilledUsage(sqs_requests=-(-messages // MESSAGES))

    def received(self) -> None:
        """Bill a batch of messages: a request to receive it, and one to delete it."""
        self.usage += BilledUsage(sqs_requests=2)

    def stored(self) -> float:
        """Return the bytes of all runs, with their places in indexes."""
        total = 0
        for item in self.engine.scan(Scan(table="runs")).items:
            places = sum(item.get(index.partition) is not None for index in RUNS_INDEXES.values())
            total += size_of(item) + _ITEM_OVERHEAD * (1 + places)
        return total


def logged_bytes(telemetry: MemoryTelemetry) -> int:
    """Return the bytes of an invocation's lines, and of its document of metrics."""
    return sum(map(_line, telemetry.events)) + _document(telemetry)


def _line(event: LoggedEvent) -> int:
    known = {name: value for name, value in event.fields.items() if value is not None}
    return LOG_ENVELOPE + len(event.name) + len(log_json(known))


def _document(telemetry: MemoryTelemetry) -> int:
    values = {name: count for name, count in telemetry.counts.items() if count}
    values |= {name: len(each) for name, each in telemetry.measures.items()}
    if not values:
        return 0
    names = sum(_METRIC_BYTES + 2 * len(name) for name in values)
    return _METRICS_ENVELOPE + names + _VALUE_BYTES * sum(values.values())
