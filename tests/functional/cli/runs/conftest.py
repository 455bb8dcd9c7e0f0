"""A zone of the machine, for tests of moments."""

from collections.abc import Iterator
from time import tzset

import pytest


@pytest.fixture
def berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """This machine's zone."""
    monkeypatch.setenv("TZ", "Europe/Berlin")
    tzset()
    yield
    monkeypatch.undo()
    tzset()
