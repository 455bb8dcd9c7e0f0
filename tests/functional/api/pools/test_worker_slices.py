"""Workers that end a slice of their run: another one goes on from the checkpoint."""

from typing import Any

import pytest

from tests.support.api import Api
from tests.support.pools.worker_requests import claim, offer, read, say

ALLOWED = {"max_duration_seconds": 3600, "max_slices": 3}
HALF = {"percent": 50, "message": "half"}


def test_a_worker_lets_its_run_go_on(api: Api) -> None:
    """The worker that claims it next is told where, under a higher fence: no new attempt."""
    offer(api, long_run=ALLOWED)
    (first,) = claim(api)
    answer = say(api, "continue", first, checkpoint={"row": 7}, progress=HALF)
    run = read(api, first)
    (second,) = claim(api, worker="another")

    assert (answer.status, answer.body) == (200, {"run_id": first["run_id"]})
    assert (run["state"], run["slices"]["ended"], run["progress"]["percent"]) == ("queued", 1, 50)
    assert second["last_checkpoint"] == {"row": 7}
    assert (second["attempt"], second["fence"]) == (1, 2)
    assert say(api, "complete", second).status == 200
    assert read(api, first)["state"] == "succeeded"


def test_saying_it_again_changes_nothing(api: Api) -> None:
    """Its answer was lost, and another worker has the next slice by now."""
    offer(api, long_run=ALLOWED)
    (first,) = claim(api)
    say(api, "continue", first, checkpoint=1)
    claim(api, worker="another")

    assert say(api, "continue", first, checkpoint=1).status == 200
    assert read(api, first)["slices"]["ended"] == 1
    assert say(api, "complete", first).code == "lease_lost"


def test_a_delay_is_waited_for(api: Api) -> None:
    """The run is to be had again at that instant."""
    offer(api, long_run=ALLOWED)
    (first,) = claim(api)
    say(api, "continue", first, delay_seconds=60)
    api.world.clock.advance(59.9)
    early = claim(api)
    api.world.clock.advance(0.1)

    assert early == []
    assert len(claim(api)) == 1


def test_a_run_that_goes_on_for_too_long_is_given_up(api: Api) -> None:
    """A worker that would claim the slice too many finds it dead-lettered."""
    offer(api, long_run=ALLOWED)
    for number in range(3):
        (run,) = claim(api)
        say(api, "continue", run, checkpoint=number)

    assert claim(api) == []
    assert read(api, run)["reason"] == "slices_exhausted"


def test_a_cancelled_run_does_not_go_on(api: Api) -> None:
    """Its worker had not heard of it."""
    offer(api, long_run=ALLOWED)
    (run,) = claim(api)
    api.send("POST", f"/v1/runs/{run['run_id']}/cancel")

    assert say(api, "continue", run, checkpoint=1).status == 200
    assert read(api, run)["state"] == "cancelled"


@pytest.mark.parametrize(
    ("job", "fields", "refused"),
    [
        pytest.param({}, {}, (409, "continue_not_allowed"), id="not-allowed"),
        pytest.param(
            {"long_run": ALLOWED}, {"delay_seconds": 86_401}, (400, "invalid_request"), id="far"
        ),
        pytest.param(
            {"long_run": ALLOWED},
            {"checkpoint": "x" * 300_000},
            (400, "invalid_request"),
            id="large",
        ),
        pytest.param(
            {"long_run": ALLOWED},
            {"progress": {"percent": 101}},
            (400, "invalid_request"),
            id="progress",
        ),
    ],
)
def test_what_cannot_go_on_is_still_held(
    api: Api, job: dict[str, Any], fields: dict[str, Any], refused: tuple[int, str]
) -> None:
    """The refusal says why; the worker may end its run in another way."""
    offer(api, **job)
    (run,) = claim(api)
    answer = say(api, "continue", run, **fields)

    assert (answer.status, answer.code) == refused
    assert say(api, "complete", run).status == 200


def test_a_worker_that_lost_its_run_cannot_continue_it(api: Api) -> None:
    """It is another worker's, whose checkpoint counts."""
    offer(api, long_run=ALLOWED)
    (first,) = claim(api)
    api.world.clock.advance(61)
    (second,) = claim(api, worker="another")

    assert say(api, "continue", first, checkpoint=1).code == "lease_lost"
    assert read(api, second)["slices"] is None


def test_progress_of_next_to_nothing_is_none(api: Api) -> None:
    """No item holds such a number, and DynamoDB would refuse the lease that is written with it."""
    offer(api, timeout_seconds=600)
    (run,) = claim(api)
    said = say(api, "heartbeat", run, progress={"percent": 1e-200})

    assert said.status == 200
    assert read(api, run)["progress"]["percent"] == 0
