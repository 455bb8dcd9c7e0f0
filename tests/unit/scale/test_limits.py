"""Limits of the model, at both sides of each boundary."""

import pytest
import simpy

from bench.scale import facts
from bench.scale.model.capacity import Tables, Throughput
from bench.scale.model.functions import Account, Environments, SourceRamp
from bench.scale.model.parcels import Lateness, Parcel
from bench.scale.model.queue import RunQueue

#: Figures of the sources: one that changes needs its source, and all courses anew.
PUBLISHED = {
    "QUEUE_TO_FUNCTION": ((0, 0.008), (0.5, 0.016), (0.9, 0.034), (0.99, 0.105), (1, 0.3)),
    "STREAM_TO_FUNCTION": ((0, 0.05), (0.5, 0.213), (0.9, 0.341), (0.99, 0.552), (1, 1)),
    "PARTITION_UNITS": 1_000,
    "TABLE_QUOTA_UNITS": 40_000,
    "SOURCE_START": 5,
    "SOURCE_GAIN_A_MINUTE": 300,
    "SOURCE_SETTING_MOST": 1_000,
    "PROVISIONED_GAIN_A_MINUTE": 1_000,
    "PROVISIONED_MOST": 20_000,
    "POLLER_HOUR_USD": 0.00925,
    "QUEUE_IN_FLIGHT": 120_000,
    "QUEUE_BATCH": 10,
    "ENVIRONMENTS_GAIN": 1_000,
    "ENVIRONMENTS_GAIN_SECONDS": 10,
    "MB_A_PROCESSOR": 1_769,
}


def test_limits_are_those_that_aws_publishes() -> None:
    """Each of them is here, and no other."""
    found = {
        name: getattr(value, "points", value)
        for name, value in vars(facts).items()
        if name[0].isupper()
    }

    assert {name: value for name, value in found.items() if name != "Latency"} == PUBLISHED


def parcel(count: int, *, due: float = 0) -> Parcel:
    """Return runs of one tenant."""
    return Parcel(tenant="first", lane="normal-short", due=due, count=count)


def test_units_are_taken_in_turn() -> None:
    """A thousand units a second: the second thousand is served after two seconds."""
    partition = Throughput(name="watch", per_second=1_000)

    assert [partition.take(1_000, 0.0), partition.take(1_000, 0.0)] == [1.0, 2.0]
    assert partition.take(500, 5.0) == 0.5


@pytest.mark.parametrize(("patience", "wait"), [(0.99, None), (1.0, 2.0)])
def test_a_throttle_takes_nothing(patience: float, wait: float | None) -> None:
    """A write that waits longer than its client tries is refused."""
    runs = Throughput(name="runs", per_second=100)
    tables = Tables(throughputs={"runs": runs})
    tables.take({"runs": 100}, 0.0, patience=patience)

    assert tables.take({"runs": 100}, 0.0, patience=patience) == wait
    assert (runs.taken, runs.refusals) == ((200, 0) if wait else (100, 1))


@pytest.mark.parametrize(("now", "wait"), [(9.9, 1.0), (10.0, 4.0), (19.9, 4.0), (20.0, 1.0)])
def test_a_dip_slows_every_table_while_it_lasts(now: float, wait: float) -> None:
    """A quarter of the throughput is there from its beginning to before its end."""
    tables = Tables(
        throughputs={"runs": Throughput(name="runs", per_second=100)}, dips=((10.0, 20.0, 0.25),)
    )

    assert tables.take({"runs": 100}, now, patience=1) == pytest.approx(wait)


@pytest.mark.parametrize(
    ("seconds", "allowed"), [(0, 5), (0.19, 5), (0.2, 6), (60, 305), (199, 1_000), (900, 1_000)]
)
def test_an_event_source_gains_three_hundred_a_minute(seconds: float, allowed: int) -> None:
    """From five up to its setting (services-sqs-scaling)."""
    ramp = SourceRamp(most=1_000)
    ramp.allowed(0.0)

    assert ramp.allowed(seconds) == allowed


@pytest.mark.parametrize(("empty_for", "allowed"), [(60.0, 1_000), (60.1, 5)])
def test_an_event_source_that_was_empty_begins_anew(empty_for: float, allowed: int) -> None:
    """After a minute without a message."""
    ramp = SourceRamp(most=1_000)
    ramp.allowed(0.0)
    ramp.rest(600.0)

    assert ramp.allowed(600.0 + empty_for) == allowed


def test_a_function_gains_a_thousand_environments_in_ten_seconds() -> None:
    """Warm ones are beside these."""
    environments = Environments(name="executor", warm=50)

    assert environments.take(2_000, now=0.0) == (50, 1_000)
    assert environments.take(2_000, now=5.0) == (0, 500)
    environments.give_back(100)
    assert environments.take(150, now=10.0) == (100, 50)


def test_an_account_grants_no_more_than_it_has() -> None:
    """The rest is refused, and there again once it is released."""
    account = Account(concurrency=10)

    assert (account.acquire(8, now=0), account.acquire(8, now=0)) == (8, 2)
    account.release(4)
    assert account.acquire(8, now=0) == 4
    assert (account.most, account.limit.refusals) == (10, 2)


def test_a_queue_holds_a_message_until_it_is_visible() -> None:
    """Delayed messages are not in flight."""
    env = simpy.Environment()
    queue = RunQueue(env, "normal-short")
    queue.send(parcel(25), visible_at=10.0)
    env.run(until=9.99)
    before = queue.receive(10)
    env.run(until=10.01)

    assert before == []
    assert [each.count for each in queue.receive(10)] == [10]
    assert (queue.visible, queue.in_flight) == (15, 10)
    assert [each.count for each in queue.receive(30)] == [15]


def test_a_queue_gives_no_more_than_may_be_in_flight() -> None:
    """120,000 messages are received and not deleted."""
    env = simpy.Environment()
    queue = RunQueue(env, "normal-short")
    queue.send(parcel(facts.QUEUE_IN_FLIGHT + 1), visible_at=0.0)
    env.run(until=1)
    first = queue.receive(facts.QUEUE_IN_FLIGHT + 1)

    assert (first[0].count, queue.receive(1)) == (facts.QUEUE_IN_FLIGHT, [])
    queue.delete(1)
    assert [each.count for each in queue.receive(1)] == [1]


def test_latencies_lie_between_their_quantiles() -> None:
    """The published quantiles are 16 ms, 34 ms and 105 ms."""
    latency = facts.QUEUE_TO_FUNCTION

    assert [latency.at(share) for share in (0.5, 0.9, 0.99)] == pytest.approx([0.016, 0.034, 0.105])
    assert 0.016 < latency.at(0.7) < 0.034


def test_lateness_has_its_percentiles_by_runs() -> None:
    """A parcel counts as often as it has runs; an early start is an error of the model."""
    lateness = Lateness()
    lateness.add(5.0, 1)
    lateness.add(1.0, 99)

    assert lateness.percentiles([50, 99, 99.1, 100]) == [1.0, 1.0, 5.0, 5.0]
    with pytest.raises(AssertionError, match="early"):
        lateness.add(-0.001, 1)
