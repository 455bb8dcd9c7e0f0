"""A DynamoDB call repeats throttled parts of itself; a refusal of the whole is an error."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from botocore.exceptions import ClientError

from tests.support.factories import NOW, TENANT, after, attempt_factory, attempt_id, job_id, running
from tests.unit.adapters.conftest import Stubbed
from timegate.adapters.dynamo.runs.items.attempt_items import attempt_to_fields
from timegate.adapters.dynamo.runs.run_store import DynamoRunStore
from timegate.adapters.dynamo.tables.batches import (
    MAX_KEYS,
    ROUNDS,
    TRIES,
    StatementFailed,
    execute,
    read_all,
)
from timegate.adapters.dynamo.tables.boto_engine import BotoEngine
from timegate.adapters.dynamo.tables.engine import MAX_STATEMENTS
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.values import to_item
from timegate.adapters.dynamo.tables.writes import Update, WriteResult
from timegate.domain.dispatch.shards import ONE_SHARD
from timegate.domain.runs.conclusion import end, next_attempt
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.values.errors import Throttled
from timegate.ports.runs.held_leases import RetryWritten
from timegate.ports.stores import AttemptRef

DONE: dict[str, Any] = {"TableName": "runs"}


def refused(code: str, **fields: object) -> dict[str, Any]:
    """One statement's answer."""
    return {"Error": {"Code": code, "Message": "because", **fields}, "TableName": "runs"}


def updates(count: int) -> list[Update]:
    """So many different ones."""
    return [
        Update(
            table="runs",
            key=Key(pk=f"acme#{n}", sk="job"),
            fields={"state": "running", "watch_at": None},
            removed=["owner"],
            where={"fence": 0, "lease_expires_at": None},
        )
        for n in range(count)
    ]


def test_an_update_is_one_conditional_statement(stubbed: Stubbed) -> None:
    """Set, remove and compare; a comparison with nothing asks for a missing field."""
    client, stubber = stubbed("dynamodb")
    statement = (
        'UPDATE "runs" SET "state" = ? REMOVE "owner" REMOVE "watch_at"'
        ' WHERE pk = ? AND sk = ? AND "fence" = ? AND "lease_expires_at" IS MISSING'
    )
    parameters = [{"S": "running"}, {"S": "acme#0"}, {"S": "job"}, {"N": "0"}]
    stubber.add_response(
        "batch_execute_statement",
        {"Responses": [DONE]},
        {"Statements": [{"Statement": statement, "Parameters": parameters}]},
    )

    assert execute(client, updates(1)) == [WriteResult(done=True)]


def test_statements_go_25_a_call(stubbed: Stubbed) -> None:
    """DynamoDB takes no more at once."""
    client, stubber = stubbed("dynamodb")
    for size in (MAX_STATEMENTS, 1):
        stubber.add_response("batch_execute_statement", {"Responses": [DONE] * size})

    assert execute(client, updates(26)) == [WriteResult(done=True)] * 26


def test_a_refused_condition_shows_what_was_there(stubbed: Stubbed) -> None:
    """An answer like any other: another process was faster."""
    client, stubber = stubbed("dynamodb")
    item = {"pk": {"S": "acme#0"}, "fence": {"N": "2"}}
    answers = [refused("ConditionalCheckFailed", Item=item), refused("ConditionalCheckFailed")]
    stubber.add_response("batch_execute_statement", {"Responses": answers})

    assert execute(client, updates(2)) == [
        WriteResult(done=False, found={"pk": "acme#0", "fence": 2}),
        WriteResult(done=False),
    ]


def test_only_throttled_statements_are_tried_again(stubbed: Stubbed) -> None:
    """Their neighbours have taken effect."""
    client, stubber = stubbed("dynamodb")
    pauses: list[float] = []
    throttled = refused("ThrottlingError")
    for answers in ([DONE, throttled, throttled], [throttled, DONE], [DONE]):
        stubber.add_response("batch_execute_statement", {"Responses": answers})

    assert execute(client, updates(3), pause=pauses.append) == [WriteResult(done=True)] * 3
    assert 0.05 <= pauses[0] <= 0.1 <= pauses[1] <= 0.2


