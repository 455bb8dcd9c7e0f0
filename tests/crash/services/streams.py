"""The functions fed from streams, each with its filter; ``tests/infra`` compares them."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from infra.constructs.functions.change_patterns import JOB_CHANGES, RUN_TRANSITIONS
from infra.stage.delivery import STREAMS
from tests.crash.services.service import KIND, Service

#: A record of the stream.
Record = Mapping[str, Any]
JOBS, RUNS = "jobs", "runs"
_CHANGED = ["INSERT", "MODIFY"]
FILTERS: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "relay": [
        {
            "eventName": _CHANGED,
            "dynamodb": {"NewImage": {"state": {"S": ["queued"]}, "direct": {"BOOL": [False]}}},
        },
    ],
    "outcomes": [
        {
            "eventName": _CHANGED,
            "dynamodb": {"NewImage": {"follow": {"S": [{"exists": True}]}}},
        },
    ],
    "operations": [
        {
            "eventName": _CHANGED,
            "dynamodb": {"NewImage": {"sk": {"S": ["operation"]}, "status": {"S": ["running"]}}},
        },
        {
            "eventName": _CHANGED,
            "dynamodb": {
                "NewImage": {"sk": {"S": ["rule-watch", "absence-watch"]}, "look": {"S": ["due"]}}
            },
        },
    ],
}
#: Besides, on a stage that tells of transitions.
TOLD: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "outcomes": RUN_TRANSITIONS,
    "cloud_events": JOB_CHANGES,
}
_TABLES = {"relay": RUNS, "outcomes": RUNS, "operations": JOBS, "cloud_events": JOBS}


@dataclass
class Batch:
    """Records that Lambda hands to a function together, and again as long as that fails."""

    records: list[Record]
    fetched_at: datetime
    #: Tries that failed; to split a batch is none.
    failures: int = 0

    def after(self, failed: Collection[str]) -> "Batch | None":
        """Return the batch to try after a failure report: all from the first failed record on."""
        names = [record["dynamodb"]["SequenceNumber"] for record in self.records]
        first = next((place for place, name in enumerate(names) if name in failed), None)
        if first is None:
            return None
        tries = self.failures + 1 if first == 0 else 0
        return Batch(self.records[first:], self.fetched_at, tries)


@dataclass
class Reader:
    """Reads a stream as Lambda does, by the rules of ``infra/stage/delivery.py``.

    An error splits a batch of several records; one of a single record is tried again, and given up
    after so many tries or at such an age. ``rejected`` describes the given-up batches.
    """

    function: str
    rejected: list[str]
    #: It is shown records that match one of these.
    filters: Sequence[Mapping[str, Any]]
    #: The next record that was not fetched.
    position: int = 0
    #: So long after the others it reads each record.
    delay: timedelta = timedelta(0)
    #: An invocation has a batch of it.
    is_busy: bool = False
    #: Fetched batches that are not done, oldest first.
    waiting: list[Batch] = field(default_factory=list)
    #: Records that it will fetch, each with the instant.
    ahead: list[tuple[datetime, Record]] = field(default_factory=list)
    #: Records that were given up.
    given_up: int = 0

    @property
    def table(self) -> str:
        """Table of its stream."""
        return _TABLES[self.function]

    def begin(self, position: int) -> None:
        """A new story: nothing is on its way."""
        self.is_busy, self.position, self.given_up = False, position, 0
        self.waiting.clear()
        self.ahead.clear()

    def wants(self, record: Record) -> bool:
        """Return whether its filter lets a record through."""
        return any(_matches(each, record) for each in self.filters)

    def next_batch(self, fetch: Callable[[int], Sequence[Record]], now: datetime) -> Batch | None:
        """The batch to try next; ``None``: there is none."""
        records = fetch(self.position)
        self.position += len(records)
        wanted = [_written(record, now) for record in records if self.wants(record)]
        self.ahead += [(now + self.delay, record) for record in wanted]
        if not self.waiting:
            wanted = [record for at, record in self.ahead if at <= now]
            del self.ahead[: len(wanted)]
            size = STREAMS.batch_size
            starts = range(0, len(wanted), size)
            self.waiting = [Batch(wanted[start : start + size], now) for start in starts]
        while self.waiting and self._is_over(self.waiting[0], now):
            self._give_up(self.waiting.pop(0))
        return self.waiting[0] if self.waiting else None

    def wakes_at(self) -> datetime | None:
        """Instant of its next fetch; ``None``: not before another event."""
        return self.ahead[0][0] if self.ahead and not self.is_busy else None

    def answered(self, answer: Mapping[str, Any] | None) -> None:
        """A batch has come back; ``None``: its invocation failed."""
        self.is_busy = False
        batch = self.waiting.pop(0)
        if answer is not None:
            failed = {each["itemIdentifier"] for each in answer["batchItemFailures"]}
            left = batch.after(failed)
            self.waiting[:0] = [left] if left is not None else []
        elif len(batch.records) > 1:
            middle = len(batch.records) // 2
            halves = batch.records[:middle], batch.records[middle:]
            self.waiting[:0] = [Batch(half, batch.fetched_at, batch.failures) for half in halves]
        else:
            self.waiting.insert(0, replace(batch, failures=batch.failures + 1))

    def _is_over(self, batch: Batch, now: datetime) -> bool:
        age = (now - batch.fetched_at).total_seconds()
        return batch.failures > STREAMS.retries or age > STREAMS.max_record_age_seconds

    def _give_up(self, batch: Batch) -> None:
        """Describe the batch like Lambda, by its place in the stream and without a record."""
        self.given_up += len(batch.records)
        described = {
            "requestContext": {
                "functionArn": self.function,
                "condition": "RetryAttemptsExhausted",
                "approximateInvokeCount": batch.failures,
            },
            "DDBStreamBatchInfo": {"batchSize": len(batch.records)},
        }
        self.rejected.append(json.dumps(described))


def readers(
    rejected: list[str], service: Service = KIND, *, tells: bool = False
) -> tuple[Reader, ...]:
    """All of them, at the beginning; what comes again comes to a poller that took a stream over.

    ``tells``: the stage tells of transitions.
    """
    told = TOLD if tells else {}
    filters = {
        function: [*FILTERS.get(function, ()), *told.get(function, ())]
        for function in dict.fromkeys([*FILTERS, *told])
    }
    return tuple(
        Reader(function, rejected, patterns, delay=delay)
        for function, patterns in filters.items()
        for delay in service.delays
    )


def is_given_up(rejected: str) -> bool:
    """Lambda wrote it, about a batch that it gave up; what a function parks says something else."""
    return "DDBStreamBatchInfo" in json.loads(rejected)


def _written(record: Record, now: datetime) -> Record:
    """Return a record with the story's instant: the emulator writes that of the machine."""
    change = {**record["dynamodb"], "ApproximateCreationDateTime": now.timestamp()}
    return {**record, "dynamodb": change}


def _matches(pattern: Mapping[str, Any], shown: Mapping[str, Any]) -> bool:
    return all(
        _matches(wanted, shown.get(name, {}))
        if isinstance(wanted, dict)
        else shown.get(name) in wanted or ({"exists": True} in wanted and name in shown)
        for name, wanted in pattern.items()
    )
