"""Processor time in plain loops: neither the speed of the machine nor its other work counts."""

from collections.abc import Callable
from time import process_time

_STEPS = 50_000
_TRIES = 3


def effort_of(work: Callable[[], object], enough: float) -> float:
    """Return the least effort of three tries; of fewer, when one takes at most ``enough``."""

    def effort() -> float:
        before = seconds_of(_plain_loop)
        seconds = seconds_of(work)
        return seconds / max(before, seconds_of(_plain_loop))

    return least(effort, _TRIES, enough)


def least(measure: Callable[[], float], tries: int, enough: float) -> float:
    """Return the least of so many measures; none follows one of at most ``enough``.

    Neighbours on the machine make any one of them larger, never smaller.
    """
    found = []
    for _ in range(tries):
        found.append(measure())
        if found[-1] <= enough:
            break
    return min(found)


def seconds_of(work: Callable[[], object]) -> float:
    """Return the processor time of the work, in seconds."""
    begun = process_time()
    work()
    return process_time() - begun


def _plain_loop() -> None:
    counts: dict[int, int] = {}
    for number in range(_STEPS):
        counts[number % 97] = counts.get(number % 89, 0) + 1
