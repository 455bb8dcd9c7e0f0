"""Unreadable records and messages: kept for a human, and the rest of the batch is done."""

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from tests.functional.events.functions import Event, Functions, failed, sample, with_record
from tests.support.execution.executing import MINUTELY
from tests.support.factories import TENANT, after, attempt_factory, attempt_id, job_id
from tests.support.operations.burying import spent
from timegate.domain.jobs.job import JobStatus
from timegate.domain.runs.run import RunState

Damage = Callable[[dict[str, Any]], object]


def without(*path: str) -> Damage:
    """A record that lacks something."""

    def damage(record: dict[str, Any]) -> object:
        *parents, last = path
        inner = record
        for name in parents:
            inner = inner[name]
        del inner[last]
        return record

    return damage


def image_with(**attributes: object) -> Damage:
    """A record whose new image says something odd."""

    def damage(record: dict[str, Any]) -> object:
        record["dynamodb"]["NewImage"] |= attributes
        return record

    return damage


def new_image(image: object) -> Damage:
    """A record with another image."""

    def damage(record: dict[str, Any]) -> object:
        record["dynamodb"]["NewImage"] = image
        return record

    return damage


DAMAGES: dict[str, Damage] = {
    "no-record": lambda _: None,
    "no-change": without("dynamodb"),
    "no-new-image": without("dynamodb", "NewImage"),
    "no-sequence-number": without("dynamodb", "SequenceNumber"),
    "no-key": without("dynamodb", "NewImage", "pk"),
    "no-state": without("dynamodb", "NewImage", "state"),
    "empty-image": new_image({}),
    "image-is-a-list": new_image([]),
    "untyped-image": new_image({"pk": "acme#job", "sk": "x", "state": "queued"}),
    "state-of-a-later-version": image_with(state={"S": "hibernating"}),
    "priority-of-a-later-version": image_with(priority={"S": "urgent"}),
    "key-of-a-cursor": image_with(pk={"S": "shard#1"}, sk={"S": "planner"}),
    "text-for-a-number": image_with(fence={"S": "1"}),
    "no-number": image_with(fence={"N": "one"}),
    "two-types": image_with(state={"S": "queued", "N": "1"}),
    "no-instant": image_with(due_at={"S": "tomorrow"}),
    "number-for-an-instant": image_with(due_at={"N": "1795244400"}),
}


def damaged(event: Event, damage: Damage) -> Event:
    """The event, with a damaged copy of its first record in its midst."""
    return with_record(event, damage(deepcopy(event["Records"][0])))


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_the_relay_publishes_around_an_unreadable_record(
    functions: Functions, damage: Damage
) -> None:
    """Failing it would hold up its shard behind retries that cannot help."""
    event = damaged(sample("relay"), damage)
    response = functions.send("relay", event)
    (parked,) = functions.rejects.parked

    assert failed(response) == []
    assert len(functions.world.publisher.sent) == 2
    assert parked.source == "relay stream"
    assert json.loads(parked.body) == event["Records"][1]
    assert parked.reason != ""


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_outcomes_completes_jobs_around_an_unreadable_record(
    functions: Functions, damage: Damage
) -> None:
    """The jobs before and after it are completed."""
    for name in ("once", "broken", "told"):
        functions.world.add_job(job_id=job_id(name), next_run_at=None)
    event = damaged(sample("outcomes"), damage)
    response = functions.send("outcomes", event)
    jobs = [functions.world.jobs.get(TENANT, job_id(name)) for name in ("once", "broken")]

    assert failed(response) == []
    assert [job.timing.status for job in jobs] == [JobStatus.COMPLETED] * 2
    assert [parked.source for parked in functions.rejects.parked] == ["outcomes stream"]


@pytest.mark.parametrize(
    "damage",
    [
        *(DAMAGES[name] for name in ("empty-image", "image-is-a-list", "key-of-a-cursor")),
        image_with(pk={"S": "acme#job"}),
        image_with(sk={"S": "job"}),
        image_with(pk={"N": "1"}),
    ],
    ids=["empty", "a list", "a cursor", "a job's partition", "a job", "a number"],
)
def test_the_operator_works_around_an_unreadable_record(
    functions: Functions, damage: Damage
) -> None:
    """The operations before and after it have long ended, and are left alone."""
    event = damaged(sample("operations"), damage)
    response = functions.send("operations", event)

    assert failed(response) == []
    assert [parked.source for parked in functions.rejects.parked] == ["operations stream"]


