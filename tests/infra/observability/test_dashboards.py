"""Dashboards and alarms show registered metrics, in their units, of functions that emit them."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

from infra.metrics import NAMESPACE, emitters
from infra.pages.telemetry_tables import PAGE, events, metrics, page
from infra.stage.deployed_functions import deployed_functions
from infra.stage.stage_context import stage_settings
from tests.infra.observability.alarm_reading import children, composites, described
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


def rendered(template: StageTemplate) -> dict[str, list[dict[str, Any]]]:
    """The widgets of each dashboard, as CloudWatch reads them."""
    return {
        each.properties["DashboardName"]: json.loads(each.properties["DashboardBody"])["widgets"]
        for each in template.of_type("AWS::CloudWatch::Dashboard")
    }


def bodies(template: StageTemplate) -> Iterator[dict[str, Any]]:
    """Each graph of a dashboard."""
    for widgets in rendered(template).values():
        yield from (each["properties"] for each in widgets if each["type"] == "metric")


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


def test_a_stage_has_two_dashboards(stage: StageTemplate) -> None:
    """Machinery for operators; tenants and jobs for those who answer for them."""
    found = {name.split("-", 2)[2]: widgets for name, widgets in rendered(stage).items()}
    kinds = {name: {each["type"] for each in widgets} for name, widgets in found.items()}

    assert kinds == {"operator": {"text", "alarm", "metric", "log"}, "business": {"text", "log"}}


def test_widgets_lie_side_by_side(prod: StageTemplate) -> None:
    """Each is on the grid of 24 columns, and none covers another."""
    for name, widgets in rendered(prod).items():
        cells = [
            (x, y)
            for each in widgets
            for x in range(each["x"], each["x"] + each["width"])
            for y in range(each["y"], each["y"] + each["height"])
        ]
        assert max(x for x, _ in cells) < 24, name
        assert len(cells) == len(set(cells)), name


def states(template: StageTemplate) -> set[str]:
    """The alarms whose states the dashboard of production shows."""
    return {
        arn.rpartition(":")[2]
        for each in rendered(template)["timegate-prod-operator"]
        if each["type"] == "alarm"
        for arn in each["properties"]["alarms"]
    }


def test_states_are_of_alarms_that_exist(prod: StageTemplate) -> None:
    """A state of an alarm that is not there stays empty."""
    assert {"timegate-prod-unhealthy", "timegate-prod-fast-burn"} <= states(prod)
    assert states(prod) <= set(described(prod))


def test_no_alarm_rings_unseen(prod: StageTemplate) -> None:
    """The dashboard shows it, or a composite alarm that has it."""
    behind = {name for each in composites(prod).values() for name in children(each)}

    assert set(described(prod)) == states(prod) | behind


def test_panels_of_logs_read_every_function(prod: StageTemplate) -> None:
    """By the same queries that are saved; fields are those of registered events."""
    saved = prod.of_type("AWS::Logs::QueryDefinition")
    queries = [each.properties["QueryString"] for each in saved]
    panels = [
        each["properties"]["query"]
        for widgets in rendered(prod).values()
        for each in widgets
        if each["type"] == "log"
    ]
    names = {str(event) for event in events()}
    asked = re.findall(r'message = "(\w+)"', "\n".join(queries))

    assert panels
    assert [each for each in panels if not any(each.endswith(query) for query in queries)] == []
    assert set(asked) <= names
    for panel in panels:
        groups = re.findall(r"SOURCE '([^']+)'", panel)
        assert set(groups) == {
            f"/aws/lambda/timegate-prod-{name}"
            for name in deployed_functions(stage_settings({"stage": "prod"}.get))
        }


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
