"""Each alarm can ring: its metric is sent, and is judged by the right side of a bound."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from infra.metrics import emitters
from infra.pages.telemetry_tables import metrics
from tests.infra.observability.alarm_reading import alarms
from tests.infra.observability.test_seldom_alarms import RARE
from tests.infra.stage_template import StageTemplate
from timegate.ports.telemetry.telemetry import DIMENSION, CounterMetric

PREFIX = "timegate-prod-"
STAGES = ("prod", "pair", "telling", "landing")
OWN = {str(metric): metric for metric in metrics()}
#: Namespaces of AWS, by what they tell its resources apart by.
THEIRS = {
    "FunctionName": "AWS/Lambda",
    "QueueName": "AWS/SQS",
    "TableName": "AWS/DynamoDB",
    "ApiId": "AWS/ApiGateway",
}
#: Metrics of AWS that count; the others are ages and depths.
COUNTS = {"Errors", "Throttles", "Invocations", "5xx", "NumberOfMessagesReceived"}
#: Bounds of production; a metric of ours that counts rings with the first.
BOUNDS = {
    "Errors": 3,
    "Throttles": 10,
    "5xx": 5,
    "PlannerTickAgeMs": 360_000,
    "AuditDelayMs": 3_600_000,
    "ArchiveAgeMs": 15 * 86_400_000,
    "StreamUnreadMs": 300_000,
    "OfferAgeMs": 3_600_000,
    "WatchOverdue": 1_000,
    "ClockSkewMs": 1_000,
    "SchedulingLagMs": 2_000,
    "ReplicationLatency": 60_000,
}
#: Bounds that differ by priority or function.
SEVERAL = {
    "ApproximateAgeOfOldestMessage": {300, 960, 1_200, 3_600},
    "IteratorAge": {10_000, 60_000, 300_000},
}

Found = tuple[str, Mapping[str, Any], Mapping[str, Any]]


@pytest.fixture(params=STAGES)
def production(request: pytest.FixtureRequest) -> StageTemplate:
    """Production with each of its choices."""
    template: StageTemplate = request.getfixturevalue(request.param)
    return template


def judged(template: StageTemplate) -> Iterator[Found]:
    """Yield each alarm's name and properties with each metric, whose statistic is in it."""
    for each in alarms(template):
        of = each.properties
        name = of["AlarmName"].removeprefix(PREFIX)
        if "MetricName" in of:
            yield name, of, {**of, "Stat": of.get("Statistic", of.get("ExtendedStatistic"))}
        for metric in of.get("Metrics", []):
            if stat := metric.get("MetricStat"):
                yield name, of, {**stat["Metric"], "Stat": stat["Stat"], "Period": stat["Period"]}


def test_an_alarm_reads_what_its_function_or_queue_sends(production: StageTemplate) -> None:
    """A metric of another name, place or sender is silent for ever, and silence is no alarm."""
    for name, _, metric in judged(production):
        by = {each["Name"]: each["Value"] for each in metric["Dimensions"]}
        if metric["MetricName"] in OWN:
            assert (metric["Namespace"], [*by]) == ("Timegate", [DIMENSION]), name
            sender = by[DIMENSION].removeprefix(PREFIX)
            assert sender in emitters(OWN[metric["MetricName"]]), name
        else:
            (space,) = {THEIRS[key] for key in by if key in THEIRS}
            assert metric["Namespace"] == space, name


def test_a_bound_is_reached_from_below_and_silence_from_above(production: StageTemplate) -> None:
    """Production calls people where its page says; objectives have tests of their own."""
    for name, alarm, metric in judged(production):
        if "-burn-" in name:
            continue
        if name.endswith("-silence"):
            assert (alarm["ComparisonOperator"], alarm["Threshold"]) == ("LessThanThreshold", 1)
            continue
        measured, bound = metric["MetricName"], alarm["Threshold"]
        assert alarm["ComparisonOperator"] == "GreaterThanOrEqualToThreshold", name
        one = 1 if name.startswith(RARE) and measured in COUNTS else BOUNDS.get(measured, 1)
        assert bound in SEVERAL.get(measured, {one}), name


def test_counts_are_summed_and_ages_are_the_worst(production: StageTemplate) -> None:
    """An average of either hides what it is for."""
    for name, _, metric in judged(production):
        if "-burn-" in name:
            continue
        measured = metric["MetricName"]
        counts = measured in COUNTS or isinstance(OWN.get(measured), CounterMetric)
        # Ticks of one minute see the same backlog.
        counts = counts and measured != "WatchOverdue"
        assert metric["Stat"] in ({"Sum"} if counts else {"Maximum", "p99"}), name


def test_five_bad_minutes_ring(production: StageTemplate) -> None:
    """Late and seldom data are judged over more minutes, of which few are enough."""
    for name, alarm, metric in judged(production):
        if "-burn-" in name or name in {"auditor-silence", "archiver-silence"}:
            continue
        bad = alarm.get("DatapointsToAlarm", alarm["EvaluationPeriods"])
        assert bad * metric["Period"] <= 5 * 60, name
