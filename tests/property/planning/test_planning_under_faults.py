"""Planning while planners die, clocks differ and callers change the job: one record an instant."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import some
from tests.property.planning.planning_oracle import assert_one_record_each, recover
from tests.property.planning.planning_story import Story, stories


@settings(max_examples=some(150))
@given(story=stories(counts=st.just(1)))
def test_every_instant_has_one_record_whatever_happens(story: Story) -> None:
    """A run, or a gap that spans it; no record is of an instant that no schedule named."""
    recover(story)

    assert_one_record_each(story)
