"""A run of a dead worker gets its turn, however many runs are always due behind it."""

import pytest

from tests.support.api import Api
from tests.support.pools.worker_requests import claim, offer


def lost_run(api: Api, **fields: object) -> str:
    """Return the id of a run whose worker was silent until its lease expired."""
    offer(api, **fields)
    (run,) = claim(api, worker="dead")
    api.world.clock.advance(61)
    return str(run["run_id"])


@pytest.mark.parametrize("most", [1, 2, 10])
def test_a_backlog_keeps_no_run_of_a_dead_worker_from_its_turn(api: Api, most: int) -> None:
    """It is due first, and is handed out alone; runs that were due later were, for ever."""
    lost = lost_run(api)
    for number in range(30):
        api.world.clock.advance(1)
        offer(api, name=f"later {number}")
    first, second = claim(api, max=most), claim(api, max=most)

    assert [run["run_id"] for run in first] == [lost]
    assert len(second) == most


def test_it_waits_for_what_was_due_before(api: Api) -> None:
    """Its lease had expired after they were due: they come first, as by their instants."""
    offer(api, name="lost")
    (run,) = claim(api, worker="dead")
    for number in range(2):
        offer(api, name=f"due before its expiry {number}")
    api.world.clock.advance(61)
    first, second = claim(api, max=2), claim(api, max=2)

    assert sorted(each["job_name"] for each in first) == [
        "due before its expiry 0",
        "due before its expiry 1",
    ]
    assert [each["run_id"] for each in second] == [run["run_id"]]


def test_a_dead_workers_run_that_may_not_begin_holds_no_other_up(api: Api) -> None:
    """The same claim goes on to the runs behind: it was answered with none."""
    offer(api, name="lost", delivery="at_most_once")
    claim(api, worker="dead")
    api.world.clock.advance(61)
    for number in range(3):
        offer(api, name=f"later {number}")

    assert len(claim(api, max=3)) == 3


@pytest.mark.parametrize("urgent", ["critical", "high"])
def test_runs_that_are_more_urgent_keep_it_from_its_turn_no_longer(api: Api, urgent: str) -> None:
    """A claim had room for it and gave it to none, as long as one urgent run was always due."""
    lost = lost_run(api, priority="low")
    handed = []
    for number in range(3):
        offer(api, name=f"urgent {number}", priority=urgent)
        api.world.clock.advance(1)
        handed.append([run["run_id"] for run in claim(api, max=4)])

    assert handed[0] == [lost]
    assert [len(each) for each in handed] == [1, 2, 1]


def test_a_claim_without_room_for_it_is_of_urgent_runs(api: Api) -> None:
    """Any run of its priority waits then: a worker of one run takes the urgent first."""
    lost = lost_run(api, priority="low")
    api.world.clock.advance(1)
    for number in range(3):
        offer(api, name=f"urgent {number}", priority="high")
    full, rest = claim(api, max=2), claim(api, max=2)

    assert all(run["job_name"].startswith("urgent") for run in full)
    assert (len(full), [run["run_id"] for run in rest]) == (2, [lost])


def test_urgent_runs_that_were_due_before_its_lease_expired_come_first(api: Api) -> None:
    """They are not new, and soon handed out."""
    offer(api, name="lost", priority="low")
    claim(api, worker="dead")
    offer(api, name="urgent", priority="high")
    api.world.clock.advance(61)
    first, second = claim(api, max=4), claim(api, max=4)

    assert [run["job_name"] for run in first] == ["urgent"]
    assert [run["job_name"] for run in second] == ["lost"]
