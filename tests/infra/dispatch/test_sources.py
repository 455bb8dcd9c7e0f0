"""Sources feed the functions with filters, failure handling and bounded concurrency."""

import json
from typing import Any

import pytest

from infra.stage.settings import QUEUE_KEYS
from tests.crash.services.streams import FILTERS
from tests.infra.stage_template import Resource, StageTemplate

STREAMS = {
    "relay": "Runs/Table.StreamArn",
    "outcomes": "Runs/Table.StreamArn",
    "operations": "Jobs/Table.StreamArn",
}


def source(template: StageTemplate, function: str) -> Resource:
    """The only event source of a function."""
    path = template.function(function).path
    (found,) = [
        each
        for each in template.of_type("AWS::Lambda::EventSourceMapping")
        if template.behind(each.properties["FunctionName"]) == path
    ]
    return found


def patterns(template: StageTemplate, function: str) -> list[dict[str, Any]]:
    """The filters of a stream reader: it hears of what passes one of them."""
    found = source(template, function).properties["FilterCriteria"]["Filters"]
    return [json.loads(each["Pattern"]) for each in found]


def hears(template: StageTemplate, function: str, event: dict[str, Any]) -> bool:
    """Tell if a stream reader hears of a record."""
    return any(passes(each, event) for each in patterns(template, function))


def passes(filter_pattern: dict[str, Any], event: dict[str, Any]) -> bool:
    """Lambda's rules for the operators in use: any listed value, or ``exists`` on a leaf."""
    return all(_passes_key(wanted, event.get(key)) for key, wanted in filter_pattern.items())


def _passes_key(wanted: Any, found: Any) -> bool:  # noqa: ANN401 - any JSON value
    if isinstance(wanted, dict):
        return passes(wanted, found if isinstance(found, dict) else {})
    is_leaf = found is not None and not isinstance(found, dict)
    return any(
        is_leaf is each["exists"] if isinstance(each, dict) else found == each for each in wanted
    )


Image = dict[str, dict[str, str | bool]]


def record(image: Image, event_name: str = "INSERT") -> dict[str, Any]:
    """A stream record with a new image."""
    return {"eventName": event_name, "dynamodb": {"NewImage": image}}


QUEUED: Image = {"state": {"S": "queued"}, "direct": {"BOOL": False}}


@pytest.mark.parametrize(
    ("event", "published"),
    [
        pytest.param(record(QUEUED), True, id="queued"),
        pytest.param(record(QUEUED, "MODIFY"), True, id="touched-by-the-sweeper"),
        pytest.param(
            record(QUEUED | {"direct": {"BOOL": True}}), False, id="its-creator-publishes"
        ),
        pytest.param(record(QUEUED | {"state": {"S": "waiting"}}), False, id="too-far-away"),
        pytest.param(record(QUEUED | {"state": {"S": "running"}}), False, id="claimed"),
        pytest.param({"eventName": "REMOVE", "dynamodb": {}}, False, id="forgotten-by-ttl"),
    ],
)
def test_the_relay_hears_of_queued_runs_that_no_other_function_publishes(
    stage: StageTemplate, event: dict[str, Any], *, published: bool
) -> None:
    """A queued image in the stream means: publish."""
    assert published == hears(stage, "relay", event)


@pytest.mark.parametrize(
    ("event", "followed"),
    [
        pytest.param(record({"follow": {"S": "job"}}, "MODIFY"), True, id="followed"),
        pytest.param(record({"state": {"S": "succeeded"}}, "MODIFY"), False, id="no-waiter"),
        pytest.param({"eventName": "REMOVE", "dynamodb": {}}, False, id="forgotten-by-ttl"),
    ],
)
def test_outcomes_hears_of_runs_whose_end_is_followed(
    stage: StageTemplate, event: dict[str, Any], *, followed: bool
) -> None:
    """Most runs end without a second look."""
    assert followed == hears(stage, "outcomes", event)


WATCH: Image = {"sk": {"S": "rule-watch"}, "look": {"S": "due"}}
AWAITED: Image = {"sk": {"S": "absence-watch"}, "look": {"S": "due"}}
OPERATION: Image = {"sk": {"S": "operation"}, "status": {"S": "running"}}


@pytest.mark.parametrize(
    ("event", "worked"),
    [
        pytest.param(record(OPERATION), True, id="begun"),
        pytest.param(record(OPERATION, "MODIFY"), True, id="a step, a cancel, a touch"),
        pytest.param(record(OPERATION | {"status": {"S": "succeeded"}}), False, id="ended"),
        pytest.param(record({"sk": {"S": "job"}, "status": {"S": "active"}}), False, id="a job"),
        pytest.param(record({"sk": {"S": "slots"}}), False, id="slots"),
        pytest.param(record(WATCH, "MODIFY"), True, id="rules that are due for a look"),
        pytest.param(record(WATCH | {"look": {"S": "done"}}, "MODIFY"), False, id="a look's end"),
        pytest.param(record(AWAITED, "MODIFY"), True, id="a job whose span is over"),
        pytest.param(record(AWAITED | {"look": {"S": "done"}}), False, id="a span that begins"),
        pytest.param(record({"sk": {"S": "rule#1"}}), False, id="a rule"),
        pytest.param({"eventName": "REMOVE", "dynamodb": {}}, False, id="forgotten-by-ttl"),
    ],
)
def test_the_operator_hears_of_operations_that_run(
    stage: StageTemplate, event: dict[str, Any], *, worked: bool
) -> None:
    """Jobs lie in the same table; their edits are no function's event."""
    assert worked == hears(stage, "operations", event)


