"""Global tables between two local clouds: their streams are read and written over, all the time."""

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.support.deployed.stack import Stack
from tests.support.regions.cloud_engine import StreamedEngine
from tests.support.regions.replication import Replication

#: Between two looks at the streams.
_PAUSE_SECONDS = 0.1
#: Fields that a description of a table has, and a replica is made with.
_KEPT = ("TableName", "KeySchema", "AttributeDefinitions")


def make_replica(dynamodb: Any, described: Any) -> None:  # noqa: ANN401 - of boto3
    """Make a table in another cloud as global tables do: with the same name, keys and indexes."""
    indexes = [
        {name: each[name] for name in ("IndexName", "KeySchema", "Projection")}
        for each in described["GlobalSecondaryIndexes"]
    ]
    dynamodb.create_table(
        **{name: described[name] for name in _KEPT},
        GlobalSecondaryIndexes=indexes,
        BillingMode="PAY_PER_REQUEST",
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
    )
    dynamodb.update_time_to_live(
        TableName=described["TableName"],
        TimeToLiveSpecification={"Enabled": True, "AttributeName": "expires_at"},
    )


@dataclass(frozen=True, kw_only=True)
class Underway:
    """Writes of a region that the other one has not got."""

    writes: int
    #: The age of the oldest one.
    behind: timedelta


class Replicator:
    """A replication that a thread carries on until it is stopped."""

    def __init__(self, regions: dict[str, Stack], tables: Sequence[str], lag: timedelta) -> None:
        engines = {
            name: StreamedEngine(stack.aws("dynamodb"), stack.aws("dynamodbstreams"), tables)
            for name, stack in regions.items()
        }
        self._replication = Replication(engines, lambda: datetime.now(UTC))  # type: ignore[arg-type]
        self._replication.lag = lag
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._carry_on, daemon=True)
        self._failed: Exception | None = None
        #: Seconds of the longest step: so much later than its lag an item may arrive.
        self.slowest = 0.0

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End; raises what a step failed with."""
        self._over.set()
        self._thread.join()
        if self._failed is not None:
            raise self._failed

    def cut(self, *, is_cut: bool) -> None:
        """Hold everything back, or let it go on, between two steps."""
        with self._lock:
            self._replication.is_cut = is_cut

    def underway(self, region: str) -> Underway:
        """Count what a region wrote and the other one has not got."""
        with self._lock:
            return Underway(
                writes=self._replication.underway(region),
                behind=self._replication.behind(region),
            )

    def _carry_on(self) -> None:
        while not self._over.wait(_PAUSE_SECONDS):
            began = time.monotonic()
            try:
                with self._lock:
                    self._replication.step()
            except Exception as error:  # noqa: BLE001 - raised where it is stopped
                self._failed = error
                return
            self.slowest = max(self.slowest, time.monotonic() - began)


@contextmanager
def replicating(
    regions: dict[str, Stack], tables: Sequence[str], *, lag: timedelta
) -> Iterator[Replicator]:
    """Replicate tables between two clouds, in both directions."""
    replicator = Replicator(regions, tables, lag)
    replicator.start()
    try:
        yield replicator
    finally:
        replicator.stop()
