"""Costs in advance: runs of 30 days, and the measured run that stands for them."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import takewhile

import pytest
from croniter import croniter

from tests.support.factories import timing_factory
from timegate.domain.actions.action import Action
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.actions.kinds.worker import WorkerAction
from timegate.domain.metering.flow import Flow
from timegate.domain.metering.measured_flows import FLOWS
from timegate.domain.previews.costs.monthly_cost import MonthlyCost, monthly_cost
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind

#: A Monday, at midnight.
MONDAY = datetime(2026, 11, 23, tzinfo=UTC)
CALL = WebhookAction(url="https://example.com")


def estimated(schedule: Schedule, action: Action = CALL) -> MonthlyCost:
    """The month after a Monday's midnight."""
    timing = timing_factory(schedule=schedule, anchored_at=MONDAY)
    return monthly_cost(timing, action, now=MONDAY)


def cron(text: str) -> Schedule:
    """A schedule of such times in UTC."""
    return Schedule(kind=ScheduleKind.CRON, cron=text, timezone="UTC")


def counted(text: str) -> int:
    """The instants of 30 days, all of them, by another implementation."""
    until = MONDAY + timedelta(days=30)
    named = croniter(text, MONDAY - timedelta(seconds=1)).all_next(datetime)
    return sum(1 for _ in takewhile(lambda each: each < until, named))


@pytest.mark.parametrize(
    "text",
    [
        *("0 9 * * *", "0 9 * * 1-5", "*/45 * * * *", "0,30 * * * *", "*/5 8-17 1 * *"),
        *("*/5 * * * *", "*/10 8-18 * * *", "*/10 8-18 * * 1-5", "* 9 * * 1-5"),
        pytest.param("* * * * *", marks=pytest.mark.wide),
    ],
)
def test_the_instants_of_a_month_are_all_counted(text: str) -> None:
    """Nights and weekends too. The month begins behind its first midnight, and has the last."""
    assert estimated(cron(text)).runs == counted(text)


def test_a_minutely_job_has_its_43_200_runs() -> None:
    """To the run, for its instants have no holes."""
    assert estimated(cron("* * * * *")).runs == 43_200


@pytest.mark.parametrize(
    ("schedule", "runs", "kind"),
    [
        (cron("* * * * *"), 43_200, "minutely run"),
        (Schedule(kind=ScheduleKind.RATE, every_seconds=60), 43_200, "minutely run"),
        (Schedule(kind=ScheduleKind.RATE, every_seconds=61), 42_491, "daily run"),
        (Schedule(kind=ScheduleKind.RATE, every_seconds=300), 8_640, "daily run"),
        (cron("0 9 * * *"), 30, "daily run"),
        (Schedule(kind=ScheduleKind.IMMEDIATE), 1, "one-shot through the API"),
        (
            Schedule(kind=ScheduleKind.DELAY, delay_seconds=86_400 * 31),
            1,
            "one-shot through the API",
        ),
        (Schedule(kind=ScheduleKind.MANUAL), None, "daily run"),
    ],
)
def test_a_measured_run_stands_for_each_kind_of_schedule(
    schedule: Schedule, runs: int | None, kind: str
) -> None:
    """A minute apart, runs of a job share the writes of their plan; further apart they do not."""
    found = estimated(schedule)

    assert (found.runs, found.kind) == (runs, kind)
    per_million = [round(each.usd * 1_000_000, 2) for each in FLOWS[Flow(kind)]]
    assert [found.high_per_million, found.low_per_million] == per_million


def test_runs_of_a_pool_cost_what_those_of_a_pool_cost() -> None:
    """However often they come."""
    worker = WorkerAction(pool="etl", handler="load")

    assert estimated(cron("* * * * *"), worker).kind == "run of a pool"


def test_a_limit_of_runs_limits_the_estimate() -> None:
    """It ends the job, once as many have begun."""
    limited = replace(cron("* * * * *"), max_runs=100)
    begun = {number: timing_factory(schedule=limited, runs_begun=number) for number in (99, 100)}
    left = {number: monthly_cost(each, CALL, now=MONDAY).runs for number, each in begun.items()}

    assert estimated(limited).runs == 100
    assert left == {99: 1, 100: 0}


@pytest.mark.parametrize(
    ("days", "runs"), [(0, 1), (1, 1_441), (29, 41_761), (30, 43_200), (31, 43_200)]
)
def test_a_schedule_that_ends_within_the_month_names_no_more(days: int, runs: int) -> None:
    """Its last minute is counted."""
    ends = replace(cron("* * * * *"), ends_at=MONDAY + timedelta(days=days, minutes=1))

    assert estimated(ends).runs == runs


@pytest.mark.parametrize("days", [0, 19, 29, 31, 400])
def test_the_month_of_a_schedule_that_starts_later_begins_with_it(days: int) -> None:
    """It was to cost nothing, for none of its runs lie in the month to come."""
    starts = replace(cron("* * * * *"), starts_at=MONDAY + timedelta(days=days, minutes=1))

    assert estimated(starts).runs == 43_200


@pytest.mark.parametrize(
    ("runs", "recurs", "words"),
    [
        (43_200, True, "about 0.86 to 1.73 USD a month: 43,200 runs"),
        (30, True, "0.01 USD or less a month: 30 runs"),
        (400, True, "about 0.01 to 0.02 USD a month: 400 runs"),
        (1, False, "0.01 USD or less, once"),
        (None, True, "about 20.00 to 40.00 USD for a million runs"),
    ],
)
def test_an_estimate_is_said_in_words(runs: int | None, words: str, *, recurs: bool) -> None:
    """To the cent: less is not worth a decision."""
    cost = MonthlyCost(
        runs=runs, recurs=recurs, kind=Flow.MINUTELY, low_per_million=20, high_per_million=40
    )

    assert cost.description == words
