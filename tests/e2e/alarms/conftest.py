"""A stack whose clock can be set, for faults that take hours."""

from collections.abc import Iterator

import pytest

from tests.support.deployed.stack import Stack, deployed


@pytest.fixture(scope="module")
def settable(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A stack whose clock can be set, and which enforces IAM."""
    with deployed(tmp_path_factory.mktemp("settable"), auth=True, settable=True) as stack:
        yield stack
