"""Rules that start runs of DAGs: whose DAG it is stands in them, and in no event."""

import json
from typing import Any

import pytest

from infra.stage.dag_events import DagEvent, DagEventError, dag_events
from infra.stage.settings import FUNCTION_NAMES
from infra.stage.stage_context import stage_settings
from tests.infra.conftest import LANDED
from tests.infra.stage_template import Grant, StageTemplate, listed


def test_a_rule_says_whose_dag_it_is(landing: StageTemplate) -> None:
    """It takes events of this account alone; its output is text of the rule and of the event."""
    (rule,) = landing.of_type("AWS::Events::Rule")
    (target,) = rule.properties["Targets"]
    given = target["InputTransformer"]["InputTemplate"]

    assert rule.properties["EventPattern"]["source"] == ["aws.s3"]
    assert rule.properties["EventPattern"]["account"] == ["<AWS::AccountId>"]
    assert given.startswith(
        '{"step": "start", "tenant": "acme", "dag_id": "wnvdpbqssolb2xx4qjk53vugfv","event":'
    )
    assert landing.behind(target["Arn"]) == landing.function("dag_runs").path


def test_an_event_that_starts_nothing_is_kept(landing: StageTemplate) -> None:
    """It is kept if EventBridge cannot deliver it, and if the function fails."""
    (rule,) = landing.of_type("AWS::Events::Rule")
    (target,) = rule.properties["Targets"]
    config = landing.one("DagEvents/Failures")
    queue = target["DeadLetterConfig"]["Arn"]

    assert queue == config.properties["DestinationConfig"]["OnFailure"]["Destination"]
    assert target["RetryPolicy"]["MaximumEventAgeInSeconds"] == 86_400
    assert Grant("sqs:SendMessage", queue) in landing.grants("dag_runs")


def test_an_event_that_its_tenant_explains_calls_no_operator(landing: StageTemplate) -> None:
    """It is kept in a queue of its own, whose alarm is a ticket."""
    queue = landing.one("DagEvents/Refused/Queue")
    alarms = {
        each.properties["AlarmName"]: each for each in landing.of_type("AWS::CloudWatch::Alarm")
    }
    lost = alarms["timegate-prod-dag-events-dlq-depth"].properties
    refused = alarms["timegate-prod-dag-events-refused-depth"].properties
    variables = landing.function("dag_runs").properties["Environment"]["Variables"]

    assert lost["AlarmActions"] != refused["AlarmActions"]
    assert "Tickets" in str(refused["AlarmActions"])
    assert Grant("sqs:SendMessage", f"{queue.path}.Arn") in landing.grants("dag_runs")
    assert queue.path in str(variables["REFUSED_EVENTS_QUEUE_URL"])


def test_only_the_rule_may_invoke_and_park(landing: StageTemplate) -> None:
    """EventBridge is many customers' service: its own name is no proof of whose rule it is."""
    (rule,) = landing.of_type("AWS::Events::Rule")
    permissions = [
        each.properties
        for each in landing.of_type("AWS::Lambda::Permission")
        if each.properties["Principal"] == "events.amazonaws.com"
    ]
    parking = [
        statement
        for policy in landing.of_type("AWS::SQS::QueuePolicy")
        for statement in policy.properties["PolicyDocument"]["Statement"]
        if statement.get("Principal") == {"Service": "events.amazonaws.com"}
    ]

    assert [each["SourceArn"] for each in permissions] == [f"{rule.path}.Arn"]
    assert [each["SourceAccount"] for each in permissions] == ["<AWS::AccountId>"]
    assert [each["Condition"] for each in parking] == [
        {"ArnEquals": {"aws:SourceArn": f"{rule.path}.Arn"}}
    ]


def test_a_stage_without_such_rules_has_nothing_of_them(prod: StageTemplate) -> None:
    """No queue, and no right."""
    assert prod.of_type("AWS::Events::Rule") == []
    assert [each.path for each in prod.resources if each.path.startswith("DagEvents/")] == []
    assert not [name for name in FUNCTION_NAMES if listed(prod.grants(name)) == []]


REFUSED = {
    "no-json": "landed",
    "no-list": json.dumps(LANDED),
    "no-objects": "[1]",
    "unknown": json.dumps([{**LANDED, "target": "x"}]),
    "missing": json.dumps([{"name": "landed"}]),
    "twice": json.dumps([LANDED, LANDED]),
    "name": json.dumps([{**LANDED, "name": "Landed!"}]),
    "tenant": json.dumps([{**LANDED, "tenant": '","x":"'}]),
    "dag": json.dumps([{**LANDED, "dag_id": "nightly"}]),
    "every-event": json.dumps([{**LANDED, "pattern": {"detail": {"x": [1]}}}]),
    "other-account": json.dumps([{**LANDED, "pattern": {"source": ["x"], "account": ["1"]}}]),
    "no-pattern": json.dumps([{**LANDED, "pattern": "x"}]),
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_what_is_no_rule_is_refused_before_anything_is_deployed(text: str) -> None:
    """With what is wrong."""
    with pytest.raises(DagEventError, match="dagEvents"):
        dag_events(text)


def test_a_context_may_hold_text_or_a_list() -> None:
    """On the command line it is text, and in ``cdk.json`` a list."""
    context: dict[str, Any] = {"dagEvents": json.dumps([LANDED])}
    expected = (DagEvent(**LANDED),)

    assert stage_settings(context.get).dag_events == expected
    assert dag_events([LANDED]) == expected
    assert dag_events(None) == ()
