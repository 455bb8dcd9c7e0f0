"""A token is proven before anything is said of a record that cannot be read."""

from typing import Any

import pytest

from tests.support.api import Api
from tests.support.factories import TENANT
from tests.support.pools.worker_requests import claim, offer, say
from timegate.domain.values.identity import AttemptId, JobId, RunId

PARTS = ["attempt", "job"]


def damaged(api: Api, part: str) -> dict[str, Any]:
    """A run that a worker holds, and whose record, or its job's, cannot be read."""
    offer(api)
    (run,) = claim(api)
    own = RunId.parse(run["run_id"])
    if part == "attempt":
        api.world.tables.damaged.add((TENANT, AttemptId(run=own, number=1)))
    else:
        api.world.tables.damaged.add((TENANT, JobId(own.job_id)))
    return run


@pytest.mark.parametrize("part", PARTS)
def test_a_stranger_is_told_nothing_of_a_damaged_record(api: Api, part: str) -> None:
    """A made-up token was answered 500, and the alarm of the API's errors rang."""
    offer(api, name="another")
    (stranger,) = claim(api)
    run = damaged(api, part)
    answer = say(api, "heartbeat", {**run, "lease_token": stranger["lease_token"]})

    assert (answer.status, answer.body["code"]) == (409, "lease_lost")


@pytest.mark.parametrize("part", PARTS)
def test_its_worker_tries_again_until_the_record_is_repaired(api: Api, part: str) -> None:
    """It has not lost its lease."""
    run = damaged(api, part)

    assert say(api, "heartbeat", run).status == 500
    api.world.tables.damaged.clear()
    assert say(api, "heartbeat", run).status == 200
