"""Events of a stage: deployed where they are on, and nothing anywhere else."""

import json
from dataclasses import replace
from typing import Any

import pytest

from infra.constructs.functions.change_patterns import JOB_CHANGES, RUN_TRANSITIONS
from infra.constructs.functions.outcomes import FOLLOWED
from infra.constructs.observability.log_queries import BUSINESS, OPERATORS
from infra.stage.event_choice import EventsError
from infra.stage.settings import FUNCTION_NAMES
from infra.stage.stage_context import stage_settings
from tests.infra.conftest import SAMPLING
from tests.infra.dispatch.test_sources import passes
from tests.infra.stage_template import Grant, Resource, StageTemplate
from tests.support.factories import NOW, attempt_factory
from timegate.domain.cloud_events.run_transitions import run_transition
from timegate.domain.runs.run_states import TRANSITIONS, RunState

BUS, QUEUE = "CloudEvents/Bus.Arn", "CloudEvents/Queue.Arn"
SENDER = "cloud_events"


def sources(template: StageTemplate, function: str) -> dict[str, Resource]:
    """The event sources of a function, by what they read."""
    path = template.function(function).path
    found = template.of_type("AWS::Lambda::EventSourceMapping")
    own = [each for each in found if template.behind(each.properties["FunctionName"]) == path]
    return {each.properties["EventSourceArn"]: each for each in own}


def patterns(source: Resource) -> list[dict[str, Any]]:
    """The patterns of a stream reader."""
    return [json.loads(each["Pattern"]) for each in source.properties["FilterCriteria"]["Filters"]]


def test_a_stage_without_events_has_nothing_of_them(prod: StageTemplate) -> None:
    """No bus, no queue, no right, no variable, no pattern and no alarm."""
    text = "".join(path.read_text() for path in prod.files)
    (runs,) = sources(prod, "outcomes").values()

    assert prod.of_type("AWS::Events::EventBus") == []
    assert "CLOUD_EVENTS" not in text
    assert "CloudEvents" not in text
    assert "cloud-events" not in text
    assert patterns(runs) == [FOLLOWED]


def test_all_else_is_the_same_with_events(prod: StageTemplate, telling: StageTemplate) -> None:
    """Events change outcomes of the common parts, and the displays of functions and alarms."""
    before = {(each.stack, each.path): each for each in prod.resources}
    after = {(each.stack, each.path): each for each in telling.resources}
    changed = {path for (stack, path), each in before.items() if after[stack, path] != each}
    new = {path for stack, path in after if (stack, path) not in before}

    assert changed == {
        "Outcomes/Function",
        "Outcomes/Role/DefaultPolicy",
        "Outcomes/Runs/Mapping",
        "Health/Alarm",
        "Rollout/Role/DefaultPolicy",
        "Operator/Dashboard",
        "Business/Dashboard",
        *(f"Queries/{name}" for name in {**OPERATORS, **BUSINESS}),
    }
    assert {path for path in new if not path.startswith("CloudEvents/")} == {"Rollout/CloudEvents"}


def test_no_shard_has_more_than_two_readers(telling: StageTemplate) -> None:
    """DynamoDB throttles a third."""
    readers: dict[str, list[str]] = {}
    for each in telling.of_type("AWS::Lambda::EventSourceMapping"):
        if "StreamArn" in each.properties["EventSourceArn"]:
            arn = each.properties["EventSourceArn"]
            readers.setdefault(arn, []).append(each.properties["FunctionName"])

    assert {arn: len(names) for arn, names in readers.items()} == {
        "Runs/Table.StreamArn": 2,
        "Jobs/Table.StreamArn": 2,
    }


#: Fate of a record on which its reader fails, and where a reader starts.
CARE = {
    *("StartingPosition", "BisectBatchOnFunctionError", "MaximumRetryAttempts"),
    *("MaximumRecordAgeInSeconds", "FunctionResponseTypes", "DestinationConfig"),
}


def test_changes_of_jobs_are_read_with_the_care_of_runs(telling: StageTemplate) -> None:
    """A bad record blocks no shard, and one that is written during a deployment is read."""
    jobs = sources(telling, SENDER)["Jobs/Table.StreamArn"].properties
    runs = sources(telling, "relay")["Runs/Table.StreamArn"].properties

    assert {name: jobs.get(name) for name in CARE} == {name: runs[name] for name in CARE}


def test_a_source_has_five_patterns_at_most(telling: StageTemplate) -> None:
    """Lambda's limit, which only AWS raises."""
    runs = sources(telling, "outcomes")["Runs/Table.StreamArn"]
    jobs = sources(telling, SENDER)["Jobs/Table.StreamArn"]

    assert patterns(runs) == [FOLLOWED, *RUN_TRANSITIONS]
    assert patterns(jobs) == [*JOB_CHANGES]
    assert max(len(patterns(runs)), len(patterns(jobs))) <= 5


def record(before: str | None, after: str) -> dict[str, Any]:
    """A record of an attempt."""
    images = {"NewImage": {"state": {"S": after}, "due_at": {"S": "20261121T070000000Z"}}}
    old = {"OldImage": {"state": {"S": before}}} if before else {}
    return {"eventName": "MODIFY" if before else "INSERT", "dynamodb": {**images, **old}}


