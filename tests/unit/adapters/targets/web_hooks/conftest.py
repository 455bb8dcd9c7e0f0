"""A program on this machine that web hooks call."""

from collections.abc import Iterator

import pytest

from tests.unit.adapters.targets.web_hooks.http_target import LocalTarget, local_target


@pytest.fixture
def target() -> Iterator[LocalTarget]:
    """Record what it is sent."""
    with local_target() as target:
        yield target
