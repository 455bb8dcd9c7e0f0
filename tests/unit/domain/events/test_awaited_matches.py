"""Patterns over the data of the event that a task waits for."""

import json
from datetime import timedelta
from typing import Any

import pytest

from tests.support.factories import NOW
from timegate.domain.events.awaited_event import AwaitedEvent, awaited_problems
from timegate.domain.events.event import MAX_EVENT_BYTES, Event, ReceivedEvent
from timegate.domain.events.patterns import MAX_RULES

DATA = {"state": "paid", "amount": 42, "tags": ["new", "vip"], "ok": True, "to": {"zip": "10115"}}


def awaited(pattern: object) -> AwaitedEvent:
    """An event of an order whose data match a pattern."""
    return AwaitedEvent(type="order.paid", correlation='"4711"', match=json.dumps(pattern))


def counts(pattern: object, data: object) -> bool:
    """Tell if an event with such data ends the task."""
    event = Event(
        id="1",
        source="shop",
        type="order.paid",
        correlation="4711",
        attributes="{}",
        data=json.dumps(data),
    )
    received = ReceivedEvent(event=event, received_at=NOW)
    return awaited(pattern).counts(received, begun_at=NOW, until=NOW + timedelta(hours=1))


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
    assert list(awaited_problems(awaited(pattern), "event")) == []
    assert counts(pattern, DATA) is expected


@pytest.mark.parametrize("data", [None, [], "text", 3])
def test_data_that_is_no_object_has_no_fields(data: object) -> None:
    """A pattern that asks for a field does not match it."""
    assert not counts({"state": ["paid"]}, data)
    assert counts({"state": [{"exists": False}]}, data)


def test_null_matches_null_alone() -> None:
    """A missing field is not null."""
    assert counts({"a": [None]}, {"a": None})
    assert not counts({"a": [None]}, {"a": 0})


def test_the_largest_event_is_compared_with_the_largest_pattern() -> None:
    """A list of values is looked up: it takes a step for each value of the event."""
    values = [0] * (MAX_EVENT_BYTES // 4)
    pattern = {"a": [n + 1 for n in range(MAX_RULES)]}

    assert not counts(pattern, {"a": values})
    assert counts({"a": [*pattern["a"][1:], 0]}, {"a": values})


def test_an_event_that_takes_too_many_steps_does_not_count() -> None:
    """A look at a DAG run compares all events of a key: one event took four seconds."""
    ranges = [{"numeric": [">", bound]} for bound in range(1, 60)]
    pattern = {"a": [*ranges, {"numeric": ["<=", 0]}]}

    assert counts(pattern, {"a": [0] * 1000})
    assert not counts(pattern, {"a": [0] * (MAX_EVENT_BYTES // 4)})


@pytest.mark.parametrize(
    ("pattern", "field", "code"),
    [
        ([], "event.match", "invalid_pattern"),
        ({"a": []}, "event.match.a", "invalid_pattern"),
        ({"a": [{"like": "b"}]}, "event.match.a.0", "unknown_operator"),
        ({"a": [0] * (MAX_RULES + 1)}, "event.match", "too_complex"),
    ],
)
def test_problems_name_their_place(pattern: object, field: str, code: str) -> None:
    """A problem names its field of the pattern; the pattern language has its own tests."""
    (problem,) = awaited_problems(awaited(pattern), "event")

    assert (problem.field, problem.code) == (field, code)
