"""Slots in every order: claims, ends, heartbeats, cancels and faults of few runs of a key."""

from typing import Any

import pytest

from tests.property.orders.exploring import explore
from tests.property.orders.processes import Fault
from tests.property.orders.slots import SlotGame
from timegate.domain.limits.overlap import OverlapPolicy

#: One write of which no answer comes: the client asks again, or the process is told of an error.
LOST = {Fault.ASKED_AGAIN: 1, Fault.UNANSWERED: 1}
SHORT: dict[str, dict[str, Any]] = {
    "a holder ends, and its waiter is cancelled": {
        "holders": 1,
        "waiting": 1,
        "due": 0,
        "may": {"deliveries": 3, "cancels": 1},
    },
    "a message comes twice": {"due": 1, "may": {"deliveries": 2, "copies": 1}},
    "two are due at once": {"due": 2, "may": {"deliveries": 3}},
    "a holder ends as one is due": {
        "holders": 1,
        "due": 1,
        "may": {"deliveries": 2},
    },
    "a holder stands still or dies": {
        "holders": 1,
        "due": 0,
        "may": {"beats": 1, "deliveries": 1, "copies": 1, "passes": 1, "deaths": 1},
    },
}
WIDE: dict[str, dict[str, Any]] = {
    "one is due beside a waiter": {
        "holders": 1,
        "waiting": 1,
        "due": 1,
        "may": {"deliveries": 4},
    },
    "a holder is to be replaced": {
        "holders": 1,
        "due": 1,
        "policies": (OverlapPolicy.REPLACE,),
        "may": {"deliveries": 2, "beats": 1},
    },
    "answers are lost": {"holders": 1, "due": 1, "may": {"deliveries": 3, **LOST}},
}
DEEP: dict[str, dict[str, Any]] = {
    "workers die": {
        "holders": 1,
        "due": 1,
        "may": {"deliveries": 3, "deaths": 1, "passes": 1},
    },
}


@pytest.mark.parametrize("scope", SHORT)
def test_slots_keep_their_promises_in_every_order(scope: str) -> None:
    assert explore(SlotGame(**SHORT[scope])) > 1


@pytest.mark.wide
@pytest.mark.parametrize("scope", WIDE)
def test_slots_keep_their_promises_in_every_order_of_more(scope: str) -> None:
    assert explore(SlotGame(**WIDE[scope])) > 1


@pytest.mark.deep
@pytest.mark.parametrize("scope", DEEP)
def test_slots_keep_their_promises_in_every_order_of_many(scope: str) -> None:
    assert explore(SlotGame(**DEEP[scope])) > 1