@pytest.mark.parametrize("after", list(RunState))
@pytest.mark.parametrize("before", [None, *RunState])
def test_the_patterns_let_transitions_through_and_nothing_else(
    before: RunState | None, after: RunState
) -> None:
    """A step that has an event, and no heartbeat: each invocation costs money."""
    new = set(RunState) - {RunState.RUNNING}
    never = before is not after and after not in (TRANSITIONS[before] if before else new)
    shown = record(before and before.value, after.value)

    assert never or any(passes(each, shown) for each in RUN_TRANSITIONS) is _has_event(
        before, after
    )


def _has_event(before: RunState | None, after: RunState) -> bool:
    attempt = replace(attempt_factory(), state=after)
    return run_transition(before, attempt, written_at=NOW) is not None


def test_rights_are_those_of_sending(telling: StageTemplate) -> None:
    """The sender puts events on the one bus, and reads and writes no table."""
    actions = {
        each for each in telling.grants(SENDER) if not each.action.startswith(("logs", "xr"))
    }
    stream = ("DescribeStream", "GetRecords", "GetShardIterator", "ListStreams")

    assert actions == {
        Grant("events:PutEvents", BUS),
        Grant("sqs:SendMessage", QUEUE),
        Grant("sqs:SendMessage", "Rejected/Queue.Arn"),
        *(
            Grant(f"sqs:{a}", QUEUE)
            for a in ("ReceiveMessage", "DeleteMessage", "GetQueueAttributes")
        ),
        *(Grant(f"dynamodb:{action}", "Jobs/Table.StreamArn") for action in stream),
    }
    assert [
        name
        for name in (*FUNCTION_NAMES, SENDER)
        if Grant("sqs:SendMessage", QUEUE) in telling.grants(name)
    ] == ["outcomes", SENDER]
    assert [
        name
        for name in FUNCTION_NAMES
        if any(each.action == "events:PutEvents" for each in telling.grants(name))
    ] == []


def test_readers_know_the_queue_and_the_rules(telling: StageTemplate) -> None:
    """The sender alone knows the bus."""
    known = {
        name: {
            variable
            for variable in telling.function(name).properties["Environment"]["Variables"]
            if variable.startswith("CLOUD_EVENTS")
        }
        for name in (*FUNCTION_NAMES, SENDER)
    }
    reader = {"CLOUD_EVENTS_QUEUE_URL", "CLOUD_EVENTS_SAMPLING"}
    rules = telling.function("outcomes").properties["Environment"]["Variables"]

    assert {name: names for name, names in known.items() if names} == {
        "outcomes": reader,
        SENDER: reader | {"CLOUD_EVENTS_BUS"},
    }
    assert json.loads(rules["CLOUD_EVENTS_SAMPLING"]) == json.loads(SAMPLING)
    # The flag of an event's trace is that of its run's calls.
    assert rules["TRACE_PERCENT"] == "5"


def test_a_bus_that_refuses_loses_nothing(telling: StageTemplate) -> None:
    """An event is tried for hours and kept for two weeks, and a person is told."""
    queue = telling.one("CloudEvents/Queue").properties
    unsent = telling.one("CloudEvents/Unsent/Queue").properties
    tries = queue["RedrivePolicy"]["maxReceiveCount"]
    alarms = {each.properties["AlarmName"] for each in telling.of_type("AWS::CloudWatch::Alarm")}

    assert queue["RedrivePolicy"]["deadLetterTargetArn"] == "CloudEvents/Unsent/Queue.Arn"
    assert tries * queue["VisibilityTimeout"] >= 3 * 3_600
    assert queue["MessageRetentionPeriod"] == unsent["MessageRetentionPeriod"] == 14 * 86_400
    assert {
        "timegate-prod-cloud-events-age",
        "timegate-prod-cloud-events-dlq-depth",
        "timegate-prod-outcomes-events-not-queued",
    } <= alarms


@pytest.mark.parametrize(
    ("context", "message"),
    [
        ({"events": "yes"}, "neither on nor off"),
        ({"eventSampling": SAMPLING}, "events are off"),
        ({"events": "on", "eventSampling": "[{}]"}, "each rule has percent"),
        ({"events": "on", "eventSampling": '[{"types": ["x"], "percent": 1}]'}, "no type"),
        (
            {
                "events": "on",
                "eventSampling": json.dumps(
                    [{"tenants": [f"{n}{'t' * 100}"], "percent": 1} for n in range(15)]
                ),
            },
            "characters are more",
        ),
    ],
)
def test_choices_that_cannot_be_are_refused(context: dict[str, str], message: str) -> None:
    """Before anything is deployed."""
    with pytest.raises(EventsError, match=message):
        stage_settings(context.get)


def test_rules_may_be_a_list_of_the_configuration() -> None:
    """``cdk.json`` holds such a list."""
    context: dict[str, Any] = {"events": "on", "eventSampling": json.loads(SAMPLING)}
    settings = stage_settings(context.get)

    assert json.loads(settings.events.sampling) == json.loads(SAMPLING)
