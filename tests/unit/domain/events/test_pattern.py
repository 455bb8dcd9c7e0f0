"""Patterns over the data of events."""

from typing import Any

import pytest

from timegate.domain.events.pattern import (
    MAX_ALTERNATIVES,
    MAX_PATTERN_DEPTH,
    matches,
    pattern_problems,
)

DATA = {"state": "paid", "amount": 42, "tags": ["new", "vip"], "ok": True, "to": {"zip": "10115"}}


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ({"state": ["paid"]}, True),
        ({"state": ["open", "paid"]}, True),
        ({"state": ["open"]}, False),
        ({"state": ["paid"], "amount": [41]}, False),
        ({"amount": [42.0]}, True),
        ({"ok": [True]}, True),
        ({"ok": [1]}, False),
        ({"amount": [True]}, False),
        ({"tags": ["vip"]}, True),
        ({"tags": ["old"]}, False),
        ({"to": {"zip": [{"prefix": "10"}]}}, True),
        ({"to": {"zip": [{"suffix": "16"}]}}, False),
        ({"to": {"city": [{"exists": False}]}}, True),
        ({"to": {"city": [{"exists": True}]}}, False),
        ({"none": {"inner": [{"exists": False}]}}, True),
        ({"state": [{"anything-but": "open"}]}, True),
        ({"state": [{"anything-but": ["open", "paid"]}]}, False),
        ({"none": [{"anything-but": "open"}]}, False),
        ({"none": [None]}, False),
        ({"amount": [{"numeric": [">", 41, "<=", 42]}]}, True),
        ({"amount": [{"numeric": [">", 42]}]}, False),
        ({"amount": [{"numeric": ["<", 42]}]}, False),
        ({"amount": [{"numeric": [">=", 42]}]}, True),
        ({"amount": [{"numeric": ["=", 42]}]}, True),
        ({"ok": [{"numeric": ["=", 1]}]}, False),
        ({"state": [{"numeric": [">", 1]}]}, False),
    ],
)
def test_a_pattern_says_which_data_it_matches(pattern: dict[str, Any], *, expected: bool) -> None:
    """Both sides of each operator."""
    assert list(pattern_problems(pattern, "match")) == []
    assert matches(pattern, DATA) is expected


@pytest.mark.parametrize("data", [None, [], "text", 3])
def test_data_that_is_no_object_has_no_fields(data: object) -> None:
    """A pattern that asks for a field does not match it."""
    assert not matches({"state": ["paid"]}, data)
    assert matches({"state": [{"exists": False}]}, data)


def test_null_matches_null_alone() -> None:
    """A missing field is not null."""
    assert matches({"a": [None]}, {"a": None})
    assert not matches({"a": [None]}, {"a": 0})


@pytest.mark.parametrize(
    ("pattern", "field"),
    [
        ([], "match"),
        ({}, "match"),
        ({"a": "paid"}, "match.a"),
        ({"a": []}, "match.a"),
        ({"a": [["paid"]]}, "match.a.0"),
        ({"a": ["x", {"prefix": "a", "suffix": "b"}]}, "match.a.1"),
        ({"a": [{"prefix": ""}]}, "match.a.0"),
        ({"a": [{"exists": "yes"}]}, "match.a.0"),
        ({"a": [{"anything-but": []}]}, "match.a.0"),
        ({"a": [{"anything-but": [{}]}]}, "match.a.0"),
        ({"a": [{"numeric": [">"]}]}, "match.a.0"),
        ({"a": [{"numeric": ["!", 1]}]}, "match.a.0"),
        ({"a": [{"numeric": [">", True]}]}, "match.a.0"),
        ({"a": [{"numeric": [">", "1"]}]}, "match.a.0"),
        ({"a": [{"cidr": "10.0.0.0/8"}]}, "match.a.0"),
    ],
)
def test_a_pattern_that_cannot_be_read_is_refused(pattern: object, field: str) -> None:
    """The problem names the place."""
    problems = list(pattern_problems(pattern, "match"))

    assert [(each.field, each.code) for each in problems] == [(field, "invalid_pattern")]


def test_a_pattern_is_bounded_in_depth_and_alternatives() -> None:
    """At the bound it is read."""
    deep: dict[str, Any] = {"a": ["x"]}
    for _ in range(MAX_PATTERN_DEPTH - 1):
        deep = {"a": deep}
    many = {"a": ["x"] * MAX_ALTERNATIVES}

    assert list(pattern_problems(deep, "")) == list(pattern_problems(many, "")) == []
    assert [e.code for e in pattern_problems({"a": deep}, "")] == ["too_complex"]
    assert [e.code for e in pattern_problems({**many, "b": ["x"]}, "")] == ["too_complex"]
