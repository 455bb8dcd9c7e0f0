"""What rouses a person, and what it tells them."""

import re
from pathlib import Path

import pytest

from infra.constructs.observability.alerts import Runbook
from infra.stage.settings import QUEUE_KEYS
from tests.infra.stage_template import Resource, StageTemplate

KEYS = [str(key) for key in QUEUE_KEYS]
ROOT = Path(__file__).resolve().parents[3]
RUNBOOKS = ROOT / "docs" / "operations" / "runbooks.md"


def alarms(template: StageTemplate) -> list[Resource]:
    """Every alarm on a metric."""
    return template.of_type("AWS::CloudWatch::Alarm")


def watched(template: StageTemplate, metric: str) -> set[str]:
    """Whose ``metric`` has an alarm: the value of the metric's only dimension."""
    return {
        dimension["Value"]
        for alarm in alarms(template)
        if alarm.properties.get("MetricName") == metric
        for dimension in alarm.properties["Dimensions"]
    }


def anchors() -> set[str]:
    """The sections of the runbooks, as GitHub names them."""
    titles = re.findall(r"^## (.+)$", RUNBOOKS.read_text(), re.MULTILINE)
    return {title.lower().replace(" ", "-") for title in titles}


def test_every_alarm_leads_to_a_section_of_the_runbooks(stage: StageTemplate) -> None:
    """A link in each description, to an anchor that exists."""
    every = [*alarms(stage), *stage.of_type("AWS::CloudWatch::CompositeAlarm")]
    descriptions = [alarm.properties["AlarmDescription"] for alarm in every]
    links = [re.search(r"docs/operations/runbooks\.md#([a-z-]+)$", text) for text in descriptions]

    assert [text for text, link in zip(descriptions, links, strict=True) if link is None] == []
    assert {link[1] for link in links if link} <= anchors()


def test_every_runbook_section_belongs_to_an_alarm() -> None:
    """Sections and alarms' runbooks are the same set."""
    assert {each.value for each in Runbook} == anchors()


def test_every_alarm_reports_to_the_topic(stage: StageTemplate) -> None:
    """An alarm that nobody hears is none."""
    topics = {tuple(alarm.properties["AlarmActions"]) for alarm in alarms(stage)}

    assert {("Alerts/Topic",)} == topics


@pytest.mark.parametrize("key", KEYS)
def test_a_run_queue_has_age_lag_and_dead_letter_alarms(stage: StageTemplate, key: str) -> None:
    """Each priority and class is watched by itself."""
    name = f"{stage.outputs['PlannerFunctionName'].removesuffix('planner')}{key}"
    service = name.removesuffix(key) + f"executor-{key}"

    assert name in watched(stage, "ApproximateAgeOfOldestMessage")
    assert f"{name}-dlq" in watched(stage, "ApproximateNumberOfMessagesVisible")
    assert service in watched(stage, "StartLagMs")


@pytest.mark.parametrize(
    ("metric", "names"),
    [
        pytest.param(
            "ApproximateNumberOfMessagesVisible", {"rejected", "ticks-dlq"}, id="parked-messages"
        ),
        pytest.param("Invocations", {"planner", "sweeper"}, id="silence"),
        pytest.param(
            "RecordsUnreadable", {"planner", "sweeper", "auditor", "operations"}, id="damage"
        ),
        pytest.param("PlannerTickAgeMs", {"planner"}, id="tick-age"),
        pytest.param("SchedulingLagMs", {"relay"}, id="scheduling-lag"),
        pytest.param("InstantsUnaccounted", {"auditor"}, id="unaccounted"),
        pytest.param("RecordsLost", {"auditor"}, id="lost"),
        pytest.param("AuditDelayMs", {"auditor"}, id="audit-delay"),
        pytest.param("QuotaDrift", {"auditor"}, id="quota-drift"),
        pytest.param("OperationsStalled", {"sweeper"}, id="operations-stalled"),
        pytest.param("WatchOverdue", {"sweeper"}, id="watch-overdue"),
        pytest.param("OfferAgeMs", {"sweeper"}, id="offer-age"),
        pytest.param("IteratorAge", {"relay", "outcomes", "operations"}, id="iterator-age"),
        pytest.param(
            "Errors",
            {
                "api",
                "planner",
                "relay",
                "sweeper",
                "auditor",
                "outcomes",
                "operations",
                "dead_letter",
            },
            id="errors",
        ),
        pytest.param(
            "Throttles",
            {
                "api",
                "planner",
                "relay",
                "sweeper",
                "auditor",
                "outcomes",
                "operations",
                "dead_letter",
            },
            id="throttles",
        ),
    ],
)
def test_the_machinery_is_watched(prod: StageTemplate, metric: str, names: set[str]) -> None:
    """Silence, lateness, failures and parked messages."""
    assert {f"timegate-prod-{name}" for name in names} <= watched(prod, metric)


