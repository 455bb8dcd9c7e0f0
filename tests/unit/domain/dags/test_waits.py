"""Wait tasks as they are defined: one end, and nothing that a run would have."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.unit.domain.dags.definitions import NOW, dag, task
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.dags.definition import FanOut
from timegate.domain.dags.limits import MAX_TIMEOUT_SECONDS
from timegate.domain.dags.validation import problems_of
from timegate.domain.dags.waits import Expiry, WaitKind, WaitTask
from timegate.domain.events.awaited_event import AwaitedEvent
from timegate.domain.jobs.demands import Priority

RULES = TargetRules(allowed={"lambda": ("*",)})
SLEEP, APPROVAL, EVENT = WaitKind
ORDER = AwaitedEvent(type="order.paid", correlation='"4711"')
SUCCEEDS = {"kind": EVENT, "seconds": 1, "on_expiry": Expiry.SUCCEED}
MINUTE = WaitTask(kind=SLEEP, seconds=60)


def problems(wait: WaitTask, **fields: Any) -> list[tuple[str, str]]:  # noqa: ANN401 - a task's
    """Field and code of what is wrong with a wait in a DAG that may take the longest time."""
    own = dag((task("a", spec=wait, **fields),), timeout_seconds=MAX_TIMEOUT_SECONDS)
    found = problems_of(own, RULES)
    return [(each.field.removeprefix("tasks.0."), each.code) for each in found]


@pytest.mark.parametrize(
    ("wait", "field", "code"),
    [
        ({"kind": SLEEP}, "wait", "required"),
        ({"kind": SLEEP, "seconds": 1, "time": "06:00"}, "wait.time", "contradictory"),
        ({"kind": SLEEP, "seconds": 0}, "wait.seconds", "out_of_range"),
        ({"kind": SLEEP, "seconds": 1, "approvers": ("a",)}, "wait.approvers", "not_for_this_kind"),
        (
            {"kind": SLEEP, "seconds": 1, "on_expiry": Expiry.SKIP},
            "wait.on_expiry",
            "not_for_this_kind",
        ),
        ({"kind": APPROVAL, "on_expiry": Expiry.SKIP}, "wait.on_expiry", "without_effect"),
        (
            {"kind": APPROVAL, "approvers": tuple(map(str, range(21)))},
            "wait.approvers",
            "too_long",
        ),
        ({"kind": SLEEP, "seconds": 1, "timezone": "UTC"}, "wait.timezone", "without_effect"),
        ({"kind": EVENT}, "wait.event", "required"),
        ({"kind": APPROVAL, "event": ORDER}, "wait.event", "not_for_this_kind"),
        (
            {"kind": EVENT, "event": ORDER, "approvers": ("a",)},
            "wait.approvers",
            "not_for_this_kind",
        ),
        (
            {"kind": EVENT, "event": ORDER, "on_expiry": Expiry.SKIP},
            "wait.on_expiry",
            "without_effect",
        ),
        ({"kind": APPROVAL, "default": "1"}, "wait.default", "not_for_this_kind"),
        ({"kind": EVENT, "event": ORDER, "default": "1"}, "wait.default", "without_effect"),
        (
            {**SUCCEEDS, "event": ORDER, "default": '"' + "x" * 499 + '"'},
            "wait.default",
            "too_long",
        ),
        (
            {"kind": EVENT, "event": replace(ORDER, correlation="{}")},
            "wait.event.correlation",
            "wrong_type",
        ),
        (
            {"kind": EVENT, "event": replace(ORDER, correlation='{"$ref":"tasks.b.result"}')},
            "wait.event.correlation",
            "unknown_task",
        ),
        (
            {"kind": EVENT, "event": replace(ORDER, correlation='{"$ref":1}')},
            "wait.event.correlation",
            "invalid_reference",
        ),
        (
            {"kind": EVENT, "event": replace(ORDER, match='{"a":1}')},
            "wait.event.match.a",
            "invalid_pattern",
        ),
        (
            {"kind": EVENT, "event": replace(ORDER, lookback_seconds=86_401)},
            "wait.event.lookback_seconds",
            "out_of_range",
        ),
        (
            {"kind": SLEEP, "time": "06:00", "timezone": "Europe/Nowhere"},
            "wait.timezone",
            "unknown_timezone",
        ),
    ],
)
def test_a_wait_that_means_nothing_is_refused(wait: dict[str, Any], field: str, code: str) -> None:
    """By the field that is too much, or that is missing."""
    assert problems(WaitTask(**wait)) == [(field, code)]


@pytest.mark.parametrize(
    "wait",
    [
        {"kind": SLEEP, "seconds": 1},
        {"kind": SLEEP, "seconds": MAX_TIMEOUT_SECONDS},
        {"kind": SLEEP, "until": NOW},
        {"kind": SLEEP, "time": "06:00", "timezone": "Europe/Berlin"},
        {"kind": APPROVAL},
        {"kind": APPROVAL, "seconds": 60, "on_expiry": Expiry.SUCCEED},
        {"kind": APPROVAL, "approvers": tuple(map(str, range(20)))},
    ],
)
def test_a_wait_that_ends_is_accepted(wait: dict[str, Any]) -> None:
    """An approval ends with its DAG run at the latest."""
    assert problems(WaitTask(**wait)) == []


def test_a_wait_makes_no_run_and_has_nothing_of_one() -> None:
    """Neither members nor an input nor a priority."""
    fields = {"fan_out": FanOut(over="parameters.x"), "input": "{}", "priority": Priority.HIGH}

    for name, value in fields.items():
        assert problems(MINUTE, **{name: value}) == [(name, "not_for_a_wait")]


def test_a_sleep_is_no_longer_than_its_dag_run_may_take() -> None:
    """A sleep as long as its DAG run is accepted."""
    own = task("a", spec=MINUTE)
    long = problems_of(dag((own,), timeout_seconds=59), RULES)

    assert problems_of(dag((own,), timeout_seconds=60), RULES) == ()
    assert [(p.field, p.code) for p in long] == [("tasks.0.wait.seconds", "too_large")]


def test_a_wait_ends_after_a_span_at_an_instant_or_at_a_time_of_day() -> None:
    """A time of day is the next one of its zone, also behind a change of the clock."""
    deadline = NOW + timedelta(days=1)
    spring = datetime(2026, 3, 28, 20, tzinfo=UTC)
    berlin = WaitTask(kind=SLEEP, time="06:00", timezone="Europe/Berlin")
    ends = {
        NOW + timedelta(seconds=60): (MINUTE, NOW),
        spring: (WaitTask(kind=SLEEP, until=spring), NOW),
        datetime(2026, 11, 22, 6, tzinfo=UTC): (WaitTask(kind=SLEEP, time="06:00"), NOW),
        datetime(2026, 11, 22, 5, tzinfo=UTC): (berlin, NOW),
        datetime(2026, 3, 29, 4, tzinfo=UTC): (berlin, spring),
        deadline: (WaitTask(kind=APPROVAL), NOW),
    }

    for end, (wait, start) in ends.items():
        assert wait.ends_at(start, deadline_at=deadline) == end
