"""A judge of slots: it reads the items themselves, and knows nothing of how they are decided."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tests.support.world import World
from timegate.adapters.dynamo.tables.writes import Update, Write, WriteResult
from timegate.adapters.memory.engine import MemoryEngine
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.instants import from_compact

_IN_LINE = {RunState.WAITING, RunState.QUEUED}


@dataclass(frozen=True, kw_only=True, slots=True)
class _Key:
    """A key as it is stored: attempts that hold places until an instant, and those that wait."""

    held: Mapping[str, tuple[str, datetime]]
    waits: Sequence[tuple[datetime, str]]


class JudgedEngine:
    """An engine whose every write of a key with a limit is judged; writes come one by one."""

    def __init__(
        self, engine: MemoryEngine, world: World, *, limit: int, reached: Callable[[], None]
    ) -> None:
        self._engine = engine
        self._world = world
        self._limit = limit
        self._reached = reached

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """A method of the engine, with a moment before and one after it."""
        method = getattr(self._engine, name)

        def call(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - as the engine has them
            self._reached()
            answer = method(*args, **kwargs)
            self._reached()
            return answer

        return call

    def write(self, write: Write) -> WriteResult:
        """Write an item, and judge what came of it."""
        self._reached()
        assert isinstance(write, Update)
        before = self._key(write.key.pk)
        result = self._engine.write(write)
        self._judge(write, before, self._key(write.key.pk))
        self._reached()
        return result

    def write_each(self, writes: Sequence[Write]) -> list[WriteResult]:
        """Write items one by one: others come in between."""
        return [self.write(write) for write in writes]

    def _judge(self, write: Update, before: _Key, after: _Key) -> None:
        now = self._world.clock.now()
        alive = [attempt for attempt, until in after.held.values() if until > now]
        assert len(alive) <= self._limit, f"{alive} hold {self._limit} slots"
        holder = after.held.get(write.key.sk)
        was_alive = [attempt for attempt, until in before.held.values() if until > now]
        if holder is None or holder[0] in was_alive:
            return
        earlier = self._earlier_than(holder[0], before, was_alive)
        free = self._limit - len(was_alive)
        assert len(earlier) < free, f"{holder[0]} passed {earlier}, with {free} free"

    def _earlier_than(self, taker: str, before: _Key, alive: Sequence[str]) -> list[str]:
        """Name attempts in the line that were due earlier and told to wait."""
        stored = {str(attempt.id): attempt for attempt in self._world.attempts()}
        waited = {
            str(image.after.id)
            for image in self._world.tables.images
            if image.after.state is RunState.WAITING
        }
        mine = _position(stored[taker])
        return [
            attempt
            for due_at, attempt in before.waits
            if attempt in waited
            and attempt not in alive
            and stored[attempt].state in _IN_LINE
            and stored[attempt].due_at == due_at
            and _position(stored[attempt]) < mine
        ]

    def _key(self, pk: str) -> _Key:
        own = [item for item in self._engine.items("jobs") if item["pk"] == pk]
        return _Key(
            held={
                str(item["sk"]): (
                    str(item["attempt"]),
                    from_compact(str(item["lease_expires_at"])),
                )
                for item in own
                if "attempt" in item
            },
            waits=[
                (from_compact(due_at), attempt)
                for item in own
                if str(item["sk"]).startswith("wait#") and "left" not in item
                for _, due_at, attempt in [str(item["sk"]).split("#", 2)]
            ],
        )


def _position(attempt: Attempt) -> tuple[datetime, str]:
    return attempt.due_at, str(attempt.id)
