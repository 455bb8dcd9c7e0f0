"""A stack whose clock can be set, for faults that take hours."""

from collections.abc import Iterator

import pytest

from infra.local.webhook_target import Recorder
from tests.e2e.alarms.load_faults import LoadFaults
from tests.support.deployed.stack import Stack, deployed


@pytest.fixture(scope="module")
def settable(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A stack whose clock can be set, and which enforces IAM."""
    with deployed(tmp_path_factory.mktemp("settable"), auth=True, settable=True) as stack:
        yield stack


@pytest.fixture(scope="module")
def faults(
    settable: Stack, recorder: Recorder, tmp_path_factory: pytest.TempPathFactory
) -> LoadFaults:
    """Faults of load on that stack, and its clock."""
    assert settable.cloud.clock is not None
    folder = tmp_path_factory.mktemp("clocks")
    return LoadFaults(settable, recorder, settable.cloud.clock, folder)