def test_silence_is_alarming_where_ticks_are_expected(prod: StageTemplate) -> None:
    """No data means no tick, for planner and sweeper, and no look; elsewhere nothing to do."""
    breaching = {
        alarm.properties["AlarmName"]
        for alarm in alarms(prod)
        if alarm.properties["TreatMissingData"] == "breaching"
    }

    names = ("planner-silence", "sweeper-silence", "sweeper-looks-silence")

    assert {f"timegate-prod-{name}" for name in names} == breaching


def test_lags_are_watched_at_the_99th_percentile(prod: StageTemplate) -> None:
    """An average hides the late runs."""
    statistics = {
        alarm.properties.get("ExtendedStatistic")
        for alarm in alarms(prod)
        if alarm.properties.get("MetricName") in {"StartLagMs", "SchedulingLagMs"}
    }

    assert {"p99"} == statistics


def test_the_api_is_watched_for_server_errors(stage: StageTemplate) -> None:
    """5xx answers, whoever gives them."""
    assert {"JobApi/Api"} == watched(stage, "5xx")


def test_dead_lettered_runs_are_summed_over_whoever_reports_them(prod: StageTemplate) -> None:
    """Dead-letter function, sweeper and executors, in one alarm."""
    (alarm,) = [
        each
        for each in alarms(prod)
        if each.properties["AlarmName"] == "timegate-prod-runs-dead-lettered"
    ]
    metrics = [
        each["MetricStat"]["Metric"] for each in alarm.properties["Metrics"] if "MetricStat" in each
    ]

    assert {"RunsDeadLettered"} == {metric["MetricName"] for metric in metrics}
    # As many as an alarm takes; what workers report has an alarm of its own.
    assert 2 + len(KEYS) == len(metrics) == 10
    names = {each.properties["AlarmName"] for each in alarms(prod)}
    assert "timegate-prod-workers-runs-dead-lettered" in names


def composites(template: StageTemplate) -> dict[str, Resource]:
    """Every composite alarm by its name."""
    found = template.of_type("AWS::CloudWatch::CompositeAlarm")
    return {each.properties["AlarmName"]: each for each in found}


def children(composite: Resource) -> set[str]:
    """The names in a composite alarm's rule."""
    return set(re.findall(r'ALARM\("([^"]+)"\)', composite.properties["AlarmRule"]))


def test_one_alarm_stands_for_all(prod: StageTemplate) -> None:
    """The stage's composite alarm names every other alarm, itself or by a stack's composite."""
    every = composites(prod)
    named = children(every.pop("timegate-prod-unhealthy"))
    for name, composite in every.items():
        assert name in named
        named |= children(composite)

    assert {alarm.properties["AlarmName"] for alarm in alarms(prod)} == named - every.keys()


@pytest.mark.parametrize("name", ["dev", "prod"])
def test_a_composite_alarm_outlives_no_alarm_that_it_names(
    name: str, request: pytest.FixtureRequest
) -> None:
    """Each child is made before its composite and deleted after it, whatever the order of stacks.

    CloudWatch refuses a rule that names an unknown alarm, and the deletion of a named one. A child
    in another stack is that stack's own composite: metric alarms come and go, and it stays.
    """
    template: StageTemplate = request.getfixturevalue(name)
    own = {each.properties["AlarmName"]: each for each in alarms(template)}
    every = own | composites(template)

    assert len(composites(template)) == 4
    for composite in composites(template).values():
        for child in (every[each] for each in children(composite)):
            if child.stack == composite.stack:
                assert child.path in composite.depends_on
            else:
                assert child.type == "AWS::CloudWatch::CompositeAlarm"
                assert child.stack in template.stack_dependencies[composite.stack]


def test_the_local_stage_has_nothing_its_cloud_refuses(local: StageTemplate) -> None:
    """No composite alarm, no metric math, no saved query, no trace group."""
    refused = {
        "AWS::CloudWatch::CompositeAlarm",
        "AWS::Logs::QueryDefinition",
        "AWS::XRay::Group",
    }

    assert [each.path for each in local.resources if each.type in refused] == []
    assert [each.path for each in alarms(local) if "Metrics" in each.properties] == []
