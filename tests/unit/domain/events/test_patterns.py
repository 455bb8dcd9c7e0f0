"""Patterns that mean nothing are refused, with the place in them."""

from typing import Any

import pytest

from timegate.domain.events.patterns import MAX_DEPTH, MAX_RULES, check_pattern
from timegate.domain.values.errors import InvalidInput


def nested(depth: int) -> dict[str, Any]:
    """A pattern of so many objects within one another."""
    pattern: dict[str, Any] = {"a": [1]}
    for _ in range(depth - 1):
        pattern = {"a": pattern}
    return pattern


@pytest.mark.parametrize(
    "pattern",
    [
        {},
        {"a": ["x", 1, 1.5, True, None]},
        {"a": {"b": [{"exists": False}]}},
        {"a": [{"prefix": "x"}, {"suffix": {"equals-ignore-case": "y"}}]},
        {"a": [{"anything-but": ["x", 1]}, {"anything-but": {"prefix": ["x", "y"]}}]},
        {"a": [{"numeric": ["=", 1]}, {"numeric": [">", 0, "<", 2.5]}]},
        {"$or": [{"a": [1]}, {"b": [2]}]},
        nested(MAX_DEPTH),
        {"a": [*range(MAX_RULES)]},
        {"a": [{"anything-but": [*range(MAX_RULES)]}]},
    ],
    ids=str,
)
def test_a_pattern_is_taken(pattern: dict[str, Any]) -> None:
    """Every operator, up to the limits."""
    check_pattern(pattern)


@pytest.mark.parametrize(
    ("pattern", "field", "code"),
    [
        ([], "pattern", "invalid_pattern"),
        ({"a": "x"}, "pattern.a", "invalid_pattern"),
        ({"a": {"b": 1}}, "pattern.a.b", "invalid_pattern"),
        ({"a": []}, "pattern.a", "invalid_pattern"),
        ({"a": [["x"]]}, "pattern.a.0", "invalid_pattern"),
        ({"a": [{}]}, "pattern.a.0", "invalid_pattern"),
        ({"a": [{"prefix": "x", "suffix": "y"}]}, "pattern.a.0", "invalid_pattern"),
        ({"a": ["x", {"wildcard": "*"}]}, "pattern.a.1", "unknown_operator"),
        ({"a": [{"exists": 1}]}, "pattern.a.0.exists", "invalid_pattern"),
        ({"a": [{"prefix": ""}]}, "pattern.a.0.prefix", "invalid_pattern"),
        ({"a": [{"suffix": {"prefix": "x"}}]}, "pattern.a.0.suffix", "invalid_pattern"),
        ({"a": [{"equals-ignore-case": 1}]}, "pattern.a.0.equals-ignore-case", "invalid_pattern"),
        ({"a": [{"anything-but": []}]}, "pattern.a.0.anything-but", "invalid_pattern"),
        ({"a": [{"anything-but": [[1]]}]}, "pattern.a.0.anything-but", "invalid_pattern"),
        ({"a": [{"anything-but": {"numeric": 1}}]}, "pattern.a.0.anything-but", "invalid_pattern"),
        ({"a": [{"anything-but": {"prefix": 1}}]}, "pattern.a.0.anything-but", "invalid_pattern"),
        ({"a": [{"numeric": [">"]}]}, "pattern.a.0.numeric", "invalid_pattern"),
        ({"a": [{"numeric": [">", "1"]}]}, "pattern.a.0.numeric", "invalid_pattern"),
        ({"a": [{"numeric": [">", True]}]}, "pattern.a.0.numeric", "invalid_pattern"),
        ({"a": [{"numeric": ["!=", 1]}]}, "pattern.a.0.numeric", "invalid_pattern"),
        ({"a": [{"numeric": [1, 1]}]}, "pattern.a.0.numeric", "invalid_pattern"),
        ({"a": [{"numeric": [">", 1, "<", 2, "=", 3]}]}, "pattern.a.0.numeric", "invalid_pattern"),
        ({"$or": [{"a": [1]}]}, "pattern.$or", "invalid_pattern"),
        ({"$or": [{"a": [1]}, {"b": 2}]}, "pattern.$or.1.b", "invalid_pattern"),
        (nested(MAX_DEPTH + 1), f"pattern{'.a' * MAX_DEPTH}", "too_complex"),
        ({"a": [*range(MAX_RULES + 1)]}, "pattern", "too_complex"),
        ({"a": [{"anything-but": [*range(MAX_RULES + 1)]}]}, "pattern", "too_complex"),
    ],
    ids=str,
)
def test_a_pattern_is_refused(pattern: Any, field: str, code: str) -> None:  # noqa: ANN401
    """The field is the place in it."""
    with pytest.raises(InvalidInput) as refused:
        check_pattern(pattern)

    assert (refused.value.field, refused.value.code) == (field, code)
