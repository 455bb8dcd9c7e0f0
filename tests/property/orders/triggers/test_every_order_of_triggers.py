"""Triggers in every order: those that meet collapse into one run, and none is lost or doubled."""

from typing import Any

import pytest

from tests.property.orders.exploring import explore
from tests.property.orders.processes import Fault
from tests.property.orders.triggers.trigger_game import Caller, TriggerGame
from timegate.domain.limits.collapse import Collapse, CollapseMode

ONE, KEYED, PAIR = Caller(), Caller(key="k"), Caller(key="b", batch=2)
SOON_OVER = Caller(expires=5)
LAST = Collapse(span_seconds=10)
BRIEF = Collapse(span_seconds=10, max_wait_seconds=15)
FIRST = Collapse(mode=CollapseMode.FIRST)
SINGLE = Collapse(mode=CollapseMode.SINGLE)
LOST = {Fault.ASKED_AGAIN: 1, Fault.UNANSWERED: 1}
SHORT: dict[str, dict[str, Any]] = {
    "last: two meet a claim": {
        "rule": LAST,
        "waits": ONE,
        "callers": [ONE, ONE],
        "may": {"deliveries": 1},
    },
    "first: two meet a claim": {
        "rule": FIRST,
        "waits": ONE,
        "callers": [ONE, ONE],
        "may": {"deliveries": 1},
    },
    "single: two meet a claim and its end": {
        "rule": SINGLE,
        "waits": ONE,
        "callers": [ONE, ONE],
        "may": {"deliveries": 1},
    },
    "last: one meets a claim and a cancel": {
        "rule": LAST,
        "waits": ONE,
        "callers": [ONE],
        "may": {"deliveries": 1, "cancels": 1},
    },
    "single: one meets a claim and a cancel": {
        "rule": SINGLE,
        "waits": ONE,
        "callers": [ONE],
        "may": {"deliveries": 1, "cancels": 1},
    },
    "last: a key comes twice": {
        "rule": LAST,
        "waits": ONE,
        "callers": [KEYED, KEYED],
        "may": {"deliveries": 1},
    },
    "a key comes twice": {"rule": None, "callers": [KEYED, KEYED], "may": {**LOST}},
    "last: a batch comes twice": {"rule": LAST, "callers": [PAIR, PAIR]},
    "last: answers are lost": {
        "rule": LAST,
        "waits": ONE,
        "callers": [KEYED],
        "may": {"deliveries": 1, **LOST},
    },
    "first: answers are lost to one without a key": {
        "rule": FIRST,
        "waits": ONE,
        "callers": [ONE],
        "may": {"deliveries": 1, **LOST},
    },
    "last: answers are lost to one without a key": {"rule": LAST, "callers": [ONE], "may": LOST},
    "last: one meets a delete": {
        "rule": LAST,
        "waits": ONE,
        "callers": [ONE],
        "may": {"deliveries": 1, "deletes": 1},
    },
    "last: one meets an edit": {
        "rule": LAST,
        "waits": ONE,
        "callers": [ONE],
        "may": {"deliveries": 1, "edits": 1},
    },
    "last: its window closes": {
        "rule": BRIEF,
        "waits": ONE,
        "callers": [ONE, ONE],
        "may": {"passes": 1},
    },
    "first: what stands expires": {
        "rule": FIRST,
        "waits": SOON_OVER,
        "callers": [SOON_OVER],
        "may": {"passes": 1, "deliveries": 1},
    },
    "first: one meets a claim and a cancel": {
        "rule": FIRST,
        "waits": ONE,
        "callers": [ONE],
        "may": {"deliveries": 1, "cancels": 1},
    },
    "first: a batch meets another trigger": {"rule": FIRST, "callers": [PAIR, ONE]},
}
WIDE: dict[str, dict[str, Any]] = {
    "last: three meet": {"rule": LAST, "callers": [ONE, ONE, ONE]},
    "last: one meets an edit and a pause": {
        "rule": LAST,
        "waits": ONE,
        "callers": [ONE],
        "may": {"deliveries": 1, "edits": 1, "pauses": 1},
    },
}


@pytest.mark.parametrize("scope", SHORT)
def test_triggers_are_each_in_one_run_in_every_order(scope: str) -> None:
    assert explore(TriggerGame(**SHORT[scope])) > 1


@pytest.mark.wide
@pytest.mark.parametrize("scope", WIDE)
def test_triggers_are_each_in_one_run_in_every_order_of_more(scope: str) -> None:
    assert explore(TriggerGame(**WIDE[scope])) > 1