def test_a_statement_that_stays_throttled_is_told(stubbed: Stubbed) -> None:
    """The caller repeats the whole: every statement is conditional."""
    client, stubber = stubbed("dynamodb")
    throttled = refused("ProvisionedThroughputExceeded")
    for _ in range(TRIES):
        stubber.add_response("batch_execute_statement", {"Responses": [throttled]})

    with pytest.raises(Throttled):
        execute(client, updates(1), pause=lambda _: None)


def test_a_statement_that_is_wrong_is_a_bug(stubbed: Stubbed) -> None:
    """Trying it again would hide it."""
    client, stubber = stubbed("dynamodb")
    stubber.add_response("batch_execute_statement", {"Responses": [refused("ValidationError")]})

    with pytest.raises(StatementFailed, match="ValidationError"):
        execute(client, updates(1))


def store(client: Any) -> DynamoRunStore:  # noqa: ANN401 - a stubbed client
    return DynamoRunStore(
        BotoEngine(client),
        table="runs",
        jobs_table="jobs",
        shards=lambda: ONE_SHARD,
        retention_days=30,
    )


ATTEMPT = running(attempt_factory())
ENDED = end(ATTEMPT, RunState.FAILED, now=NOW, reason=Reason.RETRIED)
RETRY = next_attempt(ATTEMPT, after(2), NOW)
CALLS: dict[str, Callable[[DynamoRunStore], object]] = {
    "put_item": lambda runs: runs.insert_all([attempt_factory()]),
    "batch_get_item": lambda runs: runs.load_all([AttemptRef(tenant=TENANT, id=ATTEMPT.id)]),
    "batch_execute_statement": lambda runs: runs.finish_all([ENDED]),
    "update_item": lambda runs: runs.extend(ATTEMPT, expires_at=after(60)),
    "query": lambda runs: runs.attempts(ATTEMPT.tenant, ATTEMPT.id.run),
    "transact_write_items": lambda runs: runs.finish_and_retry(ENDED, RETRY),
}


#: Codes of throttles, and of a service that is at fault, with their status.
PASSING = [("ThrottlingException", 400), ("ProvisionedThroughputExceededException", 400)]
PASSING += [("ServiceUnavailable", 503), ("InternalFailure", 500)]


@pytest.mark.parametrize(("code", "status"), PASSING)
@pytest.mark.parametrize("operation", CALLS)
def test_a_call_that_may_pass_is_told_as_such(
    stubbed: Stubbed, operation: str, code: str, status: int
) -> None:
    """Never as a missing item, a lost lease or an empty page."""
    client, stubber = stubbed("dynamodb")
    stubber.add_client_error(operation, code, http_status_code=status)

    with pytest.raises(Throttled):
        CALLS[operation](store(client))


@pytest.mark.parametrize("operation", CALLS)
def test_any_other_error_stays_what_it_is(stubbed: Stubbed, operation: str) -> None:
    """A missing right is an operator's business, and no reason to try again."""
    client, stubber = stubbed("dynamodb")
    stubber.add_client_error(operation, "AccessDeniedException", http_status_code=499)

    with pytest.raises(ClientError):
        CALLS[operation](store(client))


@pytest.mark.parametrize("code", ["TransactionConflict", "ThrottlingError"])
def test_a_transaction_cancelled_for_load_may_be_tried_again(stubbed: Stubbed, code: str) -> None:
    """It says nothing about the lease."""
    client, stubber = stubbed("dynamodb")
    stubber.add_client_error(
        "transact_write_items",
        "TransactionCanceledException",
        modeled_fields={"CancellationReasons": [{"Code": "None"}, {"Code": code}]},
    )

    with pytest.raises(Throttled):
        store(client).finish_and_retry(ENDED, RETRY)


