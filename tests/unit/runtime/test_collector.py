"""The garbage collector pauses while Lambda imports a handler, and at no other time."""

import gc
from collections.abc import Iterator

import pytest

from timegate.runtime.environment import pause_collector
from timegate.runtime.telemetry import resume_collector


@pytest.fixture(autouse=True)
def collecting() -> Iterator[None]:
    """The collector of these tests works before and after each of them."""
    yield
    gc.enable()


def test_it_pauses_for_the_handler_that_lambda_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Objects that were imported by then are looked through no more."""
    monkeypatch.setenv("_HANDLER", "relay.handler.handle")
    frozen = gc.get_freeze_count()
    pause_collector("relay")
    assert not gc.isenabled()

    resume_collector()
    assert gc.isenabled()
    assert gc.get_freeze_count() > frozen


@pytest.mark.parametrize("named", [None, "", "workers.handler.handle", "apis.handler.handle"])
def test_it_works_on_elsewhere(monkeypatch: pytest.MonkeyPatch, named: str | None) -> None:
    """A program, a test and another function that import this one's modules collect garbage."""
    monkeypatch.delenv("_HANDLER", raising=False)
    if named is not None:
        monkeypatch.setenv("_HANDLER", named)
    frozen = gc.get_freeze_count()
    pause_collector("api")

    assert gc.isenabled()
    resume_collector()
    # Fewer are left where frozen ones of an earlier test are gone; pausing adds thousands.
    assert gc.get_freeze_count() <= frozen
