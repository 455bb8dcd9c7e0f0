"""A process looks for more messages while its calls last, and less often where few come."""

from datetime import timedelta

import pytest

from tests.support.factories import NOW, after
from timegate.domain.runs.gate import (
    LEAST_SHARE,
    LONG_CALL,
    LONGEST_PAUSE,
    LOOK_PAUSE,
    gathers_until,
    has_long_call,
    next_pause,
)


@pytest.mark.parametrize(
    ("start", "expected"),
    [(None, False), (after(1), False), (NOW, False), (NOW - LONG_CALL, True)],
    ids=["no call", "held until its instant", "just begun", "long"],
)
def test_a_call_is_long_once_it_has_lasted_a_second(start: object, *, expected: bool) -> None:
    """A run that its executor holds until its instant is no call yet."""
    assert has_long_call(start, now=NOW) is expected  # type: ignore[arg-type]


def test_a_look_that_brings_all_it_asked_for_is_followed_by_another_at_once() -> None:
    """A queue with few messages has a short pause, and an empty one a longer one."""
    nothing = timedelta(0)
    empty = [LOOK_PAUSE]
    for _ in range(5):
        empty.append(next_pause(empty[-1], received=0, asked=10))

    assert next_pause(LOOK_PAUSE, received=10, asked=10) == nothing
    assert next_pause(LONGEST_PAUSE, received=3, asked=10) == LOOK_PAUSE
    assert next_pause(nothing, received=0, asked=10) == LOOK_PAUSE
    assert empty[-1] == LONGEST_PAUSE
    assert empty == sorted(empty)


def test_processes_that_began_together_stop_taking_messages_one_by_one() -> None:
    """Each takes them for a part of its time that chance decides."""
    ends = [gathers_until(NOW, after(100), chance) for chance in (0, 0.5, 1)]

    assert ends == [after(100 * LEAST_SHARE), after(65), after(100)]
