"""The stage that use cases are tried on; a test that begins with more makes its own ``world``."""

import pytest

from tests.support.world import World


@pytest.fixture
def world() -> World:
    """All of it, at the start."""
    return World()
