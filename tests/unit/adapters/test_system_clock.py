"""The machine's clock, with sleeps that move it."""

import time
from datetime import UTC

import pytest
import time_machine

from tests.support.factories import NOW, after
from timegate.adapters.system_clock import SystemClock


def test_now_is_aware_and_never_later_than_it_is() -> None:
    """Instants are stored in milliseconds; rounding up would let a run start early."""
    with time_machine.travel(after(0.0019), tick=False):
        now = SystemClock().now()

    assert now == after(0.001)
    assert now.tzinfo is UTC


def test_waiting_never_ends_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sleep may: what counts is what the clock says afterwards."""
    slept: list[float] = []
    with time_machine.travel(NOW, tick=False) as traveller:

        def oversleep_never(seconds: float) -> None:
            slept.append(seconds)
            traveller.shift(min(seconds, 0.4))

        monkeypatch.setattr(time, "sleep", oversleep_never)
        SystemClock().wait_until(after(1))
        reached = SystemClock().now()

    assert reached == after(1)
    assert slept == pytest.approx([1.0, 0.6, 0.2])


def test_an_instant_that_has_passed_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Late work starts at once."""
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    with time_machine.travel(NOW, tick=False):
        SystemClock().wait_until(NOW)
        SystemClock().wait_until(after(-1))

    assert slept == []
