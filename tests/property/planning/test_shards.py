"""The number of shards rises and falls while everything else goes wrong."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import some
from tests.property.planning.planning_oracle import assert_one_record_each, recover
from tests.property.planning.planning_story import Story, stories
from tests.support.execution.placing import first_shards
from tests.support.factories import JOB_ID, NOW
from timegate.domain.runs.run import RunState

#: A planner looks into every minute of an outage, in every shard: weeks are tested with one shard.
sharded = stories(
    counts=st.sampled_from([1, 2, 3, 5, 8]), outages=[90, 90, 90, 600, 3600, 6 * 3600]
)


@settings(max_examples=some(200))
@given(story=sharded)
def test_every_instant_has_one_record_however_many_shards_there_are(story: Story) -> None:
    """Old and new planners at once, half a deployment, shards emptied and closed in between."""
    recover(story)

    assert_one_record_each(story)


@settings(max_examples=some(60))
@given(story=sharded)
def test_no_run_is_stuck_in_a_shard_that_no_planner_serves(story: Story) -> None:
    """Its message lost, each is looked at within minutes of its watch instant."""
    recover(story)
    for number in range(4):
        story.world.clock.advance(61)
        story.sweep(story.world.clock.now(), f"sweep-{number}")
    now = story.world.clock.now()

    assert all(shard < open_count(story) for _, shard in story.world.tables.watch.values())
    assert [a for a in story.world.attempts() if a.watch_at is not None and a.watch_at < now] == []
    assert RunState.WAITING not in story.world.states()


@given(
    openings=st.lists(st.integers(1, 40), min_size=1, max_size=5),
    closing=st.none() | st.integers(1, 40),
    deployed=st.integers(1, 50),
    per_tick=st.integers(1, 9),
)
def test_every_open_shard_is_served_by_one_tick(
    openings: list[int], closing: int | None, deployed: int, per_tick: int
) -> None:
    """Any openings and any number of groups of ticks serve each shard once."""
    opened = first_shards(openings[0], at=NOW)
    for count in openings[1:]:
        opened = opened.with_open(count, at=NOW)
    if closing is not None and closing < opened.count:
        opened = opened.with_closing(closing)
    groups = [
        range(start, min(start + per_tick, deployed)) for start in range(0, deployed, per_tick)
    ]
    served = [turn.shard for group in groups for turn in opened.turns(group, deployed, at=NOW)]

    assert sorted(served) == list(range(opened.count))
    assert opened.placement(opened.used).shard_of(JOB_ID) in served


def open_count(story: Story) -> int:
    """Return the number of open shards."""
    stored = story.world.shards.read()
    assert stored is not None
    return stored.count