@pytest.mark.parametrize("function", STREAMS)
def test_a_bad_record_cannot_block_its_shard(stage: StageTemplate, function: str) -> None:
    """Bisected, retried five times within an hour, then described in the rejected queue."""
    properties = source(stage, function).properties

    assert STREAMS[function] == properties["EventSourceArn"]
    assert properties["BisectBatchOnFunctionError"] is True
    assert properties["MaximumRetryAttempts"] == 5
    assert properties["MaximumRecordAgeInSeconds"] == 3_600
    assert properties["DestinationConfig"] == {"OnFailure": {"Destination": "Rejected/Queue.Arn"}}


def test_a_record_written_during_deployment_is_read(stage: StageTemplate) -> None:
    """Readers start at the oldest record; starting at the latest would lose what was written."""
    starts = {source(stage, name).properties["StartingPosition"] for name in STREAMS}

    assert {"TRIM_HORIZON"} == starts


def test_every_source_reports_failures_one_by_one(stage: StageTemplate) -> None:
    """One bad record or message never repeats its neighbours for ever."""
    kinds = {
        tuple(each.properties["FunctionResponseTypes"])
        for each in stage.of_type("AWS::Lambda::EventSourceMapping")
    }

    assert {("ReportBatchItemFailures",)} == kinds


@pytest.mark.parametrize("key", [str(key) for key in QUEUE_KEYS])
def test_an_executor_takes_ten_messages_at_once_and_waits_for_none(
    prod: StageTemplate, key: str
) -> None:
    """No batching window: a due run does not wait for company."""
    properties = source(prod, f"executor-{key}").properties

    assert f"Queues/{key}/Queue.Arn" == properties["EventSourceArn"]
    assert properties["BatchSize"] == 10
    assert properties["MaximumBatchingWindowInSeconds"] == 0


def test_low_traffic_gets_less_concurrency_than_critical(prod: StageTemplate) -> None:
    """Each priority has a ceiling of its own, so none can use up the account."""

    def ceiling(key: str) -> int:
        scaling = source(prod, f"executor-{key}").properties["ScalingConfig"]
        return int(scaling["MaximumConcurrency"])

    assert ceiling("low-short") < ceiling("critical-short")
    assert ceiling("low-long") < ceiling("critical-long")


def test_dead_letter_consumes_every_dead_letter_queue(stage: StageTemplate) -> None:
    """One source per queue."""
    path = stage.function("dead_letter").path
    consumed = {
        each.properties["EventSourceArn"]
        for each in stage.of_type("AWS::Lambda::EventSourceMapping")
        if stage.behind(each.properties["FunctionName"]) == path
    }

    assert {f"Queues/{key}/DeadLetters.Arn" for key in QUEUE_KEYS} == consumed


def test_no_message_leads_to_another_one(stage: StageTemplate) -> None:
    """Lambda refuses a batch whose chain of messages has invoked its function sixteen times.

    https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html. Retries, slices and runs
    that waited for others come to the run queues by the stream of runs, which begins a new chain.
    The sweeper alone may write a queue that it reads: its ticks ask for looks, and a look for none.
    """
    read: dict[str, set[str]] = {}
    for each in stage.of_type("AWS::Lambda::EventSourceMapping"):
        if not each.properties["EventSourceArn"].endswith("StreamArn"):
            reader = stage.behind(each.properties["FunctionName"])
            read.setdefault(reader, set()).add(each.properties["EventSourceArn"])
    queues = set().union(*read.values())
    roles = {
        each.path: each.properties["Role"].removesuffix(".Arn")
        for each in stage.of_type("AWS::Lambda::Function")
    }
    written = {
        reader: {
            grant.resource
            for grant in stage.grants_of_role(roles[reader])
            if grant.action == "sqs:SendMessage" and grant.resource in queues
        }
        for reader in read
    }

    assert len(QUEUE_KEYS) + 2 == len(read)
    assert {"Looks/Queue.Arn"} == set().union(*written.values())


@pytest.mark.parametrize("function", FILTERS)
def test_the_crash_matrix_feeds_functions_what_the_stack_feeds_them(
    stage: StageTemplate, function: str
) -> None:
    """Its streams are read without Lambda, through filters of its own."""
    assert list(FILTERS[function]) == patterns(stage, function)


def test_a_lane_with_pollers_invokes_no_more_batches_than_it_has(peaks: StageTemplate) -> None:
    """AWS takes either mode, and a poller holds ten batches: the lane has a thousand."""
    found = source(peaks, "executor-normal-short").properties
    other = source(peaks, "executor-high-short").properties

    assert found["ProvisionedPollerConfig"] == {"MinimumPollers": 50, "MaximumPollers": 100}
    assert "ScalingConfig" not in found
    assert other["ScalingConfig"] == {"MaximumConcurrency": 1_000}
    assert "ProvisionedPollerConfig" not in other


def test_tables_and_indexes_of_every_run_are_warm(peaks: StageTemplate) -> None:
    """An index that is colder than its table throttles the table."""
    warm = {"ReadUnitsPerSecond": 60_000, "WriteUnitsPerSecond": 20_000}
    tables = [peaks.one(path).properties for path in ("Jobs/Table", "Runs/Table")]
    indexes = {
        index["IndexName"]: index.get("WarmThroughput")
        for table in tables
        for index in table["GlobalSecondaryIndexes"]
    }

    assert [table["WarmThroughput"] for table in tables] == [warm, warm]
    assert {name for name, found in indexes.items() if found is not None} == {"due", "watch"}
    assert indexes["due"] == indexes["watch"] == warm


def test_without_a_choice_nothing_is_warmed_or_provisioned(stage: StageTemplate) -> None:
    """Both cost money."""
    text = str([each.properties for each in stage.resources])

    assert "WarmThroughput" not in text
    assert "ProvisionedPollerConfig" not in text
