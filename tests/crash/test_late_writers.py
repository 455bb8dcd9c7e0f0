"""A writer that stalls between reading the clock and writing still has its entry found."""

import pytest

from tests.crash.faults import Call, Fault, Mode
from tests.crash.flows.main_flows import FLOWS
from tests.crash.services.cloud import Cloud
from tests.crash.story import Flow, Story, live_through


def _begin_overdue(story: Story) -> str:
    """No planner comes until it is overdue, and then at some second: it is to be looked at soon."""
    story.cloud.ticks.silent_until["planner"] = story.at(310)
    story.cloud.at(310, lambda: story.cloud.tick("planner"))
    return story.create(schedule={"kind": "at", "at": story.instant(160)})


def _runs(story: Story, job_id: str) -> None:
    story.assert_succeeded(job_id)


_BACKFILL = next(flow for flow in FLOWS if flow.name == "backfill")
#: Each with the function that writes what the flow is about, and of which one works at a time.
_ALONE = ((Flow("overdue", _begin_overdue, _runs), "planner"), (_BACKFILL, "operations"))


@pytest.mark.parametrize(("flow", "function"), _ALONE, ids=["planner", "operations"])
def test_what_is_stored_late_and_never_published_is_found(
    flow: Flow, function: str, cloud: Cloud
) -> None:
    """A stall as long as Lambda allows, and then no reader hears of what was written.

    The sweeper may have come past the instant under which the run is entered: then only its
    second look finds it.
    """
    made = live_through(flow, cloud, f"{function}-alone", crowded=[function])
    writes = [
        call
        for call in made
        if call.function == function and call.operation in {"TransactWriteItems", "PutItem"}
    ]
    assert writes
    for point, write in enumerate(writes):
        stall = Fault(write, Mode.STALLED)
        tenant = f"{function}-{point}"
        calls = live_through(flow, cloud, tenant, stall, crowded=[function])
        lost = _next_publication(write, calls)
        live_through(flow, cloud, f"{tenant}-lost", stall, lost, crowded=[function])


def _next_publication(write: Call, calls: list[Call]) -> Fault:
    after = calls[calls.index(write) + 1 :]
    return Fault(next(call for call in after if call.operation == "SendMessageBatch"), Mode.LOST)
