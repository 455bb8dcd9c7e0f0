"""The auditor beside calendars: no false alarm in any story, and each lost record is found."""

from datetime import datetime, timedelta

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.examples import some
from tests.property.auditing.test_audit_under_faults import audit, codes
from tests.property.ledger.ledger_story import ledger_stories
from tests.property.planning.planning_oracle import recover
from tests.property.planning.planning_story import Story
from tests.property.restrictions.restriction_oracle import records
from tests.property.restrictions.restriction_story import (
    MINUTE,
    RestrictedStory,
    restricted_stories,
)
from tests.property.restrictions.test_restrictions_under_faults import RECOVERY
from tests.support.world import World
from timegate.domain.auditing.audit_finding import FindingCode
from timegate.domain.ledger.ledger import Gap

#: Longer than a check waits for the next one.
_LATER = timedelta(hours=25)


def audit_restricted(story: RestrictedStory) -> None:
    """One tick of the auditor."""
    story.world.audit(owner=f"auditor-{story.now}")


def findings(world: World) -> list[tuple[object, int]]:
    """Each finding so far, with the number of its instants."""
    events = world.telemetry.named("audit_finding")
    return [(event.fields["code"], int(str(event.fields["count"]))) for event in events]


@settings(max_examples=some(15))
@given(story=restricted_stories(watch=audit_restricted))
def test_calendars_and_freezes_raise_no_false_alarm(story: RestrictedStory) -> None:
    """They come, change and go while processes die; an instant may be overdue meanwhile."""
    assert {code for code, _ in findings(story.world)} <= {FindingCode.INSTANT_OVERDUE}
    story.live(RECOVERY)
    before = findings(story.world)
    story.live(20 * MINUTE)

    assert {code for code, _ in before} <= {FindingCode.INSTANT_OVERDUE}
    assert before == findings(story.world)


@settings(max_examples=some(60))
@given(story=ledger_stories(watch=audit))
def test_edits_pauses_and_backfills_under_calendars_raise_no_false_alarm(story: Story) -> None:
    """Excluded hours, decided ahead, that a new schedule cuts and a backfill runs."""
    assert codes(story) <= {FindingCode.INSTANT_OVERDUE}
    recover(story)
    audit(story)
    before = len(story.world.telemetry.named("audit_finding"))
    story.world.clock.advance(_LATER.total_seconds())
    recover(story)
    audit(story)

    assert codes(story) <= {FindingCode.INSTANT_OVERDUE}
    assert len(story.world.telemetry.named("audit_finding")) == before


@settings(max_examples=some(40))
@given(story=restricted_stories(), data=st.data())
def test_a_record_that_is_lost_under_calendars_is_found(
    story: RestrictedStory, data: st.DataObject
) -> None:
    """The auditor reports a lost run or gap once, and nothing else."""
    story.live(RECOVERY)
    recorded = [(at, found) for at, found in records(story, story.now - 30 * MINUTE) if found]
    assume(recorded)
    at, (lost, *_) = data.draw(st.sampled_from(recorded))
    lose(story.world, at, lost)
    story.watch = audit_restricted
    story.live(20 * MINUTE)
    count = lost.count if isinstance(lost, Gap) else 1

    assert findings(story.world) == [(FindingCode.INSTANT_UNRECORDED, count)]


def lose(world: World, at: datetime, record: object) -> None:
    """Delete a gap, or all attempts of a run."""
    if isinstance(record, Gap):
        world.tables.drop_gap(record)
        return
    for attempt in world.attempts():
        if attempt.id.run.scheduled_at == at:
            world.lose(attempt)
