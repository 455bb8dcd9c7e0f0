"""A local stack that was stopped goes on: jobs, history, and the instants of the meantime."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from infra.local.cloud import LocalCloud
from infra.local.deployment import deploy
from infra.local.webhook_target import Recorder
from tests.support.deployed.stack import Stack

pytestmark = pytest.mark.deep


@pytest.fixture(autouse=True)
def no_job_outlives_its_test() -> None:
    """The session's own stack is not needed here."""


@contextmanager
def going_on(home: Path) -> Iterator[Stack]:
    """The stack kept in ``home``, deployed over what is there, and stopped in the end."""
    auth = os.environ.get("TIMEGATE_E2E_AUTH") == "1"
    cloud = LocalCloud.start(home, auth=auth, snapshot_seconds=3600)
    try:
        stack = Stack(cloud, deploy(cloud))
        with stack.clients:
            yield stack
    finally:
        cloud.stop()


def instant_of(run_id: str) -> datetime:
    """The instant in the id of a run that a schedule made."""
    return datetime.strptime(run_id.rpartition(".s")[2], "%Y%m%dT%H%M%S%f%z")


def test_a_stopped_stack_goes_on_with_its_jobs_and_their_history(
    recorder: Recorder, tmp_path: Path
) -> None:
    """Runs that ended stay as they were, and the instants of the meantime run afterwards."""
    with going_on(tmp_path / "cloud") as stack:
        job = stack.create_job(
            name="every-ten",
            schedule={"kind": "rate", "every_seconds": 10},
            action={"type": "webhook", "url": recorder.url("every-ten")},
        )
        recorder.wait_for("every-ten", 2, seconds=90)
    before = {request.run_id for request in recorder.requests("every-ten")}

    with going_on(tmp_path / "cloud") as stack:
        recorder.wait_for("every-ten", len(before) + 5, seconds=90)
        told = {request.run_id for request in recorder.requests("every-ten")}
        history = {run_id: stack.api.get(f"/v1/runs/{run_id}").json() for run_id in before}

    instants = sorted(instant_of(run_id) for run_id in told)
    assert {run["job_id"] for run in history.values()} == {job["job_id"]}
    assert {run["state"] for run in history.values()} == {"succeeded"}
    assert {later - earlier for earlier, later in pairwise(instants)} == {timedelta(seconds=10)}
