"""Calendars and freezes that come, change and go while processes die: one right record each."""

from hypothesis import given, settings

from tests.examples import some
from tests.property.restrictions.restriction_oracle import assert_ended_rightly, records
from tests.property.restrictions.restriction_story import (
    MINUTE,
    RestrictedStory,
    restricted_stories,
)
from tests.support.api import api_services
from tests.support.factories import JOB_ID, TENANT
from timegate.domain.auditing.explain_instant import Verdict
from timegate.domain.ledger.ledger import Gap
from timegate.usecases.ledger.explain_instant import explain_instant

#: Longer than any freeze or period that was made, a look-ahead, and all that was lost.
RECOVERY = 100 * MINUTE


def assert_explained(story: RestrictedStory) -> None:
    """Assert that records explain their instants, and that no instant is called lost."""
    services = api_services(story.world)
    for instant, found in records(story, story.now):
        account = explain_instant(TENANT, JOB_ID, instant, services, now=story.now).account
        assert len(found) <= 1
        if found:
            expected = Verdict.GAP if isinstance(found[0], Gap) else Verdict.RUN
            assert account.verdict is expected
            assert account.record is not None
            assert account.record.reason is found[0].reason
        else:
            assert account.verdict in {Verdict.PLANNED, Verdict.FROZEN, Verdict.EXCLUDED}


@settings(max_examples=some(60))
@given(story=restricted_stories())
def test_every_instant_has_one_record_with_the_right_reason(story: RestrictedStory) -> None:
    """Freezes, edits, deletions and deaths leave one record for every instant.

    The auditor misses nothing, and explanations agree with the records, before and after.
    """
    assert_explained(story)
    story.live(RECOVERY)
    story.live(20 * MINUTE)
    audited = story.world.audit()

    assert_ended_rightly(story, story.now - 5 * MINUTE)
    assert_explained(story)
    assert audited.unaccounted == 0
    # It always looks at a job whose next instant is near; others are drawn by lot.
    upcoming = story.timing.next_run_at
    assert upcoming is not None
    assert audited.jobs == 1 or upcoming - story.now > 14 * MINUTE
