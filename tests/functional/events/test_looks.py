"""The sweeper between its ticks: it asks for looks, and takes those that come in time."""

import json
from dataclasses import replace
from typing import Any

import pytest

from tests.functional.events.functions import EVENTS, LOOKS, Functions, sample
from tests.support.factories import NOW, after, lease_factory, running
from timegate.domain.dispatch.looks import ShardLook
from timegate.domain.runs.run import RunState


def looks() -> dict[str, Any]:
    """A message of the looks queue, as Lambda brings it."""
    read: dict[str, Any] = json.loads((EVENTS / f"{LOOKS}.json").read_text())
    return read


def dead(functions: Functions) -> None:
    """A run whose worker died: its lease expired ten seconds ago."""
    lease = lease_factory(expires_at=after(-10), deadline_at=after(600))
    abandoned = replace(running(lease=lease), watch_at=NOW)
    functions.world.runs.insert_all([abandoned])


def test_a_look_rescues_what_is_overdue(functions: Functions) -> None:
    """Without the lease of the shard, whose cursor stays as it is."""
    dead(functions)
    answer = functions.send("sweeper", looks())

    assert answer == {"batchItemFailures": []}
    assert functions.world.states() == [RunState.QUEUED]
    assert functions.world.telemetry.counts["Looks"] == 1
    assert "shard_swept" not in {each.name for each in functions.world.telemetry.events}


@pytest.mark.parametrize(
    ("at", "metric"), [(11.999, "Looks"), (12, "LooksStale")], ids=["late", "too late"]
)
def test_a_look_that_comes_too_late_is_dropped(
    functions: Functions, at: float, metric: str
) -> None:
    """The next look is due then."""
    dead(functions)
    functions.world.clock.set(after(at))
    functions.send("sweeper", looks())

    assert functions.world.telemetry.counts[metric] == 1
    assert functions.world.states() == [RunState.QUEUED if metric == "Looks" else RunState.RUNNING]


@pytest.mark.parametrize("body", ["no JSON", "[]", "{}", '{"shards": [0], "of": 2, "at": "now"}'])
def test_what_is_no_look_is_dropped(functions: Functions, body: str) -> None:
    """It says so, and does not come again."""
    event = looks()
    event["Records"][0]["body"] = body
    answer = functions.send("sweeper", event)

    assert answer == {"batchItemFailures": []}
    assert functions.world.telemetry.counts["LooksRejected"] == 1


def test_a_tick_asks_for_the_looks_of_the_next_minute(functions: Functions) -> None:
    """Each twelve seconds, at the same instants wherever in its minute the tick comes."""
    functions.world.clock.set(after(59.5))
    functions.send("sweeper", sample("sweeper"))
    sent = functions.world.looks.sent

    assert sent == [ShardLook(shards=(0, 1), of=2, at=after(60 + 12 * n)) for n in range(5)]
    assert [look.delay_seconds(after(59.5)) for look in sent] == [1, 13, 25, 37, 49]
    assert [ShardLook.parse(look.fields()) for look in sent] == sent


def test_a_tick_that_is_not_told_of_looks_asks_for_none(functions: Functions) -> None:
    """One tick asks for those of several groups."""
    functions.send("sweeper", {"shards": [0], "of": 2})

    assert functions.world.looks.sent == []
