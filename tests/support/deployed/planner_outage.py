"""Shards that no planner can look after, as if none were running."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

from tests.support.deployed.stack import Stack, wait_until
from timegate.adapters.dynamo.dispatch.cursor_store import DynamoCursorStore
from timegate.adapters.dynamo.tables.boto_engine import BotoEngine
from timegate.ports.dispatch.cursors import Cursor, Watcher

OWNER = "darkness"


class Darkness:
    """Holds the leases of shards, and gives them back as they were.

    Switching schedules off is not enough: an invocation that was sent for before may begin much
    later, when its worker took long to start.
    """

    def __init__(self, stack: Stack, shards: Iterable[int]) -> None:
        table = stack.outputs["JobsTableName"]
        self._cursors = DynamoCursorStore(BotoEngine(stack.aws("dynamodb")), table=table)
        self._shards = list(shards)
        self._held: Sequence[Cursor] = ()

    def fall(self, lasts: timedelta) -> None:
        """Take every shard as soon as its planner is done; they come back after ``lasts``."""
        self._held = [
            wait_until(
                lambda shard=shard: self._take(shard, lasts),  # type: ignore[misc]
                seconds=60,
                what=lambda: "a planner does not let go of its shard",
            )
            for shard in self._shards
        ]

    def lift(self) -> None:
        """Let planners have them again."""
        for cursor in self._held:
            self._cursors.release(cursor, cursor.progress)
        self._held = ()

    def _take(self, shard: int, lasts: timedelta) -> Cursor | None:
        now = datetime.now(UTC)
        return self._cursors.acquire(
            Watcher.PLANNER, shard, owner=OWNER, now=now, until=now + lasts
        )
