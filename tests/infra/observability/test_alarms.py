"""An alarm reaches a person, and says what to do."""

import re

import pytest

from infra.alarm_choice import AlarmError
from infra.stage.settings import QUEUE_KEYS
from infra.stage.stage_context import stage_settings
from tests.infra.observability.alarm_reading import (
    OF_TENANTS,
    alarms,
    children,
    composites,
    described,
    told,
)
from tests.infra.stage_template import StageTemplate
from timegate.ports.telemetry.stage_metrics import HEALTH_ALARMS

KEYS = [str(key) for key in QUEUE_KEYS]


def watched(template: StageTemplate, metric: str) -> set[str]:
    """Return the resources whose ``metric`` has an alarm: values of its only dimension."""
    return {
        dimension["Value"]
        for alarm in alarms(template)
        if alarm.properties.get("MetricName") == metric
        for dimension in alarm.properties["Dimensions"]
    }


def test_every_alarm_reports_to_a_topic(prod: StageTemplate) -> None:
    """Alarms on a window tell no person, for their composite does; nor do composites of health."""
    silent = {name for name, topic in told(prod).items() if topic is None}
    health = {f"timegate-prod-{name}" for name in HEALTH_ALARMS}

    assert {"Alerts/Topic", "Alerts/Tickets"} == {topic for topic in told(prod).values() if topic}
    assert health <= silent
    assert all(re.search(r"-(fast|slow)-burn-(long|short)$", name) for name in silent - health)


#: Alarms that wait for working hours.
TICKETS = OF_TENANTS | {
    "archiver-behind",
    "archiver-silence",
    "auditor-behind",
    "auditor-quota-drift",
    "auditor-silence",
    "executors-clock-skew",
    "slow-burn",
}


def test_failures_of_tenants_call_no_operator(prod: StageTemplate) -> None:
    """They go to the topic of tickets; so does what is wrong and burns nothing."""
    tickets = {name for name, topic in told(prod).items() if topic == "Alerts/Tickets"}

    assert {f"timegate-prod-{name}" for name in TICKETS} == tickets


def test_an_address_is_subscribed_to_both_topics(dev: StageTemplate, chosen: StageTemplate) -> None:
    """``alertEmail``; without it people subscribe by themselves."""
    found = chosen.of_type("AWS::SNS::Subscription")

    assert {(e.properties["Endpoint"], e.properties["Protocol"]) for e in found} == {
        ("ops@example.com", "email")
    }
    assert {e.properties["TopicArn"] for e in found} == {"Alerts/Topic", "Alerts/Tickets"}
    assert dev.of_type("AWS::SNS::Subscription") == []


@pytest.mark.parametrize(
    "choice",
    [
        {"alertEmail": "ops"},
        {"alertEmail": "a@b.example, c@d.example"},
        {"runbooksUrl": "http://wiki.example/runbooks"},
        {"runbooksUrl": f"https://wiki.example/{'x' * 200}"},
        {"objectives": "yes"},
    ],
    ids=["no-domain", "two", "plain-http", "long", "neither"],
)
def test_choices_of_alarms_that_cannot_be_are_refused(choice: dict[str, str]) -> None:
    """At synthesis, by the name of the choice."""
    with pytest.raises(AlarmError, match=next(iter(choice))):
        stage_settings(choice.get)


def test_runbooks_may_be_read_elsewhere() -> None:
    """On a fork, or a site of one's own."""
    settings = stage_settings({"runbooksUrl": "https://wiki.example/runbooks"}.get)

    assert settings.alarms.runbooks == "https://wiki.example/runbooks"


@pytest.mark.parametrize("key", KEYS)
def test_a_run_queue_has_age_lag_and_dead_letter_alarms(stage: StageTemplate, key: str) -> None:
    """Each priority and class is watched by itself; where it has objectives, by their budgets."""
    name = f"{stage.outputs['PlannerFunctionName'].removesuffix('planner')}{key}"
    service = name.removesuffix(key) + f"executor-{key}"

    assert name in watched(stage, "ApproximateAgeOfOldestMessage")
    assert f"{name}-dlq" in watched(stage, "ApproximateNumberOfMessagesVisible")
    assert service in watched(stage, "QueueLagMs")


@pytest.mark.parametrize(
    ("metric", "names"),
    [
        pytest.param(
            "ApproximateNumberOfMessagesVisible", {"rejected", "ticks-dlq"}, id="parked-messages"
        ),
        pytest.param("Invocations", {"planner", "sweeper", "auditor", "archiver"}, id="silence"),
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
        pytest.param("StreamUnreadMs", {"sweeper"}, id="stuck"),
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


def test_lags_are_watched_at_the_99th_percentile(dev: StageTemplate) -> None:
    """An average hides the late runs."""
    statistics = {
        alarm.properties.get("ExtendedStatistic")
        for alarm in alarms(dev)
        if alarm.properties.get("MetricName") in {"QueueLagMs", "SchedulingLagMs"}
    }

    assert {"p99"} == statistics


def test_the_api_is_watched_for_server_errors(stage: StageTemplate) -> None:
    """5xx answers, from any function."""
    assert {"JobApi/Api"} == watched(stage, "5xx")


def test_dead_lettered_runs_are_summed_over_their_reporters(prod: StageTemplate) -> None:
    """Sweeper and executors, in one alarm; what killed executors has its own, and calls people."""
    (alarm,) = [
        each
        for each in alarms(prod)
        if each.properties["AlarmName"] == "timegate-prod-runs-dead-lettered"
    ]
    metrics = [
        each["MetricStat"]["Metric"] for each in alarm.properties["Metrics"] if "MetricStat" in each
    ]

    assert {"RunsDeadLettered"} == {metric["MetricName"] for metric in metrics}
    # An alarm takes so many; workers' reports have an alarm of their own.
    assert 1 + len(KEYS) == len(metrics) <= 10
    names = {each.properties["AlarmName"] for each in alarms(prod)}
    assert "timegate-prod-workers-runs-dead-lettered" in names
    assert "timegate-prod-dead_letter" in watched(prod, "RunsDeadLettered")


def test_one_alarm_stands_for_what_timegate_does_wrong(prod: StageTemplate) -> None:
    """It names each other alarm, itself or by a composite, but those that tenants ring."""
    every = composites(prod)
    named = children(every.pop("timegate-prod-unhealthy"))
    for name, composite in every.items():
        assert name in named
        named |= children(composite)

    of_tenants = {f"timegate-prod-{name}" for name in OF_TENANTS}
    assert {alarm.properties["AlarmName"] for alarm in alarms(prod)} == (
        named - every.keys() | of_tenants
    )
    assert named & of_tenants == set()


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

    assert len(composites(template)) == {"dev": 4, "prod": 6}[name]
    for composite in composites(template).values():
        for child in (every[each] for each in children(composite)):
            if child.stack == composite.stack:
                assert child.path in composite.depends_on
            else:
                assert child.type == "AWS::CloudWatch::CompositeAlarm"
                assert child.stack in template.stack_dependencies[composite.stack]


def test_the_local_stage_has_nothing_its_cloud_refuses(local: StageTemplate) -> None:
    """No saved query, no trace group; its alarms are those of any stage without objectives."""
    refused = {"AWS::Logs::QueryDefinition", "AWS::XRay::Group"}

    assert [each.path for each in local.resources if each.type in refused] == []


def test_the_local_stage_has_every_alarm(local: StageTemplate, dev: StageTemplate) -> None:
    """Tests ring there what calls people elsewhere."""
    names = [{name.split("-", 2)[2] for name in described(template)} for template in (local, dev)]

    assert names[0] == names[1]
