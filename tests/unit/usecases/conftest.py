"""The stage that use cases are tried on; a test that begins with more makes its own ``world``."""

from collections.abc import Iterator
from contextlib import nullcontext

import pytest

from tests.courses import COURSE, Course
from tests.support.pools.inline_pool import without_pools_of_threads
from tests.support.world import World


@pytest.fixture(scope="package", autouse=True)
def one_after_the_other() -> Iterator[None]:
    """Ticks begin dozens of threads, which took a quarter of the time; later courses begin them."""
    with without_pools_of_threads() if COURSE is Course.SHORT else nullcontext():
        yield


@pytest.fixture
def world() -> World:
    """All of it, at the start."""
    return World()
