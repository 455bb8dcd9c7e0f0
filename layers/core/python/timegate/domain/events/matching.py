"""Matching an event against patterns, within a budget of steps for all patterns of an event.

A list in an event matches where one of its elements does. All fields of one object of a pattern
match within the same element.
"""

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from timegate.domain.events.patterns import (
    ANYTHING_BUT,
    EXISTS,
    IGNORE_CASE,
    NUMERIC,
    OR,
    PREFIX,
    SUFFIX,
)
from timegate.domain.values.errors import InvalidInput
from timegate.value_classes import dataclass

#: Steps of all triggers that one event is compared with.
MAX_STEPS = 250_000
#: Comparing so many characters takes no longer than a step.
_CHARACTERS_PER_STEP = 64
_ABSENT = object()
_Holds: TypeAlias = Callable[[object], bool]
_Compare: TypeAlias = Callable[[float, float], bool]
_COMPARE: Mapping[str, _Compare] = {
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
        steps.spend(len(rules))
        values = [*_values(found, steps)]
        return _is_listed(rules, values, steps) or any(
            _holds(rule, values, steps) for rule in rules if isinstance(rule, Mapping)
        )
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


def _is_listed(rules: Sequence[object], values: Sequence[object], steps: StepBudget) -> bool:
    """Tell if one of the values is one that the rules list by itself."""
    listed = {_key(each) for each in rules if not isinstance(each, Mapping)} if values else ()
    return bool(listed) and any(_paid(each, steps) and _key(each) in listed for each in values)


def _holds(rule: Mapping[str, object], values: Sequence[object], steps: StepBudget) -> bool:
    """Tell if one of the values is as the rule says."""
    ((name, wanted),) = rule.items()
    if name == EXISTS:
        return bool(values) is (wanted is True)
    if not values:
        return False
    texts = _listed(wanted)
    steps.spend(len(texts) + sum(_long(each) for each in texts))
    holds = _OPERATORS[name](wanted)
    return any(_paid(each, steps) and holds(each) for each in values)


def _paid(value: object, steps: StepBudget) -> bool:
    steps.spend(1 + _long(value))
    return True


def _long(value: object) -> int:
    """Count the steps that a value takes by its length: those of all texts in a rule's object."""
    if isinstance(value, Mapping):
        return sum(1 + _long(each) for inner in value.values() for each in _listed(inner))
    return len(value) // _CHARACTERS_PER_STEP if isinstance(value, str) else 0


def _key(value: object) -> object:
    """Return what equal JSON has in common: 1 is 1.0 and is not true. An object equals nothing."""
    if isinstance(value, Mapping):
        return _ABSENT
    return (value,) if isinstance(value, bool) else value


def _begins(wanted: object) -> _Holds:
    return _has_end(str.startswith, wanted)


def _ends(wanted: object) -> _Holds:
    return _has_end(str.endswith, wanted)


def _has_end(has: Callable[[str, tuple[str, ...]], bool], wanted: object) -> _Holds:
    if isinstance(wanted, Mapping):
        folded = (_folded(wanted[IGNORE_CASE]),)
        return lambda value: isinstance(value, str) and has(_folded(value), folded)
    ends = tuple(map(str, _listed(wanted)))
    return lambda value: isinstance(value, str) and has(value, ends)


def _is_in_any_case(wanted: object) -> _Holds:
    folded = {_folded(each) for each in _listed(wanted)}
    return lambda value: isinstance(value, str) and _folded(value) in folded


def _is_other(unwanted: object) -> _Holds:
    if isinstance(unwanted, Mapping):
        ((name, texts),) = unwanted.items()
        holds = _OPERATORS[name](texts)
        return lambda value: not isinstance(value, Mapping) and not holds(value)
    keys = {_key(each) for each in _listed(unwanted)}
    return lambda value: not isinstance(value, Mapping) and _key(value) not in keys


def _compares(wanted: object) -> _Holds:
    parts = _listed(wanted)
    signs = [_COMPARE[str(sign)] for sign in parts[::2]]
    pairs = [*zip(signs, map(_number, parts[1::2]), strict=True)]
    return lambda value: _is_number_so(value, pairs)


def _is_number_so(value: object, pairs: Sequence[tuple[_Compare, float]]) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return all(compare(value, bound) for compare, bound in pairs)


def _number(value: object) -> float:
    return value if isinstance(value, int | float) else float(str(value))


def _folded(text: object) -> str:
    return str(text).casefold()


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


#: Each operator makes the comparison of a rule once, however many values are compared.
_OPERATORS: Mapping[str, Callable[[object], _Holds]] = {
    PREFIX: _begins,
    SUFFIX: _ends,
    IGNORE_CASE: _is_in_any_case,
    ANYTHING_BUT: _is_other,
    NUMERIC: _compares,
}
