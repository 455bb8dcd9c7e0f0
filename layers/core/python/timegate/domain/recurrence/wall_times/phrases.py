"""Lists and numbers in words, for every notation of a schedule."""

from collections.abc import Iterable, Sequence

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
#: Shorter rows of neighbours are listed one by one.
_SHORTEST_ROW = 3
_TEENS = range(11, 14)
_SUFFIXES = {1: "st", 2: "nd", 3: "rd"}


def rows(values: Sequence[int], names: Sequence[str] | None = None) -> str:
    """List values in order, each row of three or more neighbours as ``first to last``."""
    found: list[list[int]] = []
    for value in values:
        if found and value == found[-1][-1] + 1:
            found[-1].append(value)
        else:
            found.append([value])
    words = []
    for row in found:
        named = [names[value] if names else str(value) for value in row]
        words += [f"{named[0]} to {named[-1]}"] if len(row) >= _SHORTEST_ROW else named
    return listed(words)


def listed(words: Iterable[str]) -> str:
    """Join words: ``a, b and c``."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def ordinal(number: int) -> str:
    """Write ``1st``, ``2nd``, ``11th``."""
    suffix = "th" if number in _TEENS else _SUFFIXES.get(number % 10, "th")
    return f"{number}{suffix}"
