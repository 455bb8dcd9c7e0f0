"""One deployed stack and one webhook target for the whole session."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from infra.local.webhook_target import Recorder, recording
from tests.support.command_line import CommandLine
from tests.support.deployed.stack import Stack, deployed
from tests.support.targets.certificates import Authority


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """Make the authority that the stack's functions trust."""
    return Authority.create(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory, authority: Authority) -> Iterator[Stack]:
    """The deployed stack; ``TIMEGATE_E2E_AUTH=1`` lets the cloud enforce every IAM policy."""
    auth = os.environ.get("TIMEGATE_E2E_AUTH") == "1"
    home = tmp_path_factory.mktemp("cloud")
    with deployed(home, auth=auth, authority=authority.file) as stack:
        yield stack


@pytest.fixture(scope="session")
def recorder() -> Iterator[Recorder]:
    """A target on this machine."""
    with recording() as recorder:
        yield recorder


@pytest.fixture(scope="session")
def secure_recorder(authority: Authority) -> Iterator[Recorder]:
    """A target on this machine that speaks HTTPS."""
    with recording(authority.server("localhost")) as recorder:
        yield recorder


@pytest.fixture
def timegate(stack: Stack, tmp_path: Path) -> CommandLine:
    """Run commands as the first tenant."""
    return CommandLine.of_first(stack, tmp_path)


@pytest.fixture(autouse=True)
def no_job_outlives_its_test(stack: Stack) -> Iterator[None]:
    """A job that fires for ever would keep queues and planner busy under the next test."""
    yield
    listed = stack.api.get("/v1/jobs", params={"status": "active", "limit": "100"})
    for job in listed.json()["items"]:
        stack.api.delete(f"/v1/jobs/{job['job_id']}")
