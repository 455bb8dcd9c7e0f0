"""Threads of the product run one after the other in property tests."""

from collections.abc import Iterator

import pytest

from tests.support.pools.inline_pool import without_pools_of_threads


@pytest.fixture(scope="package", autouse=True)
def one_after_the_other() -> Iterator[None]:
    """Threads would make each story another one; those who race do so in ``tests/contract``."""
    with without_pools_of_threads():
        yield
