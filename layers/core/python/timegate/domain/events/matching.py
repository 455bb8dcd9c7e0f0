"""Matching an event against patterns, within a budget of steps for all patterns of an event.

A list in an event matches where one of its elements does. All fields of one object of a pattern
match within the same element.
"""

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence

from timegate.domain.events.patterns import (
    ANYTHING_BUT,
    EXISTS,
    IGNORE_CASE,
    NUMERIC,
    OR,
    PREFIX,
    SUFFIX,
    is_number,
)
from timegate.domain.values.errors import InvalidInput
from timegate.value_classes import dataclass

#: Steps of all triggers that one event is compared with.
MAX_STEPS = 250_000
#: Comparing so many characters takes no longer than a step.
_CHARACTERS_PER_STEP = 64
_ABSENT = object()
_COMPARE: Mapping[str, Callable[[float, float], bool]] = {
    "=": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass(kw_only=True, slots=True)
class StepBudget:
    """Steps that comparing an event may still take."""

    left: int = MAX_STEPS

    def spend(self, steps: int = 1) -> None:
        """Pay for steps; raises ``InvalidInput``: the event has too many values to compare."""
        self.left -= steps
        if self.left < 0:
            detail = f"Comparing it with the event triggers takes more than {MAX_STEPS:,} steps."
            raise InvalidInput("event", "too_complex", detail)


def matches(pattern: Mapping[str, object], event: Mapping[str, object], steps: StepBudget) -> bool:
    """Tell if an event, or an object in it, has what the pattern names; raises ``InvalidInput``."""
    return all(_field(name, rules, event, steps) for name, rules in pattern.items())


def _field(name: str, rules: object, event: Mapping[str, object], steps: StepBudget) -> bool:
    steps.spend()
    if name == OR and isinstance(rules, list):
        return any(matches(each, event, steps) for each in rules)
    found = event.get(name, _ABSENT)
    if isinstance(rules, Mapping):
        return any(matches(rules, each, steps) for each in _objects(found, steps))
    if isinstance(rules, list):
        values = [*_values(found, steps)]
        return any(_holds(rule, values, steps) for rule in rules)
    return False


def _objects(found: object, steps: StepBudget) -> Iterator[Mapping[str, object]]:
    """Yield objects in which a part of a pattern may match: each element of a list, or the value.

    A value that is no object, or absent, counts as an object without fields.
    """
    for each in [*_values(found, steps)] or [None]:
        yield each if isinstance(each, Mapping) else {}


def _values(found: object, steps: StepBudget) -> Iterator[object]:
    """Yield a value, or the elements of a list, those of lists in it included."""
    if found is _ABSENT:
        return
    waiting = [found]
    while waiting:
        each = waiting.pop()
        steps.spend()
        if isinstance(each, list):
            waiting += each
        else:
            yield each


def _holds(rule: object, values: Sequence[object], steps: StepBudget) -> bool:
    """Tell if one of the values is as the rule says."""
    if isinstance(rule, Mapping):
        ((name, wanted),) = rule.items()
        if name == EXISTS:
            return bool(values) is (wanted is True)
        holds = _OPERATORS[name]
        return any(_paid(each, steps) and holds(each, wanted) for each in values)
    return any(_paid(each, steps) and _same(each, rule) for each in values)


def _paid(value: object, steps: StepBudget) -> bool:
    steps.spend(1 + (len(value) // _CHARACTERS_PER_STEP if isinstance(value, str) else 0))
    return True


def _same(value: object, wanted: object) -> bool:
    """Equal as JSON: 1 is 1.0 and is not true."""
    if is_number(value) and is_number(wanted):
        return bool(value == wanted)
    return type(value) is type(wanted) and value == wanted


def _has_prefix(value: object, wanted: object) -> bool:
    if isinstance(wanted, Mapping):
        return isinstance(value, str) and _folded(value).startswith(_folded(wanted[IGNORE_CASE]))
    return isinstance(value, str) and value.startswith(str(wanted))


def _has_suffix(value: object, wanted: object) -> bool:
    if isinstance(wanted, Mapping):
        return isinstance(value, str) and _folded(value).endswith(_folded(wanted[IGNORE_CASE]))
    return isinstance(value, str) and value.endswith(str(wanted))


def _same_in_any_case(value: object, wanted: object) -> bool:
    return isinstance(value, str) and _folded(value) == _folded(wanted)


def _is_other(value: object, unwanted: object) -> bool:
    if isinstance(value, Mapping):
        return False
    if isinstance(unwanted, Mapping):
        ((name, texts),) = unwanted.items()
        holds = _OPERATORS[name]
        return not any(holds(value, each) for each in _listed(texts))
    return not any(_same(value, each) for each in _listed(unwanted))


def _compares(value: object, wanted: object) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    parts = _listed(wanted)
    pairs = zip(parts[::2], parts[1::2], strict=True)
    return all(_COMPARE[str(sign)](value, _number(bound)) for sign, bound in pairs)


def _number(value: object) -> float:
    return value if isinstance(value, int | float) else float(str(value))


def _folded(text: object) -> str:
    return str(text).casefold()


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


_OPERATORS: Mapping[str, Callable[[object, object], bool]] = {
    PREFIX: _has_prefix,
    SUFFIX: _has_suffix,
    IGNORE_CASE: _same_in_any_case,
    ANYTHING_BUT: _is_other,
    NUMERIC: _compares,
}
