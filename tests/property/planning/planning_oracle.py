"""Expected records at the end of a story, said without the product."""

from datetime import datetime, timedelta

from tests.property.planning.planning_story import Story
from tests.support.factories import JOB_ID, NOW, TENANT, after
from tests.support.stores.sound import sound_gaps
from timegate.domain.ledger.ledger import Gap


def recover(story: Story) -> None:
    """Ticks, without a death, until the planner has come round."""
    story.deployments = story.deployments[-1:]
    story.world.spread = story.deployments[-1].spread
    for number in range(6):
        story.world.clock.advance(61)
        story.tick(story.world.clock.now(), f"recovery-{number}")


def gaps_of(story: Story) -> tuple[Gap, ...]:
    """All gaps of the job."""
    found = story.world.jobs.gaps(TENANT, JOB_ID, since=after(-86_400), limit=1000)
    return sound_gaps(found)


def runs_of(story: Story) -> list[datetime]:
    """The instants that have runs."""
    return [attempt.id.run.scheduled_at for attempt in story.world.attempts()]


def assert_one_record_each(story: Story) -> None:
    """A run, or a gap that spans it; no record is of an instant that no schedule named."""
    timing = story.timing
    reached = timing.next_run_at or timing.held_at
    assert reached is not None
    runs, gaps = runs_of(story), gaps_of(story)
    planned_before: set[datetime] = set()
    named: set[datetime] = set()
    for era in story.eras:
        last = era.replaced_at or reached - timedelta(milliseconds=1)
        instants = era.named(NOW, last)
        own = [gap for gap in gaps if era.given_at < gap.first <= last and gap.last <= last]
        for instant in instants:
            spanned = sum(gap.first <= instant <= gap.last for gap in own)
            has_run = instant in runs
            # A run that an earlier schedule had planned stays, and outranks a later gap.
            outranks = has_run and instant in planned_before
            assert spanned + has_run == 1 or (outranks and spanned <= 1), (instant, spanned)
        for gap in own:
            assert gap.count == len(era.named(gap.first, gap.last))
        ahead = era.named(NOW, last + timedelta(minutes=11))
        planned_before |= set(ahead) - set(instants)
        named |= set(ahead)

    if timing.next_run_at is not None:
        # No write put it where no planner looks: it stands beyond what the last tick found ripe.
        assert timing.next_run_at > story.world.clock.now() + timedelta(minutes=3)
    assert len(runs) == len(set(runs))
    assert set(runs) <= named
    assert sum(gap.count for gap in gaps) == sum(
        len(era.named(gap.first, gap.last))
        for era in story.eras
        for gap in gaps
        if era.given_at < gap.first and gap.last <= (era.replaced_at or reached)
    )
