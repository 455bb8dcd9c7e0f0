"""Expectations: what a simulation must come to, for a CI of their owner."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from timegate.domain.jobs.notification import Occasion
from timegate.domain.rules.rule import StreakCondition
from timegate.domain.runs.run import Reason
from timegate.domain.simulation.notices.told import RECOVERED
from timegate.domain.simulation.parsing.fields import Fields, whole
from timegate.domain.values.errors import InvalidInput

_MOST = 1_000_000_000
_AT_MOST = "max_lateness_ms"
_NUMBERS = ("instants", "runs", "failed", "undecided", "missed_deadlines", "will_be_late", _AT_MOST)
_BY_REASON = ("skipped", "cancelled")
_count = whole(0, _MOST)


@dataclass(frozen=True, kw_only=True, slots=True)
class Unmet:
    """A number of the summary that is not as it was expected to be."""

    #: ``skipped.missed_window``, for example.
    field: str
    expected: int
    actual: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Expectation:
    """Numbers of the summary by their field. What is not named may be anything."""

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


def read_expectation(value: object, path: str) -> Expectation:
    """Read ``expect``; raises ``InvalidInput`` naming the field."""
    given = Fields(value, path)
    there = given.given()
    numbers = {name: given.required(name, _count) for name in _NUMBERS if name in there}
    for state in _BY_REASON:
        if state in there:
            numbers |= given.required(state, partial(_by_reason, state=state))
    if "notices" in there:
        numbers |= given.required("notices", _by_type)
    given.done()
    return Expectation(numbers=numbers)


def _by_reason(value: object, path: str, *, state: str) -> dict[str, int]:
    """A number is the sum over all reasons."""
    if not isinstance(value, Mapping):
        return {state: _count(value, path)}
    numbers = {}
    for reason, expected in value.items():
        if reason not in set(Reason):
            raise InvalidInput(f"{path}.{reason}", "unknown_field", "There is no such reason.")
        numbers[f"{state}.{reason}"] = _count(expected, f"{path}.{reason}")
    return numbers


def _by_type(value: object, path: str) -> dict[str, int]:
    """A number is the sum over all types."""
    if not isinstance(value, Mapping):
        return {"notices": _count(value, path)}
    types = {*Occasion, *StreakCondition, RECOVERED}
    numbers = {}
    for kind, expected in value.items():
        if kind not in types:
            raise InvalidInput(f"{path}.{kind}", "unknown_field", "There is no such notice.")
        numbers[f"notices.{kind}"] = _count(expected, f"{path}.{kind}")
    return numbers


def _actual(summary: Mapping[str, Any], name: str) -> int:
    state, _, reason = name.partition(".")
    value = summary[state]
    if not isinstance(value, Mapping):
        return int(value)
    return int(value.get(reason, 0)) if reason else sum(value.values())
