"""The auditor beside everything that happens to a job: it is never wrong about what is lost."""

from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import some
from tests.property.auditing.audit_story import ALSO
from tests.property.planning.planning_oracle import recover
from tests.property.planning.planning_story import Story, stories
from tests.support.factories import TENANT, freeze_factory
from timegate.domain.auditing.audit_finding import FindingCode
from timegate.usecases.auditing.audit_shard import audit_shard

#: Longer than any instant has to get its record, and than a check waits for the next.
_LATER = timedelta(hours=25)


def audit(story: Story) -> None:
    """One tick of the auditor, over all open shards."""
    world, now = story.world, story.world.clock.now()
    opened = world.shards.read()
    count = opened.count if opened is not None else 1
    for shard in range(count):
        audit_shard(shard, world.auditing, of=count, now=now, owner=f"auditor-{now}")


def codes(story: Story) -> set[object]:
    """Return the codes of the auditor's reports so far."""
    return {event.fields["code"] for event in story.world.telemetry.named("audit_finding")}


def freeze_on(story: Story) -> None:
    """Begin a freeze that outlasts the story."""
    now = story.world.clock.now()
    frozen = freeze_factory(starts_at=now, ends_at=now + 2 * _LATER, created_at=now)
    story.world.restrictions.put_freeze(TENANT, frozen, now=now)


@settings(max_examples=some(150))
@given(
    story=stories(
        counts=st.sampled_from([1, 2, 3]),
        outages=[90, 600, 3600, 86_400],
        watch=audit,
        also=ALSO,
    ),
    frozen=st.booleans(),
)
def test_the_auditor_raises_no_false_alarm(story: Story, *, frozen: bool) -> None:
    """Planners die and are late, shards change, callers edit, pause, resume, freeze and backfill.

    No record is missed. An instant that no planner has come to for a quarter of an hour is
    overdue, and nothing else. One that a freeze holds back is not: none is once planners are back.
    """
    assert codes(story) <= {FindingCode.INSTANT_OVERDUE}
    recover(story)
    audit(story)
    before = len(story.world.telemetry.named("audit_finding"))
    if frozen:
        freeze_on(story)
    story.world.clock.advance(_LATER.total_seconds())
    recover(story)
    for _ in range(3):
        story.world.clock.advance(301)
        recover(story)
        audit(story)

    assert codes(story) <= {FindingCode.INSTANT_OVERDUE}
    assert len(story.world.telemetry.named("audit_finding")) == before
