"""The run queues and the places where messages end."""

import pytest

from infra.stage.settings import QUEUE_KEYS
from tests.infra.stage_template import Resource, StageTemplate
from timegate.domain.runs.watch import MAX_RECEIVES

KEYS = [str(key) for key in QUEUE_KEYS]
FOUR_DAYS = 345_600
FOURTEEN_DAYS = 1_209_600


def queue(template: StageTemplate, key: str) -> Resource:
    """The run queue of a key."""
    return template.one(f"Queues/{key}/Queue")


@pytest.mark.parametrize("key", KEYS)
def test_a_run_queue_hands_poison_to_its_own_dead_letters(prod: StageTemplate, key: str) -> None:
    """After as many receives as the domain counts with; of the same priority and class."""
    expected = {
        "deadLetterTargetArn": f"Queues/{key}/DeadLetters.Arn",
        "maxReceiveCount": MAX_RECEIVES,
    }

    assert expected == queue(prod, key).properties["RedrivePolicy"]


def test_dead_letters_are_kept_longer_than_the_runs_they_come_from(stage: StageTemplate) -> None:
    """A message keeps its age when it moves, so equal retention would lose it early.

    Runs are kept while a new release is mended, as the page on upgrades says.
    """
    for key in KEYS:
        kept = stage.one(f"Queues/{key}/DeadLetters").properties["MessageRetentionPeriod"]
        assert kept == FOURTEEN_DAYS
        assert queue(stage, key).properties["MessageRetentionPeriod"] == FOUR_DAYS < kept


def test_visibility_covers_the_consumer(stage: StageTemplate) -> None:
    """A message is never visible while the function that has it may still run."""
    queues = {f"{each.path}.Arn": each for each in stage.of_type("AWS::SQS::Queue")}
    functions = {each.path: each for each in stage.of_type("AWS::Lambda::Function")}
    consumers = [
        source
        for source in stage.of_type("AWS::Lambda::EventSourceMapping")
        if source.properties["EventSourceArn"] in queues
    ]

    # Run queues, dead letters, and the sweeper's looks.
    assert 2 * len(KEYS) + 1 == len(consumers)
    for source in consumers:
        visibility = queues[source.properties["EventSourceArn"]].properties["VisibilityTimeout"]
        function = functions[stage.behind(source.properties["FunctionName"])]
        assert function.properties["Timeout"] <= visibility


def test_a_dead_workers_runs_come_back_in_its_timeout(prod: StageTemplate) -> None:
    """Run queues hide a message as long as a worker may live, where AWS recommends six times that.

    The recommendation leaves time for throttled batches, which ceilings and floors rule out
    (``test_concurrency``), and which cost a run no attempt (``bury_message``).
    """
    for key in KEYS:
        timeout = prod.function(f"executor-{key}").properties["Timeout"]
        assert queue(prod, key).properties["VisibilityTimeout"] == timeout
    patient = prod.function("dead_letter").properties["Timeout"]
    for key in KEYS:
        dead_letters = prod.one(f"Queues/{key}/DeadLetters").properties
        assert dead_letters["VisibilityTimeout"] == 6 * patient


def test_a_lease_is_shorter_than_the_visibility(stage: StageTemplate) -> None:
    """A redelivered message finds its predecessor's lease expired."""
    for key in KEYS:
        environment = stage.function(f"executor-{key}").properties["Environment"]["Variables"]
        visibility = queue(stage, key).properties["VisibilityTimeout"]
        assert visibility == int(environment["QUEUE_VISIBILITY_SECONDS"])
        assert int(environment["LEASE_SECONDS"]) < visibility


def test_every_queue_is_encrypted(stage: StageTemplate) -> None:
    """Run queues, dead letters, rejected messages, lost ticks and looks alike."""
    queues = stage.of_type("AWS::SQS::Queue")

    assert 2 * len(KEYS) + 3 == len(queues)
    assert all(each.properties["SqsManagedSseEnabled"] for each in queues)


@pytest.mark.parametrize("name", ["dev", "prod"])
def test_every_queue_refuses_plain_http(name: str, request: pytest.FixtureRequest) -> None:
    """A deny for every principal, whatever else they are allowed."""
    template: StageTemplate = request.getfixturevalue(name)
    sealed = {
        queue_path
        for policy in template.of_type("AWS::SQS::QueuePolicy")
        for statement in policy.properties["PolicyDocument"]["Statement"]
        if statement["Effect"] == "Deny"
        and statement["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}
        for queue_path in policy.properties["Queues"]
    }

    assert {each.path for each in template.of_type("AWS::SQS::Queue")} == sealed
