"""Runs of two tenants, to be sealed."""

import pytest

from tests.support.factories import OTHER_TENANT, TENANT
from tests.unit.usecases.archive.sealing import Sealer
from tests.unit.usecases.archive.test_archive_round import DAY


@pytest.fixture
def sealer() -> Sealer:
    """Two tenants: runs end on both sides of the end of November."""
    sealer = Sealer()
    for number, name in enumerate("abcde"):
        sealer.end_of(TENANT, name, number * 3 * DAY)
    sealer.end_of(OTHER_TENANT, "f", 10)
    return sealer
