"""Processor time in plain loops: neither the speed of the machine nor its other work counts."""

from collections.abc import Callable
from time import process_time

_STEPS = 50_000
_TRIES = 3


def effort_of(work: Callable[[], object], enough: float) -> float:
    """Return the least effort of three tries; of fewer, when one takes at most ``enough``."""
    found = []
    for _ in range(_TRIES):
        before = _seconds_of(_plain_loop)
        seconds = _seconds_of(work)
        found.append(seconds / max(before, _seconds_of(_plain_loop)))
        if found[-1] <= enough:
            break
    return min(found)


def _seconds_of(work: Callable[[], object]) -> float:
    begun = process_time()
    work()
    return process_time() - begun


def _plain_loop() -> None:
    counts: dict[int, int] = {}
    for number in range(_STEPS):
        counts[number % 97] = counts.get(number % 89, 0) + 1
