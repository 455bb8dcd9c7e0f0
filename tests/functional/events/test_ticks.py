"""Ticks of the planner, the sweeper and the auditor: the shards they serve, and in which time."""

import pytest

from tests.functional.events.functions import Functions, sample
from tests.support.api import Context
from tests.support.execution.placing import first_shards, with_known_key
from tests.support.factories import NOW, after
from timegate.domain.metering.meter_round import MeterRound
from timegate.domain.values.errors import Throttled
from timegate.ports.dispatch.cursors import Watcher

WATCHERS = {"planner": Watcher.PLANNER, "sweeper": Watcher.SWEEPER}


@pytest.mark.parametrize("function", ["planner", "sweeper", "auditor"])
def test_a_retired_shard_is_served_by_the_ticks_that_are_left(
    functions: Functions, function: str
) -> None:
    """Three shards are open and the deployment names one: its only tick serves all three."""
    two = functions.world.shards.read()
    assert two is not None
    functions.world.shards.replace(two, two.with_open(3, at=NOW))
    functions.send(function, {"shards": [0], "of": 1})
    event = {"planner": "shard_planned", "sweeper": "shard_swept", "auditor": "shard_audited"}
    events = functions.world.telemetry.named(event[function])
    served = [each.fields["shard"] for each in events]

    assert served == [0, 1, 2]


def test_a_planner_opens_the_shards_it_was_deployed_with(functions: Functions) -> None:
    """Before anything is written into them: at its first tick."""
    functions.world.tables.forget_open_shards()
    functions.send("planner", {"shards": [1], "of": 2})

    assert with_known_key(functions.world.tables.open_shards) == first_shards(2, at=NOW)


def test_a_sweeper_has_nothing_to_do_before_anything_is_open(functions: Functions) -> None:
    """No shard, no run in it."""
    functions.world.tables.forget_open_shards()

    assert functions.send("sweeper", sample("sweeper"))["shards"] == 0


@pytest.mark.parametrize(("left_ms", "served"), [(54_999, 1), (55_000, 2)])
def test_a_tick_begins_no_shard_it_has_no_time_for(
    functions: Functions, monkeypatch: pytest.MonkeyPatch, left_ms: int, served: int
) -> None:
    """A shard's lease must end before its invocation does; what is left is counted."""
    monkeypatch.setattr(Context, "get_remaining_time_in_millis", lambda _: left_ms)
    answer = functions.send("planner", sample("planner"))

    assert answer["shards"] == served
    assert functions.world.telemetry.counts["ShardsLeft"] == 2 - served


@pytest.mark.parametrize(("left_ms", "counts"), [(25_000, False), (25_001, True)])
def test_the_auditor_counts_costs_in_what_is_left_of_its_tick(
    functions: Functions, monkeypatch: pytest.MonkeyPatch, left_ms: int, *, counts: bool
) -> None:
    """The first group of shards counts; killed in between, it would count nothing."""
    monkeypatch.setattr(Context, "get_remaining_time_in_millis", lambda _: left_ms)
    functions.send("auditor", sample("auditor"))

    assert (functions.world.meter.read_round() != MeterRound()) is counts


@pytest.mark.parametrize("function", WATCHERS)
def test_a_shard_that_another_invocation_holds_is_left_alone(
    functions: Functions, function: str
) -> None:
    """Its own shards are done all the same."""
    functions.world.cursors.acquire(
        WATCHERS[function], 0, owner="another", now=NOW, until=after(55)
    )

    assert functions.send(function, sample(function))["shards"] == 1


@pytest.mark.parametrize("function", ["planner", "sweeper", "auditor"])
def test_a_shard_that_is_refused_keeps_no_other_one_of_its_group_waiting(
    functions: Functions, monkeypatch: pytest.MonkeyPatch, function: str
) -> None:
    """The tick fails once each shard has had its turn."""
    asked: list[int] = []

    def refused(shard: int) -> None:
        asked.append(shard)
        if shard == 0:
            raise Throttled("Too much.")

    names = {
        "planner": ("plan_shard", lambda turn, *_, **__: refused(turn.shard)),
        "sweeper": ("sweep_shard", lambda turn, *_, **__: refused(turn.shard)),
        "auditor": ("audit_shard", lambda shard, *_, **__: refused(shard)),
    }
    monkeypatch.setattr(functions.handlers[function], *names[function])
    with pytest.raises(Throttled):
        functions.send(function, sample(function))

    assert asked == [0, 1]
