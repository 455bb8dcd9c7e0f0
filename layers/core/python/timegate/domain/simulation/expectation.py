"""Expectations: what a simulation must come to, for a CI of their owner."""

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from timegate.value_classes import dataclass

_AT_MOST = "max_lateness_ms"


@dataclass(frozen=True, kw_only=True, slots=True)
class Unmet:
    """A number of the summary that is not as it was expected to be."""

    #: ``skipped.missed_window``, for example.
    field: str
    expected: int
    actual: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Expectation:
    """Numbers of the summary by their field. A field that is not named may have any value."""

    numbers: Mapping[str, int] = field(default_factory=dict)

    def unmet(self, summary: Mapping[str, Any]) -> tuple[Unmet, ...]:
        """List the differences from the summary; lateness is expected to be at most as given."""
        found = []
        for name, expected in self.numbers.items():
            actual = _actual(summary, name)
            as_expected = actual <= expected if name == _AT_MOST else actual == expected
            if not as_expected:
                found.append(Unmet(field=name, expected=expected, actual=actual))
        return tuple(found)


def _actual(summary: Mapping[str, Any], name: str) -> int:
    state, _, reason = name.partition(".")
    value = summary[state]
    if not isinstance(value, Mapping):
        return int(value)
    return int(value.get(reason, 0)) if reason else sum(value.values())
