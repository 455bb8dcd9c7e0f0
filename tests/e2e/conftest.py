"""One deployed stack and one webhook target for the whole session."""

import os
from collections.abc import Iterator

import pytest

from infra.local.webhook_target import Recorder, recording
from tests.support.deployed.stack import Stack, deployed


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """The deployed stack; ``TIMEGATE_E2E_AUTH=1`` lets the cloud enforce every IAM policy."""
    auth = os.environ.get("TIMEGATE_E2E_AUTH") == "1"
    with deployed(tmp_path_factory.mktemp("cloud"), auth=auth) as stack:
        yield stack


@pytest.fixture(scope="session")
def recorder() -> Iterator[Recorder]:
    """A target on this machine."""
    with recording() as recorder:
        yield recorder


@pytest.fixture(autouse=True)
def no_job_outlives_its_test(stack: Stack) -> Iterator[None]:
    """What fires for ever would keep the queues and the planner busy under the next test."""
    yield
    listed = stack.api.get("/v1/jobs", params={"status": "active", "limit": "100"})
    for job in listed.json()["items"]:
        stack.api.delete(f"/v1/jobs/{job['job_id']}")
