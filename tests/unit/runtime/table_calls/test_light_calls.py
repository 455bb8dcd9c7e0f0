"""Calls of tables cost less than botocore's, and say, ask and raise the same."""

import json
from typing import TYPE_CHECKING, Any

import pytest
from botocore.exceptions import ClientError
from botocore.model import Shape

from tests.unit.runtime.table_calls.conftest import NewClient, ScriptedTables, answer, error
from timegate.runtime import clients
from timegate.runtime.light_calls import CALLS, lighten

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

USER_AGENT = clients._USER_AGENT
KEY: Any = {"pk": {"S": "a"}, "sk": {"S": "b"}}
ITEM = {**KEY, "n": {"N": "1.5"}, "m": {"M": {"l": {"L": [{"NULL": True}, {"NS": ["1"]}]}}}}
#: A request of each operation whose steps are exchanged.
REQUESTS: dict[str, dict[str, Any]] = {
    "BatchExecuteStatement": {"Statements": [{"Statement": "INSERT", "Parameters": [{"S": "ü"}]}]},
    "BatchGetItem": {"RequestItems": {"t": {"Keys": [KEY], "ConsistentRead": True}}},
    "BatchWriteItem": {"RequestItems": {"t": [{"PutRequest": {"Item": ITEM}}]}},
    "GetItem": {"TableName": "t", "Key": KEY, "ConsistentRead": True},
    "PutItem": {"TableName": "t", "Item": ITEM},
    "Query": {"TableName": "t", "Limit": 3, "ExpressionAttributeValues": {":v0": {"S": "a"}}},
    "Scan": {"TableName": "t", "Segment": 0, "TotalSegments": 2},
    "TransactWriteItems": {
        "TransactItems": [{"Put": {"TableName": "t", "Item": ITEM}}],
        "ClientRequestToken": "once",
    },
    "UpdateItem": {"TableName": "t", "Key": KEY, "UpdateExpression": "SET a = b"},
}
ANSWERS: dict[str, dict[str, Any]] = {
    "BatchExecuteStatement": {
        "Responses": [{"Error": {"Code": "DuplicateItem", "Item": ITEM}, "TableName": "t"}]
    },
    "BatchGetItem": {"Responses": {"t": [ITEM]}, "UnprocessedKeys": {}},
    "BatchWriteItem": {"UnprocessedItems": {}},
    "GetItem": {"Item": ITEM},
    "Query": {"Items": [ITEM], "Count": 1, "ScannedCount": 2, "LastEvaluatedKey": KEY},
    "Scan": {"Items": [ITEM], "Count": 1, "ScannedCount": 1},
    "UpdateItem": {"Attributes": ITEM},
}


def _call(client: "DynamoDBClient", operation: str) -> dict[str, Any]:
    """Call an operation; its answer without what tells of the exchange."""
    said: dict[str, Any] = client._make_api_call(operation, REQUESTS[operation])  # type: ignore[attr-defined]
    assert said["ResponseMetadata"]["RequestId"] == "R1"
    assert said["ResponseMetadata"]["HTTPStatusCode"] == 200
    assert said["ResponseMetadata"]["RetryAttempts"] == 0
    return {name: value for name, value in said.items() if name != "ResponseMetadata"}


def test_each_operation_says_and_reads_what_botocore_does(
    own: "DynamoDBClient", new_client: NewClient, tables: ScriptedTables
) -> None:
    """The bodies, the signed headers and the answers are equal."""
    assert REQUESTS.keys() == CALLS
    plain = new_client(light=False, user_agent=USER_AGENT)
    for operation in sorted(CALLS):
        tables.answers = [answer(ANSWERS.get(operation, {}))]
        tables.requests.clear()

        assert _call(own, operation) == _call(plain, operation) == ANSWERS.get(operation, {})

        (ours, our_body), (theirs, their_body) = tables.requests
        assert json.loads(our_body) == json.loads(their_body) == REQUESTS[operation]
        assert ours.keys() == theirs.keys()
        assert _named(ours) == _named(theirs)
        told = ("x-amz-target", "content-type", "host", "accept-encoding")
        assert [ours[name] for name in told] == [theirs[name] for name in told]
        # Libraries beside it may add their names to botocore's.
        assert theirs["user-agent"].startswith(ours["user-agent"])
        assert ours["amz-sdk-request"] == theirs["amz-sdk-request"]


def _named(headers: dict[str, str]) -> str:
    """Return the names of signed headers, and the scope of the signature."""
    return headers["authorization"].rpartition(", Signature=")[0]


