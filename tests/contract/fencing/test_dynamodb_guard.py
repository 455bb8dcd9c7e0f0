"""The DynamoDB guard, against a real table."""

from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import TYPE_CHECKING

import pytest

from examples.fencing.dynamodb_guard import Done, Fenced, commit, enter

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef

_NUMBERS = count(1)


@pytest.fixture
def table(dynamodb: "DynamoDBClient") -> str:
    """A table of its own for guards and effects."""
    name = f"guarded-{next(_NUMBERS)}"
    dynamodb.create_table(
        TableName=name,
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
    )
    return name


def bill(table: str) -> "list[TransactWriteItemTypeDef]":
    """The effect: one more invoice."""
    return [
        {
            "Update": {
                "TableName": table,
                "Key": {"pk": {"S": "invoices"}},
                "UpdateExpression": "ADD amount :one",
                "ExpressionAttributeValues": {":one": {"N": "1"}},
            }
        }
    ]


def invoices(dynamodb: "DynamoDBClient", table: str) -> int:
    """Return the amount of invoices."""
    found = dynamodb.get_item(TableName=table, Key={"pk": {"S": "invoices"}}, ConsistentRead=True)
    return int(found.get("Item", {"amount": {"N": "0"}})["amount"]["N"])


def test_without_the_guard_a_late_worker_wins(dynamodb: "DynamoDBClient", table: str) -> None:
    """The guard prevents this: the write of fence 1 after that of fence 2 stays."""
    for fence in ("2", "1"):
        item = {"pk": {"S": "balance"}, "written_by": {"N": fence}}
        dynamodb.put_item(TableName=table, Item=item)
    found = dynamodb.get_item(TableName=table, Key={"pk": {"S": "balance"}})

    assert found["Item"]["written_by"] == {"N": "1"}


def test_with_the_guard_a_late_worker_is_refused(dynamodb: "DynamoDBClient", table: str) -> None:
    """A higher fence has begun: the lower one neither begins nor writes."""
    enter(dynamodb, table, "run", 2)
    with pytest.raises(Fenced):
        enter(dynamodb, table, "run", 1)
    with pytest.raises(Fenced):
        commit(dynamodb, table, "run", 1, "billed", bill(table))

    assert invoices(dynamodb, table) == 0


def test_the_same_worker_goes_on(dynamodb: "DynamoDBClient", table: str) -> None:
    """Its own fence does not refuse it, and a higher one takes over."""
    enter(dynamodb, table, "run", 1)
    enter(dynamodb, table, "run", 1)
    enter(dynamodb, table, "run", 2)
    commit(dynamodb, table, "run", 2, "billed", bill(table))

    assert invoices(dynamodb, table) == 1


@pytest.mark.parametrize("fence", [1, 2, 3], ids=["lower", "same", "higher"])
def test_a_duplicate_is_a_no_op(dynamodb: "DynamoDBClient", table: str, fence: int) -> None:
    """A caller after the effect gets its answer, and changes nothing."""
    commit(dynamodb, table, "run", 2, "billed", bill(table))
    with pytest.raises(Done) as entered:
        enter(dynamodb, table, "run", fence)
    with pytest.raises(Done) as committed:
        commit(dynamodb, table, "run", fence, "again", bill(table))

    assert (entered.value.answer, committed.value.answer) == ("billed", "billed")
    assert invoices(dynamodb, table) == 1


def test_an_effect_that_is_refused_leaves_nothing(dynamodb: "DynamoDBClient", table: str) -> None:
    """A condition of the effect's own fails: the guard is not done, and the error is that."""
    refused = bill(table)
    refused[0]["Update"]["ConditionExpression"] = "attribute_exists(pk)"
    with pytest.raises(dynamodb.exceptions.TransactionCanceledException):
        commit(dynamodb, table, "run", 1, "billed", refused)
    commit(dynamodb, table, "run", 1, "billed", bill(table))

    assert invoices(dynamodb, table) == 1


def test_a_race_has_one_effect(dynamodb: "DynamoDBClient", table: str) -> None:
    """Twenty workers with rising fences at once: one invoice."""

    def work(fence: int) -> str:
        try:
            commit(dynamodb, table, "run", fence, str(fence), bill(table))
        except (Done, Fenced) as refused:
            return type(refused).__name__
        except dynamodb.exceptions.TransactionCanceledException:
            return "conflict"
        return "did it"

    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(work, range(1, 21)))

    assert answers.count("did it") == 1
    assert invoices(dynamodb, table) == 1
