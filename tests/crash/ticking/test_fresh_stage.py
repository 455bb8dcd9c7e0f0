"""The first request to a stage that no tick has reached yet: it is answered, and kept."""

import pytest

from tests.crash.flows.main_flows import FLOWS
from tests.crash.region import Region
from tests.crash.services.cloud import Cloud
from tests.crash.story import live_through

#: A flow for each kind of record that a caller's first request may create.
_FIRST = ("create immediate", "plan and relay", "bulk change", "dag in a line", "job, by a dag")


@pytest.mark.parametrize("name", _FIRST)
def test_a_first_request_needs_no_tick(name: str) -> None:
    """It opens the shards itself: its caller repeats a request for four seconds, and no longer."""
    with pytest.MonkeyPatch.context() as patch:
        cloud = Cloud(Region(patch))
        (flow,) = (each for each in FLOWS if each.name == name)
        calls = live_through(flow, cloud, "first")
        ticked = [call.process for call in calls if call.function == "planner"]

        assert calls[0].function == "api"
        assert not ticked or calls[0].process < ticked[0]
        assert cloud.region.failures == []
