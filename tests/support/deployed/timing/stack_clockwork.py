"""The clock of a deployed stack: its next instant, its ticks, and its coming to rest."""

import json
import time
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any

from infra.local.clock import CloudClock
from tests.support.deployed.stack import Stack
from tests.support.simulation.scenario_timeline import next_minute
from timegate.adapters.dynamo.dispatch.cursor_store import DynamoCursorStore
from timegate.adapters.dynamo.runs.items.attempt_reading import attempt_from_fields
from timegate.adapters.dynamo.tables.boto_engine import BotoEngine
from timegate.adapters.dynamo.tables.keys import Key, job_of
from timegate.adapters.dynamo.tables.put_off import IndexPlace, put_off
from timegate.adapters.dynamo.tables.values import from_item
from timegate.domain.dispatch.buckets import BucketProgress
from timegate.domain.runs.run import TERMINAL, Attempt, RunState
from timegate.domain.values.identity import JobId
from timegate.domain.values.instants import from_compact, minute_start
from timegate.ports.dispatch.cursors import Watcher

SHARDS = (0, 1, 2, 3)
#: Runs are planned so far ahead.
LOOK_AHEAD = timedelta(minutes=10)
#: A stack that has not come to rest by then is stuck. Nothing depends on how fast it is.
STUCK_AFTER_SECONDS = 240.0
#: Ticks of a longer time are left out, where they would find nothing.
SKIPPED_FROM = timedelta(minutes=5)
NEVER = datetime(1970, 1, 1, tzinfo=UTC)
_INDEXES = {
    Watcher.PLANNER: ("JobsTableName", "due_bucket"),
    Watcher.SWEEPER: ("RunsTableName", "watch_bucket"),
}