@pytest.mark.parametrize("operation", sorted(CALLS))
def test_bodies_of_an_operation_are_json(operation: str, own: "DynamoDBClient") -> None:
    """No type of a body needs botocore's model, but bytes of items, which no store writes."""
    model: Any = own.meta.service_model.operation_model(operation)
    found: set[str] = set()
    for shape in (model.input_shape, model.output_shape):
        _collect(shape, found, seen=set())

    assert found <= {"string", "boolean", "integer", "long", "double", "blob of AttributeValue"}


def _collect(shape: Any, found: set[str], *, seen: set[str], within: str = "") -> None:  # noqa: ANN401
    if shape.type_name in {"structure", "list", "map"}:
        if shape.name in seen:
            return
        seen.add(shape.name)
        inner: list[Shape] = {
            "structure": lambda: list(shape.members.values()),
            "list": lambda: [shape.member],
            "map": lambda: [shape.key, shape.value],
        }[shape.type_name]()
        for each in inner:
            around = shape.name if shape.type_name == "structure" else within
            _collect(each, found, seen=seen, within=around)
    else:
        found.add(f"blob of {within}" if shape.type_name == "blob" else shape.type_name)


def test_an_unsigned_client_stays_unsigned(new_client: NewClient, tables: ScriptedTables) -> None:
    """A client that chooses not to sign sends no signature."""
    from botocore import UNSIGNED  # noqa: PLC0415

    client = new_client(light=True, signature_version=UNSIGNED)
    for _ in range(2):
        client.get_item(TableName="t", Key=KEY)

    assert [headers.get("authorization") for headers, _ in tables.requests] == [None, None]


def test_a_client_is_lightened_once(own: "DynamoDBClient") -> None:
    """Twice would wrap each step in another one."""
    serializer: Any = own._serializer  # type: ignore[attr-defined]

    assert lighten(own)._serializer is serializer  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("code", "fields"),
    [
        ("ConditionalCheckFailedException", {"Item": ITEM}),
        ("TransactionCanceledException", {"CancellationReasons": [{"Code": "None", "Item": ITEM}]}),
        ("ValidationException", {}),
    ],
)
def test_an_error_is_botocores(
    code: str,
    fields: dict[str, Any],
    own: "DynamoDBClient",
    new_client: NewClient,
    tables: ScriptedTables,
) -> None:
    """Its class, its code and its fields are the same, and it is not sent again."""
    tables.answers = [error(code, **fields)]
    raised = []
    for client in (own, new_client(light=False)):
        with pytest.raises(ClientError) as caught:
            client.get_item(TableName="t", Key=KEY)
        said: dict[str, Any] = {**caught.value.response}
        del said["ResponseMetadata"]
        raised.append((type(caught.value).__name__, str(caught.value), said))

    assert raised[0] == raised[1]
    assert len(tables.requests) == 2


@pytest.mark.parametrize(
    "first",
    [
        error("ProvisionedThroughputExceededException"),
        answer({}, "500 Internal Server Error"),
        answer({}, "503 Service Unavailable"),
    ],
)
def test_a_throttle_is_sent_again(
    first: bytes, own: "DynamoDBClient", tables: ScriptedTables
) -> None:
    """By botocore's own rules, with a signature of its own."""
    tables.answers = [first, answer({"Item": ITEM})]

    said = own.get_item(TableName="t", Key=KEY)

    assert said["Item"] == ITEM
    assert said["ResponseMetadata"]["RetryAttempts"] == 1
    numbers = [
        headers["amz-sdk-request"].rpartition("attempt=")[2] for headers, _ in tables.requests
    ]
    assert [each[0] for each in numbers] == ["1", "2"]


def test_an_endpoint_is_found_once(own: "DynamoDBClient") -> None:
    """The rules are asked for the first call of an operation alone."""
    known: Any = own._ruleset_resolver  # type: ignore[attr-defined]
    asked: list[str] = []
    find = known._rules.construct_endpoint

    def counted(operation_model: Any, *others: Any) -> Any:  # noqa: ANN401
        asked.append(operation_model.name)
        return find(operation_model, *others)

    known._rules.construct_endpoint = counted
    for _ in range(3):
        own.get_item(TableName="t", Key=KEY)
        own.scan(TableName="t")

    assert asked == ["GetItem", "Scan"]


def test_other_operations_are_botocores(own: "DynamoDBClient", tables: ScriptedTables) -> None:
    """Tables are described by its own serialiser and parser."""
    tables.answers = [answer({"Table": {"TableName": "t", "CreationDateTime": 1.0}})]

    for _ in range(2):
        said = own.describe_table(TableName="t")
        assert said["Table"]["CreationDateTime"].year == 1970
