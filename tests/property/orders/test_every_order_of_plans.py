"""Plans in every order: ticks that meet, changes by callers, faults and steps of the clock."""

from typing import Any

import pytest

from tests.property.orders.exploring import explore
from tests.property.orders.plans import PlanGame
from tests.property.orders.processes import Fault

#: The job is 150 s behind: three instants are to be settled or run.
BEHIND: dict[str, Any] = {"behind": 150}
#: Its next five runs are announced, stored and passed by three writes.
AHEAD: dict[str, Any] = {"look_ahead": 300}
LOST = {Fault.ASKED_AGAIN: 1, Fault.UNANSWERED: 1}
SHORT: dict[str, dict[str, Any]] = {
    "two ticks catch up": {**BEHIND, "may": {"ticks": 2}},
    "two ticks plan ahead": {**AHEAD, "may": {"ticks": 2}},
    "two ticks catch up, and answers are lost": {**BEHIND, "may": {"ticks": 2, **LOST}},
    "a tick meets an edit": {**BEHIND, "may": {"ticks": 1, "edits": 1}},
    "a tick ahead meets an edit": {**AHEAD, "may": {"ticks": 1, "edits": 1}},
    "a tick meets a pause and its end": {**BEHIND, "may": {"ticks": 1, "pauses": 1, "resumes": 1}},
    "a tick meets a pause that is caught up": {
        **BEHIND,
        "may": {"ticks": 1, "pauses": 1, "late resumes": 1},
    },
}
WIDE: dict[str, dict[str, Any]] = {
    "answers to ticks are lost": {**AHEAD, "may": {"ticks": 2, **LOST}},
    "a tick stands still": {**AHEAD, "may": {"ticks": 2, "passes": 1}},
}
DEEP: dict[str, dict[str, Any]] = {
    "planners die": {**AHEAD, "may": {"ticks": 2, "deaths": 1, "passes": 1}},
}


@pytest.mark.parametrize("scope", SHORT)
def test_each_instant_has_one_record_in_every_order(scope: str) -> None:
    assert explore(PlanGame(**SHORT[scope])) > 1


@pytest.mark.wide
@pytest.mark.parametrize("scope", WIDE)
def test_each_instant_has_one_record_in_every_order_of_more(scope: str) -> None:
    assert explore(PlanGame(**WIDE[scope])) > 1


@pytest.mark.deep
@pytest.mark.parametrize("scope", DEEP)
def test_each_instant_has_one_record_in_every_order_of_many(scope: str) -> None:
    assert explore(PlanGame(**DEEP[scope])) > 1
