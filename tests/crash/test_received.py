"""A worker receives messages and dies before it claims their runs: they are back in time (N6)."""

from functools import partial

import pytest

from tests.crash.faults import Outage
from tests.crash.services.cloud import Cloud
from tests.crash.services.functions import LEASE_SECONDS
from tests.crash.story import Flow, Story, live_through
from timegate.domain.dispatch.looks import (
    LOOK_EVERY,
    LOOK_LATENESS,
    PUBLICATION,
    RECOVERY_BEYOND_LEASE,
)
from timegate.domain.runs.gate import CLAIM_LEAD
from timegate.domain.runs.watch import LEASE_SLACK, PATIENCE

#: From the due instant to the message that the sweeper has sent once more.
LOOKED_AT_WITHIN = (PATIENCE + LOOK_EVERY + LOOK_LATENESS + PUBLICATION).total_seconds()
#: When a run is due: too far away for its creator, and at four moments between two looks.
DUE = [110.0, 113.0, 116.0, 121.999]
MODES = ["at_least_once", "exactly_once", "at_most_once"]
RUNS = 3


def _begin(story: Story, due: float, resource_class: str, delivery: str) -> list[str]:
    return [
        story.create(
            f"job-{number}",
            schedule={"kind": "at", "at": story.instant(due)},
            resource_class=resource_class,
            delivery=delivery,
        )
        for number in range(RUNS)
    ]


def _all_are_back(story: Story, jobs: list[str], *, due: float, within: float) -> None:
    """Each run has one attempt and one lease, and called its target once."""
    for job_id in jobs:
        assert story.ends(job_id) == [("succeeded", None)]
        assert story.status(job_id) == "completed"
    assert [row.fence for row in story.rows] == [1] * RUNS
    assert len(story.effects) == RUNS
    late = [(each.at - story.at(due)).total_seconds() for each in story.effects]
    assert max(late) <= within, late


def _live(cloud: Cloud, tenant: str, delivery: str, due: float, dies: Outage, within: float) -> int:
    """Return the number of executors that began; the outage names the dying class and its time."""
    resource_class = dies.function.partition(" ")[2]
    flow = Flow(
        "received",
        partial(_begin, due=due, resource_class=resource_class, delivery=delivery),
        partial(_all_are_back, due=due, within=within),
    )
    calls = live_through(flow, cloud, tenant, outage=dies, whole=True)
    return len({call.process for call in calls if call.function == dies.function})


@pytest.mark.parametrize("due", DUE)
@pytest.mark.parametrize("delivery", MODES)
@pytest.mark.parametrize("resource_class", list(LEASE_SECONDS))
def test_what_a_worker_took_as_it_died_is_published_once_more(
    cloud: Cloud, resource_class: str, delivery: str, due: float
) -> None:
    """It made no call: the message is hidden for as long as its queue hides it, and a run is back.

    Its batch of three is one on ``short``; on ``long`` only one of the three is lost.
    """
    dies = Outage(f"executor {resource_class}", calls=0, tries=1)
    _live(cloud, f"{resource_class}-{delivery}-{due}", delivery, due, dies, LOOKED_AT_WITHIN)

    assert min(LEASE_SECONDS.values()) + RECOVERY_BEYOND_LEASE.total_seconds() >= LOOKED_AT_WITHIN


@pytest.mark.parametrize("due", DUE)
@pytest.mark.parametrize("delivery", MODES)
@pytest.mark.parametrize("calls", [1, 2])
def test_what_a_worker_hid_before_it_died_comes_back_after_a_lease(
    cloud: Cloud, calls: int, delivery: str, due: float
) -> None:
    """It hid its batch before it read a record, or died on the first read."""
    dies = Outage("executor long", calls=calls, tries=1)
    within = LEASE_SECONDS["long"] + (LEASE_SLACK + CLAIM_LEAD).total_seconds()
    began = _live(cloud, f"hid-{calls}-{delivery}-{due}", delivery, due, dies, within)

    assert began >= RUNS + 1
