"""Patterns over events: what each operator matches, and what it does not."""

from time import process_time
from typing import Any

import pytest

from timegate.domain.events.matching import MAX_STEPS, StepBudget, matches
from timegate.domain.values.errors import InvalidInput


def holds(pattern: dict[str, Any], event: dict[str, Any]) -> bool:
    """Tell if an event matches, with a fresh budget."""
    return matches(pattern, event, StepBudget())


@pytest.mark.parametrize(
    ("rule", "value", "expected"),
    [
        pytest.param("a", "a", True, id="the same text"),
        pytest.param("a", "A", False, id="another case"),
        pytest.param(1, 1.0, True, id="numbers by value"),
        pytest.param(1, "1", False, id="a text is no number"),
        pytest.param(1, True, False, id="true is no number"),
        pytest.param(True, True, True, id="true"),
        pytest.param(True, 1, False, id="one is not true"),
        pytest.param(None, None, True, id="null"),
        pytest.param(None, 0, False, id="zero is not null"),
        pytest.param({"prefix": "eu-"}, "eu-west-1", True, id="prefix"),
        pytest.param({"prefix": "eu-"}, "us-east-1", False, id="another prefix"),
        pytest.param({"prefix": "eu-"}, 7, False, id="a number has no prefix"),
        pytest.param({"prefix": {"equals-ignore-case": "EU-"}}, "eu-west-1", True, id="prefix, i"),
        pytest.param({"suffix": ".png"}, "a.png", True, id="suffix"),
        pytest.param({"suffix": ".png"}, "a.PNG", False, id="another suffix"),
        pytest.param({"suffix": {"equals-ignore-case": ".png"}}, "a.PNG", True, id="suffix, i"),
        pytest.param({"equals-ignore-case": "Alice"}, "aLICE", True, id="any case"),
        pytest.param({"equals-ignore-case": "alice"}, "alic", False, id="any case, and shorter"),
        pytest.param({"anything-but": "a"}, "b", True, id="but"),
        pytest.param({"anything-but": "a"}, "a", False, id="but this"),
        pytest.param({"anything-but": ["a", 1]}, 1, False, id="but one of these"),
        pytest.param({"anything-but": ["a", 1]}, 2, True, id="but none of these"),
        pytest.param({"anything-but": {"prefix": "eu-"}}, "us-1", True, id="but a prefix"),
        pytest.param({"anything-but": {"prefix": ["eu-", "us-"]}}, "us-1", False, id="prefixes"),
        pytest.param({"anything-but": {"suffix": "x"}}, "ax", False, id="but a suffix"),
        pytest.param({"anything-but": {"equals-ignore-case": ["A"]}}, "a", False, id="but, i"),
        pytest.param({"numeric": [">", 0, "<=", 5]}, 5, True, id="in a range"),
        pytest.param({"numeric": [">", 0, "<=", 5]}, 0, False, id="outside of a range"),
        pytest.param({"numeric": ["=", 3]}, 3.0, True, id="equal"),
        pytest.param({"numeric": [">=", 3]}, 3, True, id="at least"),
        pytest.param({"numeric": ["<", 3]}, 3, False, id="below"),
        pytest.param({"numeric": [">", 0]}, "3", False, id="a text is not compared"),
        pytest.param({"numeric": [">", 0]}, True, False, id="true is not compared"),
        pytest.param({"exists": True}, None, True, id="null is there"),
        pytest.param({"exists": False}, None, False, id="null is not absent"),
        pytest.param({"exists": False}, [], True, id="an empty list is absent"),
        pytest.param({"exists": True}, {}, True, id="an object is there"),
        pytest.param("a", {"a": "a"}, False, id="an object is no text"),
        pytest.param({"anything-but": "a"}, {"b": 1}, False, id="an object is nothing else"),
    ],
)
def test_a_rule_says_which_values_match(rule: object, value: object, expected: bool) -> None:
    """Also within a list, where one element does."""
    assert holds({"field": [rule]}, {"field": value}) is expected
    if value != []:
        assert holds({"field": [rule]}, {"field": [[value]]}) is expected


def test_every_field_matches_and_one_of_its_values() -> None:
    """Both, and not one of them."""
    pattern = {"type": ["order.paid", "order.sent"], "data": {"total": [{"numeric": [">", 100]}]}}

    assert holds(pattern, {"type": "order.sent", "data": {"total": 101}})
    assert not holds(pattern, {"type": "order.sent", "data": {"total": 100}})
    assert not holds(pattern, {"type": "order.lost", "data": {"total": 101}})
    assert not holds(pattern, {"type": "order.sent"})