GOOD = json.loads(sample("executor")["Records"][0]["body"])
BODIES = {
    "empty": "",
    "no-json": "run it",
    "null": "null",
    "text": '"run it"',
    "number": "7",
    "list": "[]",
    "nested-too-deep": "[" * 100_000,
    "nothing": "{}",
    "no-attempt": json.dumps({name: text for name, text in GOOD.items() if name != "attempt"}),
    "no-tenant": json.dumps({name: text for name, text in GOOD.items() if name != "tenant"}),
    "number-for-a-tenant": json.dumps(GOOD | {"tenant": 7}),
    "no-tenants-name": json.dumps(GOOD | {"tenant": "a#b"}),
    "half-a-character": json.dumps(GOOD | {"tenant": "\ud800"}),
    "number-for-an-attempt": json.dumps(GOOD | {"attempt": 7}),
    "no-attempts-id": json.dumps(GOOD | {"attempt": "job.1"}),
    "no-instant": json.dumps(GOOD | {"due_at": "tomorrow"}),
    "list-for-an-instant": json.dumps(GOOD | {"due_at": []}),
    "precision-of-a-later-version": json.dumps(GOOD | {"precision": "nanosecond"}),
}


def with_body(function: str, body: str) -> Event:
    """A function's messages, with one of this body in their midst."""
    event = sample(function)
    odd = deepcopy(event["Records"][0]) | {
        "messageId": "odd",
        "receiptHandle": "odd receipt",
        "body": body,
    }
    return with_record(event, odd)


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_the_executor_works_around_an_unreadable_message(functions: Functions, body: str) -> None:
    """It goes back at once, and so to the dead letters; its neighbours are executed."""
    for name, scheduled_at, number in (("minutely", 0, 1), ("once", -30, 2)):
        functions.world.add_job(job_id=job_id(name), schedule=MINUTELY, anchored_at=after(-3600))
        attempt = attempt_id(number, job=job_id(name), scheduled_at=after(scheduled_at))
        functions.world.runs.insert_all([attempt_factory(id=attempt)])
    response = functions.send("executor", with_body("executor", body))

    assert failed(response) == ["odd"]
    assert functions.world.states() == [RunState.SUCCEEDED] * 2
    assert [(h.receipt, h.seconds) for h in functions.world.inbox.hidden] == [("odd receipt", 0)]
    assert functions.world.telemetry.counts["MessagesRejected"] == 1


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_an_unreadable_dead_letter_is_kept_for_a_human(functions: Functions, body: str) -> None:
    """With the queue it came from; the messages beside it are buried."""
    functions.world.runs.insert_all([spent(attempt_factory(id=attempt_id(job=job_id("minutely"))))])
    response = functions.send("dead_letter", with_body("dead_letter", body))
    (parked,) = functions.rejects.parked

    assert failed(response) == []
    assert (parked.source, parked.body) == (
        "arn:aws:sqs:eu-west-1:111122223333:timegate-dev-normal-short-dlq",
        body,
    )
    assert functions.world.states() == [RunState.DEAD_LETTERED]


LATER_FIELDS = {"hops": 3, "route": {"queue": "a"}, "tries": [1], "is_urgent": True, "zone": None}


def test_a_field_of_a_later_release_keeps_no_message_from_its_run(functions: Functions) -> None:
    """The relay of the later release writes, in a canary, messages that this executor reads."""
    functions.world.add_job(job_id=job_id("minutely"), schedule=MINUTELY, anchored_at=after(-3600))
    functions.world.runs.insert_all([attempt_factory(id=attempt_id(job=job_id("minutely")))])
    event = sample("executor")
    event["Records"] = event["Records"][:1]
    event["Records"][0]["body"] = json.dumps(GOOD | LATER_FIELDS)
    response = functions.send("executor", event)

    assert failed(response) == []
    assert functions.world.states() == [RunState.SUCCEEDED]
    assert functions.world.telemetry.counts["MessagesRejected"] == 0
