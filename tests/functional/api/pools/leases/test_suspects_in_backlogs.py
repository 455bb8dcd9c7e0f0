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