@pytest.mark.parametrize(
    ("found", "written"),
    [
        pytest.param(ENDED, RetryWritten.DONE, id="our-own-end"),
        pytest.param(
            replace(ENDED, cancel_requested=True), RetryWritten.DONE, id="our-own-end-cancelled"
        ),
        pytest.param(running(ATTEMPT), RetryWritten.LEASE_LOST, id="another-worker"),
        pytest.param(
            replace(ATTEMPT, cancel_requested=True), RetryWritten.CALLED_OFF, id="cancelled"
        ),
        pytest.param(None, RetryWritten.LEASE_LOST, id="nothing"),
    ],
)
def test_a_retry_whose_answer_was_lost_is_recognised(
    stubbed: Stubbed, found: Attempt | None, written: RetryWritten
) -> None:
    """Ten minutes later the token no longer helps: what is stored does."""
    client, stubber = stubbed("dynamodb")
    reason: dict[str, object] = {"Code": "ConditionalCheckFailed"}
    # A retry is there only if it was written with the end, or by another worker.
    retry = "None" if written is RetryWritten.CALLED_OFF else "ConditionalCheckFailed"
    if found is not None:
        fields = attempt_to_fields(found, shards=ONE_SHARD, retention=after(1) - NOW)
        reason["Item"] = to_item(fields)
    stubber.add_client_error(
        "transact_write_items",
        "TransactionCanceledException",
        modeled_fields={"CancellationReasons": [reason, {"Code": retry}]},
    )

    assert store(client).finish_and_retry(ENDED, RETRY) is written


def keys(count: int) -> list[Key]:
    return [Key(pk=f"acme#{job_id(str(n))}", sk="job") for n in range(count)]


def found(wanted: Sequence[Key], unread: Sequence[Key] = ()) -> dict[str, Any]:
    """A batch's answer."""
    more = {"jobs": {"Keys": [key.attributes() for key in unread], "ConsistentRead": True}}
    return {
        "Responses": {"jobs": [key.attributes() for key in wanted]},
        "UnprocessedKeys": more if unread else {},
    }


@pytest.fixture
def sleeps(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    sleeps: list[float] = []
    monkeypatch.setattr(time, "sleep", sleeps.append)
    return sleeps


def test_keys_are_read_a_hundred_a_call_and_each_once(stubbed: Stubbed, sleeps: object) -> None:
    """DynamoDB takes no more at once, and refuses a key given twice."""
    client, stubber = stubbed("dynamodb")
    wanted = keys(MAX_KEYS + 1)
    stubber.add_response("batch_get_item", found(wanted[:MAX_KEYS]))
    stubber.add_response("batch_get_item", found(wanted[MAX_KEYS:]))

    assert set(wanted) == set(read_all(client, {"jobs": wanted + wanted})["jobs"])


def test_keys_left_unread_are_read_next(stubbed: Stubbed, sleeps: list[float]) -> None:
    """After a pause; what was read stays."""
    client, stubber = stubbed("dynamodb")
    first, second = keys(2)
    stubber.add_response("batch_get_item", found([first], [second]))
    again = {"jobs": {"Keys": [second.attributes()], "ConsistentRead": True}}
    stubber.add_response("batch_get_item", found([second]), {"RequestItems": again})

    assert {first, second} == set(read_all(client, {"jobs": [first, second]})["jobs"])
    assert [each > 0 for each in sleeps] == [True]


def test_keys_that_stay_unread_are_told(stubbed: Stubbed, sleeps: object) -> None:
    """A run that was not read is not a run that does not exist."""
    client, stubber = stubbed("dynamodb")
    for _ in range(ROUNDS):
        stubber.add_response("batch_get_item", found([], keys(1)))

    with pytest.raises(Throttled):
        read_all(client, {"jobs": keys(1)})


def test_reading_nothing_is_no_call(stubbed: Stubbed) -> None:
    """An empty batch is an error of DynamoDB's."""
    client, _ = stubbed("dynamodb")

    assert read_all(client, {"jobs": [], "runs": []}) == {"jobs": {}, "runs": {}}


def test_two_attempts_of_one_run_are_two_keys(stubbed: Stubbed) -> None:
    """Each attempt has its own record; their job, what is in force for it and for the stage, and
    its tenant's settings are read once.
    """
    client, stubber = stubbed("dynamodb")
    asked: list[dict[str, Any]] = []
    client.meta.events.register(
        "provide-client-params.dynamodb", lambda params, **_: asked.append(params["RequestItems"])
    )
    stubber.add_response("batch_get_item", {"Responses": {}, "UnprocessedKeys": {}})
    refs = [AttemptRef(tenant=TENANT, id=attempt_id(number)) for number in (1, 2)]
    loaded = store(client).load_all(refs)

    assert [each.attempt for each in loaded] == [None, None]
    assert {table: len(m["Keys"]) for table, m in asked[0].items()} == {"runs": 2, "jobs": 4}
