"""Dashboards and alarms show registered metrics, in their units, of functions that emit them."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

from infra.metrics import NAMESPACE, emitters
from infra.pages.telemetry_tables import PAGE, metrics, page
from infra.stage.deployed_functions import deployed_functions
from infra.stage.stage_context import stage_settings
from tests.infra.stage_template import StageTemplate
from timegate.ports.telemetry.telemetry import DIMENSION, EXECUTOR, FUNCTIONS, DurationMetric

REGISTERED = {str(metric): metric for metric in metrics()}


@dataclass(frozen=True, kw_only=True)
class Shown:
    """One of our metrics in a graph or an alarm."""

    where: str
    name: str
    service: str
    statistic: str


def bodies(template: StageTemplate) -> Iterator[dict[str, Any]]:
    """Each graph of a dashboard."""
    for dashboard in template.of_type("AWS::CloudWatch::Dashboard"):
        for widget in json.loads(dashboard.properties["DashboardBody"])["widgets"]:
            yield widget["properties"]


def on_dashboards(template: StageTemplate) -> Iterator[Shown]:
    """Our metrics in graphs; a row is ``[namespace, name, dimension, value, options]``."""
    for graph in bodies(template):
        for row in graph["metrics"]:
            if row[0] == NAMESPACE:
                options = row[-1] if isinstance(row[-1], dict) else {}
                assert row[2] == DIMENSION
                yield Shown(
                    where=graph["title"],
                    name=row[1],
                    service=row[3],
                    statistic=options.get("stat", "Average"),
                )


def in_alarms(template: StageTemplate) -> Iterator[Shown]:
    """Our metrics in alarms, alone or in a sum."""
    for alarm in template.of_type("AWS::CloudWatch::Alarm"):
        parts = [each.get("MetricStat", {}) for each in alarm.properties.get("Metrics", [])]
        stats = [(part.get("Metric", {}), part.get("Stat")) for part in parts]
        own = alarm.properties
        stats.append((own, own.get("Statistic") or own.get("ExtendedStatistic")))
        for metric, statistic in stats:
            if metric.get("Namespace") == NAMESPACE:
                (dimension,) = metric["Dimensions"]
                yield Shown(
                    where=own["AlarmName"],
                    name=metric["MetricName"],
                    service=dimension["Value"],
                    statistic=str(statistic),
                )


def test_each_registered_metric_is_on_a_dashboard(
    prod: StageTemplate, telling: StageTemplate
) -> None:
    """A metric that no graph shows costs money and informs no operator."""
    shown, told = ({each.name for each in on_dashboards(template)} for template in (prod, telling))

    assert set(REGISTERED) - told == set()
    assert set(REGISTERED) - shown == {
        name for name in REGISTERED if name.startswith("CloudEvents")
    }


def test_each_shown_metric_is_emitted_by_its_function(prod: StageTemplate) -> None:
    """A graph or alarm of another function's metric stays silent for ever."""
    wrong = [
        shown
        for shown in chain(on_dashboards(prod), in_alarms(prod))
        if shown.name not in REGISTERED
        or not any(shown.service.endswith(f"-{by}") for by in emitters(REGISTERED[shown.name]))
    ]

    assert wrong == []
    assert {"QueueLagMs", "WatchOverdue", "RunsDeadLettered"} <= {s.name for s in in_alarms(prod)}


def test_statistics_agree_with_units(prod: StageTemplate) -> None:
    """Counts are summed, or taken at their maximum by an alarm; durations are never summed."""
    percentile = re.compile(r"p\d+|Maximum")
    # Alarms also ask how many durations are within a bound.
    ranked = re.compile(rf"{percentile.pattern}|(TC|PR)\(:\d+\)|SampleCount")
    wrong = [
        shown
        for shown in on_dashboards(prod)
        if not (
            percentile.fullmatch(shown.statistic)
            if isinstance(REGISTERED[shown.name], DurationMetric)
            else shown.statistic == "Sum"
        )
    ]
    summed = [
        shown
        for shown in in_alarms(prod)
        if isinstance(REGISTERED[shown.name], DurationMetric)
        and not ranked.fullmatch(shown.statistic)
    ]

    assert (wrong, summed) == ([], [])


def test_titles_agree_with_units(prod: StageTemplate) -> None:
    """A graph of durations has ``(ms)`` in its title, and no graph mixes units."""
    wrong = [
        (shown.where, shown.name)
        for shown in on_dashboards(prod)
        if isinstance(REGISTERED[shown.name], DurationMetric) != shown.where.endswith("(ms)")
    ]

    assert wrong == []


def test_the_register_names_deployed_functions() -> None:
    """Functions of the register are those of the stage; executors there are one per queue."""
    names = deployed_functions(stage_settings({"events": "on"}.get))
    deployed = {EXECUTOR if name.startswith(EXECUTOR) else name for name in names}

    assert set(FUNCTIONS) == deployed


def test_the_page_of_telemetry_is_the_register() -> None:
    """``python -m infra.pages.telemetry_tables`` writes the page from the register."""
    assert PAGE.read_text() == page()
