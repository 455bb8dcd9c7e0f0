"""Costs in advance: runs of 30 days, and the measured run that stands for them."""

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
    "text", ["0 9 * * *", "0 9 * * 1-5", "*/45 * * * *", "0,30 * * * *", "*/5 8-17 1 * *"]
)
def test_few_instants_are_all_counted(text: str) -> None:
    """Up to a thousand."""
    assert counted(text) < 1_500
    assert estimated(cron(text)).runs == pytest.approx(counted(text), rel=0.005)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("* * * * *", marks=pytest.mark.wide),
        "*/5 * * * *",
        "*/10 8-18 * * *",
        "*/10 8-18 * * 1-5",
        "* 9 * * 1-5",
    ],
)
def test_many_instants_go_on_as_their_first_thousand(text: str) -> None:
    """By whole weeks or days, so that neither nights nor weekends are counted twice."""
    assert counted(text) > 1_000
    assert estimated(cron(text)).runs == pytest.approx(counted(text), rel=0.15)


def test_a_minutely_job_has_its_43_200_runs() -> None:
    """To the run, for its instants have no holes."""
    assert estimated(cron("* * * * *")).runs == 43_200


@pytest.mark.parametrize(
    ("schedule", "runs", "kind"),
    [
        (cron("* * * * *"), 43_200, "minutely run"),
        (Schedule(kind=ScheduleKind.RATE, every_seconds=60), 43_200, "minutely run"),
        (Schedule(kind=ScheduleKind.RATE, every_seconds=61), 42_492, "daily run"),
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
    """It ends the job."""
    limited = Schedule(kind=ScheduleKind.CRON, cron="* * * * *", timezone="UTC", max_runs=100)

    assert estimated(limited).runs == 100


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
