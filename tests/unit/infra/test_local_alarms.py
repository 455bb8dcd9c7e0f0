"""The local cloud judges alarms by dimension, period, statistic and silence."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from ministack.services import cloudwatch  # type: ignore[import-untyped]

from infra.local.telemetry.alarms import looks, state_of
from infra.local.telemetry.sources import depths, requested, store
from infra.local.telemetry.statistics import computed, statistic

NOW = 1_000_000.0


@pytest.fixture(autouse=True)
def no_metric_is_left() -> Iterator[None]:
    """Metrics are the emulator's own, of the whole process."""
    yield
    cloudwatch.reset()


def put(value: float, *, ago: float, service: str = "planner") -> None:
    """Store a value as a function's log line has it."""
    store(
        {
            "_aws": {
                "Timestamp": 1000 * (NOW - ago),
                "CloudWatchMetrics": [
                    {
                        "Namespace": "Timegate",
                        "Dimensions": [["service"]],
                        "Metrics": [{"Name": "Lag", "Unit": "Milliseconds"}],
                    }
                ],
            },
            "service": service,
            "Lag": [value],
        }
    )


def alarm(**changed: Any) -> dict[str, Any]:  # noqa: ANN401 - as CloudWatch has them
    """An alarm on the largest lag of the planner in a minute."""
    return {
        "Namespace": "Timegate",
        "MetricName": "Lag",
        "Dimensions": [{"Name": "service", "Value": "planner"}],
        "Statistic": "Maximum",
        "Period": 60,
        "EvaluationPeriods": 1,
        "Threshold": 100.0,
        "ComparisonOperator": "GreaterThanOrEqualToThreshold",
        "TreatMissingData": "notBreaching",
        **changed,
    }


def judged(scale: float = 1, **changed: Any) -> str | None:  # noqa: ANN401 - as above
    """The state of such an alarm now."""
    return state_of(alarm(**changed), now=NOW, scale=scale)


@pytest.mark.parametrize(
    ("value", "ago", "state"),
    [
        pytest.param(100, 30, "ALARM", id="at-the-threshold"),
        pytest.param(99, 30, "OK", id="below"),
        pytest.param(100, 60, "OK", id="before-the-period"),
    ],
)
def test_a_period_is_judged_by_its_own_values(value: float, ago: float, state: str) -> None:
    """Its start is outside, its end inside."""
    put(value, ago=ago)

    assert judged() == state


def test_another_functions_metric_is_another_one() -> None:
    """The emulator adds up all that have the name."""
    put(500, ago=1, service="sweeper")

    assert judged() == "OK"


def test_each_period_has_to_breach() -> None:
    """Two of three are enough only where the alarm says so."""
    put(500, ago=30)
    put(500, ago=150)

    assert judged(EvaluationPeriods=3) == "OK"
    assert judged(EvaluationPeriods=3, DatapointsToAlarm=2) == "ALARM"


@pytest.mark.parametrize(
    ("silence", "state"),
    [
        ("breaching", "ALARM"),
        ("notBreaching", "OK"),
        ("missing", "INSUFFICIENT_DATA"),
        ("ignore", None),
    ],
)
def test_silence_counts_as_the_alarm_says(silence: str, state: str | None) -> None:
    """No tick, no metric."""
    assert judged(TreatMissingData=silence) == state


def test_a_minute_may_be_short() -> None:
    """A test does not wait for three of them."""
    put(500, ago=5)

    assert judged(scale=4 / 60) == "OK"
    assert judged(scale=6 / 60) == "ALARM"


def test_an_expression_is_computed_of_its_metrics() -> None:
    """A lane's budget alarm divides late runs by all, if there are enough."""
    for value in (10, 10, 5_000, 5_000):
        put(value, ago=10)
    parts = [
        {"Id": "percent", "Expression": "IF((every - FILL(good, 0)) >= 2, 100 * good / every, 0)"},
        *(
            {
                "Id": name,
                "MetricStat": {"Metric": alarm(), "Period": 60, "Stat": stat},
            }
            for name, stat in (("good", "TC(:1000)"), ("every", "SampleCount"))
        ),
    ]

    assert judged(Metrics=parts, Threshold=50.0) == "ALARM"
    assert judged(Metrics=parts, Threshold=51.0) == "OK"


def test_what_is_missing_stays_missing() -> None:
    """Unless it is filled."""
    assert computed("a + b", {"a": 1, "b": None}) is None
    assert computed("FILL(a, 0) + FILL(b, 0)", {"a": 1, "b": None}) == 1
    assert computed("IF(a >= 3, 100 * a / b, 0)", {"a": 2, "b": None}) == 0
    assert computed("MAX([a, b])", {"a": 2, "b": None}) == 2
    assert computed("MAX([FILL(a, 0), FILL(b, 0)])", {"a": 2, "b": 5}) == 5
    assert computed("MAX([a])", {"a": None}) is None


def test_an_expression_of_another_kind_is_refused() -> None:
    """It would be judged by a guess."""
    with pytest.raises(ValueError, match="computes no"):
        computed("ANOMALY_DETECTION_BAND(a)", {"a": 1})


def test_ranks_are_of_a_hundred() -> None:
    """A value at the bound is within it."""
    points = [{"Value": float(value), "Timestamp": NOW} for value in (1, 1000, 1001, 9000)]

    assert statistic(points, "PR(:1000)") == 50
    assert statistic(points, "TC(:1000)") == 2
    assert statistic([], "TC(:1000)") is None


def test_a_queue_tells_what_waits_from_what_is_hidden() -> None:
    """A delayed message is not old, and one in flight does not wait."""
    queue = {
        "messages": [
            {"visible_at": NOW - 1, "receive_count": 0, "sent_at": NOW - 9},
            {"visible_at": NOW + 5, "receive_count": 0, "sent_at": NOW - 99},
            {"visible_at": NOW + 5, "receive_count": 1, "sent_at": NOW - 99},
        ]
    }

    assert dict(depths(queue, NOW)) == {
        "ApproximateNumberOfMessagesVisible": 1,
        "ApproximateNumberOfMessagesNotVisible": 1,
        "ApproximateNumberOfMessagesDelayed": 1,
        "ApproximateAgeOfOldestMessage": 9,
    }


@pytest.mark.parametrize("late", [0.1, 2, 2.1, 5.9, 29])
def test_a_late_look_leaves_no_window_out(late: float) -> None:
    """Looks are half a window apart at most, and the latest is now."""
    seen = [100.0, *looks(100, 100 + late, 2)]

    assert seen[-1] == 100 + late
    assert all(0 < after - before <= 2 + 1e-9 for before, after in pairwise(seen))


def test_a_pause_of_the_machine_is_not_made_up_for() -> None:
    """Half a minute of looks at most: each takes time, too."""
    assert len(list(looks(100, 10_000, 2))) == 15


@pytest.mark.parametrize(
    ("status", "failed"), [(200, (0, 0)), (399, (0, 0)), (404, (1, 0)), (502, (0, 1))]
)
def test_a_request_counts_as_its_status_says(status: int, failed: tuple[int, int]) -> None:
    """The gateway tells errors of callers from those of servers."""
    metrics = dict(requested(status, 0.25))

    assert (metrics["4xx"], metrics["5xx"]) == failed
    assert (metrics["Count"], metrics["Latency"]) == (1, 250)
