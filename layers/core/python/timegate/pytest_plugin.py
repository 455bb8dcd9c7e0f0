"""Plug-in for pytest: the fixture ``timegate_run``; nothing is imported before a test asks."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from timegate.testing import Happened


@pytest.fixture
def timegate_run() -> "Callable[..., Happened]":
    """Let a handler work under test: ``timegate.testing.run_handler``."""
    from timegate.testing import run_handler  # noqa: PLC0415 - pytest starts without it

    return run_handler
