"""The way of an attempt on the deployed stack, from its plan to its end."""

from itertools import pairwise

import pytest

from infra.local.webhook_target import Recorder
from tests.support.deployed.stack import Stack

pytestmark = pytest.mark.wide


def test_a_run_of_a_queue_shows_each_step_of_its_way(stack: Stack, recorder: Recorder) -> None:
    """The queue tells when it took the message; the executor knows the rest."""
    job = stack.create_job(
        name="timed",
        schedule={"kind": "immediate"},
        action={"type": "webhook", "url": recorder.url("timed")},
    )
    (run,) = stack.wait_for_runs(job["job_id"], 1)
    (attempt,) = stack.api.get(f"/v1/runs/{run['run_id']}").json()["attempts"]
    instants = [*attempt["timeline"].values()]

    assert None not in instants
    assert all(earlier <= later for earlier, later in pairwise(instants))
