"""Ticks and looks that fail, or are throttled, by Lambda's and SQS's own rules."""

from datetime import timedelta

import pytest

from infra.stage.delivery import LOOK_RETENTION_SECONDS, TICK_MAX_AGE_SECONDS
from tests.crash.faults import Outage
from tests.crash.flows.main_flows import FLOWS
from tests.crash.services.cloud import Cloud
from tests.crash.services.queueing.queue import LOOKS, Queue
from tests.crash.services.queueing.queues import LOOK_VISIBILITY, Queues
from tests.crash.services.queueing.sources import sources
from tests.crash.services.ticks import Ticks
from tests.crash.story import live_through
from tests.support.factories import NOW, after
from timegate.adapters.memory.clock import MemoryClock

#: Flows that last for minutes, and whose ticks have something to do.
_LONG = ("plan and relay", "recurring", "execute long", "overlap slot", "freeze")
#: A tick and all looks of three minutes.
_OUTAGE_SECONDS = 170


@pytest.mark.parametrize("name", _LONG)
@pytest.mark.parametrize("function", ["planner", "sweeper"])
@pytest.mark.parametrize("calls", [0, 1, 2])
def test_what_ticks_and_looks_fail_at_for_minutes_comes_about(
    cloud: Cloud, function: str, name: str, calls: int
) -> None:
    """Each tick that dies is parked, and none is repeated; looks that die leave nothing."""
    (flow,) = (each for each in FLOWS if each.name == name)
    outage = Outage(function, calls, seconds=_OUTAGE_SECONDS)
    live_through(flow, cloud, f"{function}-{_LONG.index(name)}-{calls}", outage=outage, whole=True)
    parked = [(each.function, each.failed) for each in cloud.ticks.parked]

    assert parked == [(function, 1)] * len(parked)
    died = [process.function for process, _ in cloud.region.failures]
    assert died.count(function) >= len(parked) >= 1
    # A look that died is not delivered again: it expires first.
    assert not [each for each in cloud.queues.queues[LOOKS].messages if each.receives > 1]


@pytest.mark.parametrize(
    ("seconds", "begun"), [(TICK_MAX_AGE_SECONDS, True), (TICK_MAX_AGE_SECONDS + 0.001, False)]
)
def test_a_throttled_tick_is_begun_until_it_is_too_old(seconds: float, *, begun: bool) -> None:
    """Then Lambda sends it to the destination."""
    ticks = Ticks(NOW)
    ticks.send("sweeper", NOW)
    tick = ticks.take(NOW)
    assert tick is not None
    ticks.throttle(tick, NOW)
    again = ticks.take(after(seconds))

    assert (again is tick) is begun
    assert ticks.parked == ([] if begun else [tick])


def test_a_throttled_tick_is_tried_again_after_longer_and_longer_pauses() -> None:
    """From a second on; nothing of that counts as a failure."""
    ticks, at, pauses, failed = Ticks(NOW), NOW, [], []
    ticks.send("planner", at)
    for _ in range(6):
        tick = ticks.take(at)
        assert tick is not None
        ticks.throttle(tick, at)
        failed.append(tick.failed)
        pauses.append((tick.next_at - at).total_seconds())
        at = tick.next_at

    assert pauses == [1, 2, 4, 8, 16, 32]
    assert failed == [0] * 6


@pytest.mark.parametrize(("whole", "looks"), [(False, False), (True, True)])
def test_the_sweepers_ticks_ask_for_looks_where_the_whole_clock_goes(
    *, whole: bool, looks: bool
) -> None:
    """The auditor ticks there as well, every fifth minute."""
    ticks = Ticks(NOW)
    ticks.are_whole = whole
    for minute in range(1, 6):
        ticks.fire(NOW + timedelta(minutes=minute))
    sent = [each.function for each in ticks.waiting]
    asked = ["looks" in each.event for each in ticks.waiting if each.function == "sweeper"]

    assert (sent.count("planner"), sent.count("sweeper")) == (5, 5)
    assert sent.count("auditor") == int(whole)
    assert asked == [looks] * 5


@pytest.mark.parametrize(
    ("seconds", "seen"),
    [(LOOK_RETENTION_SECONDS - 0.001, 1), (LOOK_RETENTION_SECONDS, 0)],
)
def test_an_untaken_look_is_deleted(seconds: float, seen: int) -> None:
    """By its queue; one that was received and not deleted is hidden for longer than it is kept."""
    queue = _looks_queue()
    queue.put("a", "{}", now=NOW, visible_at=after(30))

    assert queue.receive(after(29.999)) == []
    assert len(queue.receive(after(seconds))) == seen
    assert timedelta(seconds=LOOK_RETENTION_SECONDS) < LOOK_VISIBILITY


def test_two_looks_are_at_work_at_once_at_most() -> None:
    """The others wait in their queue, and no function wakes for them."""
    (source,) = (each for each in sources(Queues(MemoryClock(NOW))) if each.function == "sweeper")
    for number in range(3):
        source.queue.put(str(number), "{}", now=NOW, visible_at=NOW)
    for at_work in (1, 2):
        assert len(source.next_batch(NOW)) == 1
        source.at_work = at_work

    assert source.next_batch(NOW) == []
    assert source.wakes_at() is None
    source.at_work = 1
    assert source.wakes_at() == NOW
    assert len(source.next_batch(NOW)) == 1


def _looks_queue() -> Queue:
    return Queues(MemoryClock(NOW)).queues[LOOKS]
