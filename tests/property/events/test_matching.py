"""Patterns match as if each list of an event were one of its elements, whichever."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from timegate.domain.events.matching import StepBudget, matches
from timegate.domain.events.patterns import check_pattern

_ABSENT = object()
NAMES = st.sampled_from(["a", "b", "c"])
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 2), st.sampled_from(["", "x", "X", "xy", "yx"])
)
TEXTS = st.sampled_from(["x", "X", "y", "xy"])
RULES = st.one_of(
    SCALARS,
    st.builds(lambda value: {"exists": value}, st.booleans()),
    st.builds(lambda value: {"prefix": value}, TEXTS),
    st.builds(lambda value: {"suffix": value}, TEXTS),
    st.builds(lambda value: {"equals-ignore-case": value}, TEXTS),
    st.builds(lambda values: {"anything-but": values}, st.lists(SCALARS, min_size=1, max_size=3)),
    st.builds(lambda low, high: {"numeric": [">", low, "<=", high]}, *[st.integers(-2, 2)] * 2),
)
PATTERNS = st.recursive(
    st.dictionaries(NAMES, st.lists(RULES, min_size=1, max_size=3), max_size=3),
    lambda inner: st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=4,
)
EVENTS = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=3)),
    max_leaves=8,
)


def elements(value: object) -> Iterator[object]:
    """A value, or each element of a list; of an empty one nothing."""
    if isinstance(value, list):
        if not value:
            yield _ABSENT
        for each in value:
            yield from elements(each)
    else:
        yield value


def variants(event: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Every event without lists that the event may stand for."""
    fields = [[(name, each) for each in shapes(value)] for name, value in event.items()]
    for chosen in product(*fields):
        yield {name: value for name, value in chosen if value is not _ABSENT}


def shapes(value: object) -> Iterator[object]:
    """Every value without lists that a value may stand for."""
    found = [*elements(value)]
    if isinstance(value, list) and len(found) > 1:
        found = [each for each in found if each is not _ABSENT] or found
    for each in found:
        if isinstance(each, dict):
            yield from variants(each)
        else:
            yield each


def plainly(pattern: object, value: object) -> bool:
    """Tell if a value without lists matches, written as the documentation says it."""
    if isinstance(pattern, dict):
        fields = value if isinstance(value, dict) else {}
        return all(plainly(rules, fields.get(name, _ABSENT)) for name, rules in pattern.items())
    assert isinstance(pattern, list)
    return any(plain_rule(rule, value) for rule in pattern)


def plain_rule(rule: Any, value: Any) -> Any:  # noqa: ANN401, PLR0911 - any JSON
    """Tell if one rule matches a value."""
    if isinstance(rule, dict):
        ((name, wanted),) = rule.items()
        if name == "exists":
            return (value is not _ABSENT) is wanted
        if value is _ABSENT or isinstance(value, dict):
            return False
        is_text = isinstance(value, str)
        is_number = isinstance(value, int) and not isinstance(value, bool)
        match name:
            case "prefix":
                return is_text and value[: len(wanted)] == wanted
            case "suffix":
                return is_text and value[-len(wanted) :] == wanted
            case "equals-ignore-case":
                return is_text and value.lower() == wanted.lower()
            case "anything-but":
                return all(as_json(value) != as_json(each) for each in wanted)
        return is_number and wanted[1] < value <= wanted[3]
    return as_json(value) == as_json(rule)


def as_json(value: object) -> tuple[str, object]:
    """A scalar with its type: true is not one."""
    return type(value).__name__, value


@given(PATTERNS, st.dictionaries(NAMES, EVENTS, max_size=3))
def test_an_event_matches_if_one_of_its_variants_does(
    pattern: dict[str, Any], event: dict[str, Any]
) -> None:
    """The oracle tries every choice of elements; the matcher looks at each value once or twice."""
    check_pattern(pattern)
    expected = any(plainly(pattern, each) for each in variants(event))

    assert matches(pattern, event, StepBudget()) is expected
