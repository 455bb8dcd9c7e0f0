"""A target that works in slices, and remembers what it did."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta

from tests.support.factories import after
from tests.support.world import World
from timegate.adapters.memory.call_runner import MemoryCallRunner
from timegate.domain.execution.call import Answer, Call
from timegate.domain.jobs.slices import Continuation, LongRun

HOURS = LongRun(max_duration_seconds=6 * 3600)
ROWS = 7
ROWS_PER_SLICE = 2


@dataclass
class RowTarget:
    """Copies rows, so many a call, and orders to go on where it stopped until all are done."""

    delay_seconds: float = 0
    rows: int = ROWS
    #: Event in the middle of a call, after its first row.
    interrupt: Callable[[Call], None] = lambda _: None
    calls: list[Call] = field(default_factory=list)
    #: In the order in which they were copied.
    copied: list[int] = field(default_factory=list)

    def stop(self, call: Call) -> None:
        """Nothing goes on without its call."""

    def invoke(self, call: Call) -> Answer:
        """One slice."""
        self.calls.append(call)
        assert call.resume is not None
        first = json.loads(call.resume.checkpoint)["row"] if call.resume.checkpoint else 0
        until = min(first + ROWS_PER_SLICE, self.rows)
        for row in range(first, until):
            self.copied.append(row)
            if row == first:
                self.interrupt(call)
        if until == self.rows:
            return Answer(text="all copied")
        more = Continuation(
            checkpoint=json.dumps({"row": until}),
            delay_seconds=self.delay_seconds,
            percent=100 * until / self.rows,
            message=f"row {until}",
        )
        return Answer(text="more", continuation=more)


def slicing(target: RowTarget | None = None) -> tuple[World, RowTarget]:
    """A world whose only target works in slices, each of them three seconds long."""
    world, rows = World(), target or RowTarget()
    world.call_runner = MemoryCallRunner(rows, world.clock)
    world.call_runner.takes = timedelta(seconds=3)
    # A shard's very first sweep looks back an hour; later ones to the one before.
    world.sweep()
    return world, rows


def go_on(world: World, *, owner: str = "next", rounds: int = 1) -> None:
    """Publish the stream's runs and execute them, round after round."""
    for number in range(rounds):
        world.stream()
        world.execute(world.receive(), owner=f"{owner} {number}")


def recover(world: World, check: Callable[[], None] = lambda: None, *, rounds: int = 40) -> None:
    """Time passes; sweeper, relay and executors do what they always do, no operator intervenes."""
    for number in range(rounds):
        world.clock.advance(31)
        world.sweep()
        world.stream()
        check()
        world.execute(world.receive(), owner=f"recovered {number}")


START = after(0)
