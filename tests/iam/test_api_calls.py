"""Calls are put into IAM's terms as the service authorises them."""

from typing import Any

import pytest

from tests.iam.api_calls import ATTRIBUTES, BUCKET, LEADING_KEYS, MACHINE, requests_of
from tests.iam.evaluator import Request, Unmodelled

_KEY = {"pk": {"S": "acme#1"}, "sk": {"S": "job"}}


def keyed(action: str, resource: str, *keys: str, fields: tuple[str, ...] = ()) -> Request:
    named = ((ATTRIBUTES, fields),) if fields else ()
    context = ((LEADING_KEYS, keys), *named)
    return Request(action=f"dynamodb:{action}", resource=resource, context=context)


def test_an_item_is_authorised_by_its_partition() -> None:
    """Reads and writes are authorised alike."""
    read = requests_of("dynamodb", "GetItem", {"TableName": "jobs", "Key": _KEY})
    written = requests_of("dynamodb", "PutItem", {"TableName": "runs", "Item": _KEY})

    assert read == {keyed("GetItem", "Jobs/Table.Arn", "acme#1")}
    assert written == {keyed("PutItem", "Runs/Table.Arn", "acme#1", fields=("pk", "sk"))}


def test_a_write_is_authorised_by_the_fields_that_it_names() -> None:
    """In its update and its condition, by their names; of a path the first."""
    update = {
        "TableName": "jobs",
        "Key": _KEY,
        "UpdateExpression": "SET #n0 = :v0, counted = if_not_exists(counted, :zero) REMOVE #n1.#n2",
        "ConditionExpression": "attribute_exists(pk) AND (#n3 = :v1 OR NOT #n3 < :v2)",
        "ExpressionAttributeNames": {"#n0": "a", "#n1": "map", "#n2": "in", "#n3": "version"},
    }
    fields = ("a", "counted", "map", "pk", "version")

    assert requests_of("dynamodb", "UpdateItem", update) == {
        keyed("UpdateItem", "Jobs/Table.Arn", "acme#1", fields=fields)
    }


def test_a_query_of_an_index_is_authorised_on_the_index() -> None:
    """With the partition of the index, which is not the table's."""
    query = {
        "TableName": "jobs",
        "IndexName": "due",
        "KeyConditionExpression": "due_bucket = :b AND due_at < :t",
        "ExpressionAttributeValues": {":b": {"S": "m#1"}, ":t": {"S": "z"}},
    }

    expected = {keyed("Query", "Jobs/Table.Arn/index/due", "m#1")}
    assert requests_of("dynamodb", "Query", query) == expected


def test_members_of_a_transaction_are_actions_of_their_own() -> None:
    """IAM is told the keys of one action and table together; a check is an action as well."""
    member = {"TableName": "jobs", "Key": _KEY}
    other = {"TableName": "jobs", "Key": {"pk": {"S": "acme#2"}}}
    items = [{"Update": member}, {"Update": other}, {"ConditionCheck": member}]

    assert requests_of("dynamodb", "TransactWriteItems", {"TransactItems": items}) == {
        keyed("UpdateItem", "Jobs/Table.Arn", "acme#1", "acme#2"),
        keyed("ConditionCheckItem", "Jobs/Table.Arn", "acme#1"),
    }


def test_statements_are_authorised_as_what_they_do() -> None:
    """By the key after ``WHERE``, wherever its parameter is."""
    text = 'UPDATE "runs" SET "a" = ? REMOVE "b" WHERE pk = ? AND sk = ?'
    parameters = [{"N": "1"}, {"S": "acme#1"}, {"S": "x"}]
    batch = {"Statements": [{"Statement": text, "Parameters": parameters}]}

    expected = {keyed("PartiQLUpdate", "Runs/Table.Arn", "acme#1", fields=("a", "b"))}
    assert requests_of("dynamodb", "BatchExecuteStatement", batch) == expected


def test_a_batch_is_authorised_as_its_members() -> None:
    """SQS knows no action for a batch."""
    queue = "https://sqs.us-east-1.amazonaws.com/111122223333/normal-short"
    (request,) = requests_of("sqs", "SendMessageBatch", {"QueueUrl": queue})

    assert (request.action, request.resource) == (
        "sqs:SendMessage",
        "Queues/normal-short/Queue.Arn",
    )


def test_other_services_are_authorised_on_what_is_named() -> None:
    """A missing object is told only to who may list; a token belongs to its machine."""
    (read, listed) = sorted(requests_of("s3", "GetObject", {"Key": "payloads/1"}), key=str)
    answers = ("SendTaskSuccess", "SendTaskFailure")
    answered = [requests_of("stepfunctions", each, {"taskToken": "t"}) for each in answers]

    assert (read.action, read.resource) == ("s3:GetObject", f"{BUCKET}/payloads/1")
    assert (listed.action, listed.values("s3:prefix")) == ("s3:ListBucket", ("payloads/1",))
    assert [each.resource for (each,) in answered] == [MACHINE, MACHINE]


@pytest.mark.parametrize(
    ("service", "operation", "params"),
    [
        ("ec2", "RunInstances", {}),
        ("dynamodb", "DescribeTable", {"TableName": "jobs"}),
        ("sqs", "PurgeQueue", {"QueueUrl": "https://x/q"}),
        ("s3", "DeleteObject", {"Key": "a"}),
        ("dynamodb", "ExecuteStatement", {"Statement": 'SELECT * FROM "jobs"', "Parameters": []}),
    ],
)
def test_an_undescribed_call_is_refused(
    service: str, operation: str, params: dict[str, Any]
) -> None:
    """A new kind of call has to be put into IAM's terms first."""
    with pytest.raises(Unmodelled):
        requests_of(service, operation, params)