def test_a_pattern_of_nothing_matches_everything() -> None:
    """Also an event without data."""
    assert holds({}, {})


def test_what_is_absent_matches_nothing_but_its_absence() -> None:
    """A field is absent if its object is absent or no object."""
    absent = {"data": {"error": [{"exists": False}]}}

    assert not holds({"subject": [{"anything-but": "a"}]}, {})
    assert holds(absent, {})
    assert holds(absent, {"data": 7})
    assert holds(absent, {"data": {}})
    assert not holds(absent, {"data": {"error": 1}})


def test_fields_of_an_object_match_in_the_same_element() -> None:
    """Two halves in two elements are no match."""
    pattern = {"items": {"kind": ["a"], "price": [{"numeric": [">", 5]}]}}

    assert holds(pattern, {"items": [{"kind": "b", "price": 9}, {"kind": "a", "price": 6}]})
    assert not holds(pattern, {"items": [{"kind": "b", "price": 9}, {"kind": "a", "price": 5}]})
    assert not holds(pattern, {"items": []})


def test_one_choice_of_several_is_enough() -> None:
    """Beside fields that match in any case."""
    pattern = {"type": ["a"], "$or": [{"x": [1]}, {"y": [2]}]}

    assert holds(pattern, {"type": "a", "x": 0, "y": 2})
    assert holds(pattern, {"type": "a", "x": 1})
    assert not holds(pattern, {"type": "b", "x": 1})
    assert not holds(pattern, {"type": "a", "x": 2, "y": 1})


def test_comparing_ends_at_its_budget() -> None:
    """All patterns of an event share it; the step after the last is refused."""
    steps = StepBudget(left=MAX_STEPS)
    event = {"values": [0] * (MAX_STEPS // 2 - 2)}

    assert not matches({"values": [1]}, event, steps)
    with pytest.raises(InvalidInput) as refused:
        matches({"values": [1]}, event, steps)

    assert (refused.value.field, refused.value.code) == ("event", "too_complex")


def test_long_texts_cost_more() -> None:
    """A step for each 64 characters."""
    short, long = StepBudget(), StepBudget()
    matches({"a": ["x"]}, {"a": "y"}, short)
    matches({"a": ["x"]}, {"a": "y" * 6400}, long)

    assert short.left - long.left == 100


def test_values_that_a_rule_excludes_are_looked_up() -> None:
    """A step for each excluded value, and one for each value of the event: not their product."""
    steps, excluded = StepBudget(), [{"anything-but": [*range(100)]}]

    assert not matches({"a": excluded}, {"a": [99] * 1000}, steps)
    assert MAX_STEPS - steps.left < 2 * 1000 + 2 * 100


def test_rules_cost_steps_where_a_field_is_absent() -> None:
    """A hundred rules took no step for each object without their field."""
    steps = StepBudget()

    assert not matches({"a": {"b": [*range(100)]}}, {"a": [0] * 100}, steps)
    assert MAX_STEPS - steps.left >= 100 * 100


def test_long_texts_of_a_rule_cost_more() -> None:
    """Both sides are folded: a step for each 64 characters of the rule as well."""
    steps = StepBudget()
    rule = {"prefix": {"equals-ignore-case": "é" * 6400}}

    assert not matches({"a": [rule]}, {"a": "é"}, steps)
    assert MAX_STEPS - steps.left >= 100


@pytest.mark.parametrize(
    ("rule", "values"),
    [
        pytest.param({"anything-but": [*range(100)]}, [99] * 32_000, id="excluded numbers"),
        pytest.param({"anything-but": [f"x{n}" for n in range(100)]}, ["x99"] * 12_000, id="texts"),
        pytest.param(
            {"anything-but": {"equals-ignore-case": ["é" * 9] * 99 + ["ß" * 30_000]}},
            ["ß" * 30_000] * 2,
            id="excluded in any case",
        ),
    ],
)
def test_the_budget_bounds_time(rule: object, values: list[object]) -> None:
    """Steps of the dearest rules take less than a second together; they took up to ten."""
    steps, begun = StepBudget(), process_time()

    with pytest.raises(InvalidInput):
        _ = [matches({"a": [rule]}, {"a": values}, steps) for _ in range(1000)]
    assert process_time() - begun < 1