@dataclass
class Clockwork:
    """A stack whose clock stands: nothing ticks but what is told to."""

    stack: Stack
    clock: CloudClock
    #: The queues whose executors are down.
    held: set[str] = field(default_factory=set)
    #: Jobs whose scenarios are over.
    forgotten: set[JobId] = field(default_factory=set)
    #: The shards whose planner came to the last tick.
    _planned: set[int] = field(default_factory=set)
    _came: dict[tuple[Watcher, int], datetime] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._dynamodb = self.stack.aws("dynamodb")
        self._sqs = self.stack.aws("sqs")
        self._lambda = self.stack.aws("lambda")
        self._queues = json.loads(self.stack.outputs["QueueUrls"])
        self._cursors = DynamoCursorStore(
            BotoEngine(self._dynamodb), table=self.stack.outputs["JobsTableName"]
        )
        scheduler = self.stack.aws("scheduler")
        for one in scheduler.list_schedules()["Schedules"]:
            scheduler.delete_schedule(Name=one["Name"], GroupName=one["GroupName"])

    # --- ticks

    def tick(self, planned: Collection[int]) -> None:
        """Let the planner look at some shards, and the sweeper at all."""
        self._carry_parked(self._planned & set(planned))
        self._planned = set(planned)
        self._skip_to_now(Watcher.PLANNER, planned)
        self._invoke("PlannerFunctionName", planned)
        self._skip_to_now(Watcher.SWEEPER, SHARDS)
        self._invoke("SweeperFunctionName", SHARDS)

    def audit(self) -> Mapping[str, int]:
        """Let the auditor look at every shard; what it found."""
        return self._invoke("AuditorFunctionName", SHARDS)

    def _invoke(self, function: str, shards: Collection[int]) -> Mapping[str, int]:
        done: Mapping[str, int] = self.stack.invoke(function, {"shards": sorted(shards)})
        assert done["shards"] == len(shards), f"{function} left out shards: {done}"
        return done

    def _skip_to_now(self, watcher: Watcher, shards: Collection[int]) -> None:
        """Move cursors over minutes that hold nothing: their ticks would have done the same."""
        now = self.clock.now()
        since = now - SKIPPED_FROM
        late = [shard for shard in shards if self._came.get((watcher, shard), NEVER) < since]
        first = self._first_minutes(watcher) if late else {}
        for shard in late:
            reached = min(now, first.get(shard, now))
            cursor = self._cursors.acquire(
                watcher, shard, owner="clockwork", now=now, until=now, start=reached
            )
            assert cursor is not None
            self._cursors.release(cursor, BucketProgress(watermark=reached, sealed=reached))
        self._came |= dict.fromkeys(product([watcher], shards), now)

    def _carry_parked(self, shards: Collection[int]) -> None:
        """Carry along the jobs that only wait, as the ticks that are left out would have done.

        A planner that was down has carried none: ``shards`` are those whose last tick came.
        """
        now, table = self.clock.now(), self.stack.outputs["JobsTableName"]
        for item in self._indexed("JobsTableName", "due_bucket"):
            minute, shard = str(item["due_bucket"]).split("#")
            if int(shard) in shards and now - minute_start(minute) > SKIPPED_FROM:
                place = IndexPlace(index="due", minute=minute, shard=int(shard))
                key = Key(pk=str(item["pk"]), sk=str(item["sk"]))
                put_off(BotoEngine(self._dynamodb), table, key, place, until=now)

    def _first_minutes(self, watcher: Watcher) -> dict[int, datetime]:
        """The first minute of each shard in which something waits for its watcher."""
        name, bucket = _INDEXES[watcher]
        found: dict[int, datetime] = {}
        for item in self._indexed(name, bucket):
            minute, shard = str(item[bucket]).split("#")
            at = minute_start(minute)
            found[int(shard)] = min(at, found.get(int(shard), at))
        return found

    # --- what waits

    def next_instant(self) -> datetime | None:
        """Return the next instant of the stack's own work: a message is due, or a tick finds
        work.
        """
        now = self.clock.now()
        found = [
            next_minute(from_compact(str(item["due_at"])) - LOOK_AHEAD)
            for item in self._indexed("JobsTableName", "due_bucket")
        ]
        for attempt in self.open_attempts():
            found += [attempt.due_at] if attempt.state is RunState.QUEUED else []
            found += [next_minute(attempt.watch_at)] if attempt.watch_at else []
        return min((at for at in found if at > now), default=None)

    def open_attempts(self) -> list[Attempt]:
        """Return the watched attempts: all that have not ended, or are still followed."""
        items = self._indexed("RunsTableName", "watch_bucket")
        return [attempt_from_fields(item) for item in items]

    def _indexed(self, table: str, attribute: str) -> Iterator[dict[str, Any]]:
        pages = self._dynamodb.get_paginator("scan").paginate(
            TableName=self.stack.outputs[table], FilterExpression=f"attribute_exists({attribute})"
        )
        items = (from_item(item) for page in pages for item in page["Items"])
        return (item for item in items if job_of(str(item["pk"])) not in self.forgotten)

    # --- rest

    def settle(self) -> None:
        """Wait until nothing happens any more at this instant."""
        deadline = time.monotonic() + STUCK_AFTER_SECONDS
        while busy := self._busy():
            assert time.monotonic() < deadline, f"at {self.clock.now()}: {busy}"
            time.sleep(0.02)

    def _busy(self) -> list[str]:
        now = self.clock.now()
        busy = [_shown(each) for each in self.open_attempts() if self._is_busy(each, now)]
        return busy or [name for name, url in self._queues.items() if self._in_flight(url)]

    def _is_busy(self, attempt: Attempt, now: datetime) -> bool:
        if attempt.state is RunState.RUNNING:
            # Its target works on by itself, and the executor is gone.
            return attempt.lease is None or attempt.lease.handed_over_at is None
        if attempt.state is RunState.QUEUED:
            return attempt.due_at <= now and attempt.queue_key not in self.held
        return attempt.state in TERMINAL

    def _in_flight(self, url: str) -> bool:
        name = "ApproximateNumberOfMessagesNotVisible"
        answer = self._sqs.get_queue_attributes(QueueUrl=url, AttributeNames=[name])
        return bool(int(answer["Attributes"][name]))

    # --- executors

    def hold(self, queue: str, *, held: bool) -> None:
        """Stop the executors of a queue, or let them go on."""
        if held is (queue in self.held):
            return
        (self.held.add if held else self.held.remove)(queue)
        url = self._queues[queue]
        answer = self._sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])
        arn = answer["Attributes"]["QueueArn"]
        mappings = self._lambda.list_event_source_mappings(EventSourceArn=arn)
        for mapping in mappings["EventSourceMappings"]:
            self._lambda.update_event_source_mapping(UUID=mapping["UUID"], Enabled=not held)


def _shown(attempt: Attempt) -> str:
    due, watched = attempt.due_at, attempt.watch_at
    return f"{attempt.id} is {attempt.state}, due at {due}, watched at {watched}"
