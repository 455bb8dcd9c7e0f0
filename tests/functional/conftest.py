"""Fixtures of all functional tests."""

from collections.abc import Iterator

import pytest

#: Longer than any process takes that ends by itself, on however busy a machine.
_PATIENCE_SECONDS = 600.0


@pytest.fixture(scope="session", autouse=True)
def no_clock_on_the_wall_ends_a_process() -> Iterator[None]:
    """A file is read by a process of its own, whose processor time is bounded as in production.

    The other bound is of seconds on the wall: on a busy machine a process takes as many to begin.
    Tests about that bound name it.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("api.ical.isolated.TIMEOUT_SECONDS", _PATIENCE_SECONDS)
        yield
