"""Units of slots, as AWS bills them: as many however long the line is."""

from dataclasses import dataclass, replace

import pytest

from tests.support.execution.metered import MeteredEngine
from tests.support.execution.overlapping import KEY, claimed, due, finish, limited
from tests.support.factories import TENANT, after, attempt_id, job_id
from tests.support.stores.records import JOBS_TABLE, Records
from tests.support.world import World
from timegate.adapters.dynamo.limits.slot_store import DynamoSlotStore
from timegate.domain.limits.overlap import OverlapPolicy, SlotKey
from timegate.domain.limits.slots import SlotWaiter
from timegate.domain.runs.run import RunState
from timegate.usecases.execution.supervise_run import heartbeat
from timegate.usecases.services.execution_services import Claimed

#: An end reads no more of a line, and one more.
_CALLED = 60


@dataclass(frozen=True, kw_only=True, slots=True)
class Units:
    """Calls, written units and read units of a step at its key's records."""

    calls: int
    written: int
    read: int


class Metered:
    """A key whose slots are all taken, with a line."""

    def __init__(self, limit: int, waiting: int) -> None:
        self.world = World(tables=Records(MeteredEngine()))
        self.engine = MeteredEngine()
        self.overlap = limited(OverlapPolicy.QUEUE, limit)
        self.begin_process()
        self.count = 0
        self.holders = [self.holder(-9_000) for _ in range(limit)]
        for number in range(min(waiting, _CALLED)):
            self.wait(-8_000 + number)
        self._wait_far_back(waiting - _CALLED)
        self.units()

    def begin_process(self) -> None:
        """Forget what a process knows of the records."""
        self.world.slots = DynamoSlotStore(self.engine, table=JOBS_TABLE)

    def holder(self, at: float) -> Claimed:
        """A run that is due then, and gets a slot."""
        self.count += 1
        held = claimed(self.world, due(self.world, f"{self.count}", self.overlap, at=at))
        assert held is not None
        return held

    def wait(self, at: float) -> None:
        """A run that is due then, and gets none."""
        self.count += 1
        assert claimed(self.world, due(self.world, f"{self.count}", self.overlap, at=at)) is None

    def _wait_far_back(self, number: int) -> None:
        """Stand in the line where no holder calls."""
        line = tuple(
            SlotWaiter(due_at=after(-5_000 + n), attempt=attempt_id(job=job_id(f"far {n}")))
            for n in range(number)
        )
        key = SlotKey(tenant=TENANT, name=KEY)
        self.world.slots.change(
            key,
            lambda slots: (replace(slots, waiters=tuple(sorted({*slots.waiters, *line}))), None),
            now=self.world.clock.now(),
        )

    def beat(self) -> None:
        """The oldest holder heartbeats."""
        holder = self.holders[0]
        execution = self.world.execution(owner=holder.lease.owner)
        heartbeat(holder, execution, now=self.world.clock.now())

    def end(self) -> None:
        """The oldest holder ends."""
        finish(self.world, self.holders.pop(0))

    def claim_called(self) -> None:
        """The called waiter claims."""
        (called,) = [a for a in self.world.attempts() if a.state is RunState.QUEUED]
        held = claimed(self.world, called)
        assert held is not None
        self.holders.append(held)

    def units(self) -> Units:
        """Units since this was asked last."""
        engine = self.engine
        used = Units(
            calls=engine.calls.total(),
            written=engine.units.total(),
            read=round(engine.read_units),
        )
        engine.reset()
        return used


@pytest.mark.parametrize("waiting", [1, 10, 1_000], ids="{} wait".format)
@pytest.mark.parametrize(
    ("limit", "slots_read"),
    [pytest.param(1, 1, id="1-slot"), pytest.param(20, 2, id="20-slots")],
)
def test_each_step_of_a_run_costs_the_same_however_many_wait(
    limit: int, slots_read: int, waiting: int
) -> None:
    """One unit to join, to renew and to end, two to claim; of the line, its beginning is read."""
    key = Metered(limit, waiting)
    long_line = 2 if waiting > 10 else 1
    key.wait(0)
    joined = key.units()
    key.beat()
    renewed = key.units()
    key.end()
    ended = key.units()
    key.claim_called()
    took = key.units()

    assert joined == Units(calls=4, written=1, read=2 * slots_read + long_line)
    assert renewed == Units(calls=1, written=1, read=0)
    assert ended == Units(calls=4, written=1, read=1 + long_line + slots_read)
    assert took == Units(calls=4, written=2, read=slots_read + 1)


@pytest.mark.parametrize(("limit", "slots_read"), [(1, 1), (20, 2), (100, 7)])
def test_an_empty_line_costs_a_reading_of_the_slots(limit: int, slots_read: int) -> None:
    """A claim takes one write, and an end one; it reads no slots where no waiter waits."""
    key = Metered(limit, 0)
    key.end()
    ended = key.units()
    key.holders.append(key.holder(0))
    took = key.units()

    assert ended == Units(calls=3, written=1, read=2)
    assert took == Units(calls=3, written=1, read=slots_read + 1)


def test_a_process_that_took_no_slot_looks_for_it_once() -> None:
    """A pool worker's first heartbeat reaches such a process."""
    key = Metered(20, 0)
    key.begin_process()
    key.beat()
    first = key.units()
    key.beat()

    assert first == Units(calls=2, written=1, read=2)
    assert key.units() == Units(calls=1, written=1, read=0)


def test_a_line_that_is_served_for_long_is_read_from_where_it_begins() -> None:
    """Reads skip records of runs that left, a few at a time; the records stay until they expire."""
    key = Metered(1, _CALLED)
    spent = []
    for _ in range(_CALLED):
        key.end()
        key.claim_called()
        spent.append(key.units())

    assert max(each.read for each in spent) <= 10
    assert sum(each.written for each in spent) <= _CALLED * 3 + _CALLED // 16
