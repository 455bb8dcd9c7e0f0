"""The engine over DynamoDB itself: throttles are translated here, and nowhere above."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from timegate.adapters.dynamo.tables.batches import delete_all, execute, read_all, write_all
from timegate.adapters.dynamo.tables.engine import (
    REFUSED,
    Answer,
    Asked,
    Fields,
    Query,
    Refusal,
    Rows,
    Scan,
)
from timegate.adapters.dynamo.tables.expressions import (
    count_request,
    member,
    projection_request,
    put_request,
    query_request,
    scan_request,
    update_request,
)
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.throttles import throttles_translated
from timegate.adapters.dynamo.tables.values import from_item
from timegate.adapters.dynamo.tables.writes import (
    Count,
    Insert,
    Put,
    Replace,
    Statement,
    Update,
    Write,
    WriteResult,
)

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: Round trips under way at once, below the client's connection pool.
SIDE_BY_SIDE = 16


class BotoEngine:
    """Every call of DynamoDB that a store causes."""

    def __init__(self, client: "DynamoDBClient") -> None:
        self._client = client

    def get(self, table: str, key: Key, *, fields: Sequence[str] = ()) -> Fields | None:
        """Return an item, strongly consistent, or the named fields of it."""
        with throttles_translated():
            answer = self._client.get_item(
                TableName=table,
                Key=key.attributes(),
                ConsistentRead=True,
                **projection_request(fields),
            )
        return from_item(answer["Item"]) if "Item" in answer else None

    def get_all(self, wanted: Mapping[str, Sequence[Key]]) -> dict[str, dict[Key, Fields]]:
        """Return the items of each table that exist, strongly consistent."""
        return read_all(self._client, wanted)

    def query(self, query: Query) -> Rows:
        """Return one page; of bounds that hold no key, without a call."""
        if query.is_empty:
            return Rows(items=(), count=0)
        with throttles_translated():
            return _rows(self._client.query(**query_request(query)))

    def scan(self, scan: Scan) -> Rows:
        """Return one page."""
        with throttles_translated():
            return _rows(self._client.scan(**scan_request(scan)))

    def write(self, write: Write) -> WriteResult:
        """Write one item: at the capacity of a statement of a batch, by a call of its own."""
        try:
            with throttles_translated():
                return self._written(write)
        except ClientError as error:
            if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
                raise
            found: Any = error.response.get("Item")
            return WriteResult(done=False, found=from_item(found) if found else None)

    def _written(self, write: Write) -> WriteResult:
        match write:
            case Insert() | Replace():
                self._client.put_item(**put_request(write))
            case Count():
                self._client.update_item(**count_request(write))
            case Update(shows_stored=True):
                request: Any = {**update_request(write), "ReturnValues": "ALL_NEW"}
                answer = self._client.update_item(**request)
                return WriteResult(done=True, stored=from_item(answer["Attributes"]))
            case Update():
                self._client.update_item(**update_request(write))
        return WriteResult(done=True)

    def write_each(self, writes: Sequence[Write]) -> list[WriteResult]:
        """Write each item by itself, side by side; raising does not undo the others."""
        return self.side_by_side(self.write, writes)

    def execute(self, writes: Sequence[Statement]) -> list[WriteResult]:
        """Write items by statements, 25 a call; raising does not undo the others."""
        return execute(self._client, writes)

    def put_all(self, table: str, puts: Sequence[Put]) -> None:
        """Store items, 25 a call."""
        write_all(self._client, table, puts)

    def delete_all(self, table: str, keys: Sequence[Key]) -> None:
        """Delete items, 25 a call."""
        delete_all(self._client, table, keys)

    def transact(self, writes: Sequence[Write | Put], *, is_named: bool = False) -> list[Refusal]:
        """Try once to write all or nothing: nothing when written, else each member's refusal."""
        members: list[Any] = [member(write) for write in writes]
        # The client sends its own repetitions under one token: they are one transaction.
        token: dict[str, Any] = {"ClientRequestToken": _token(members)} if is_named else {}
        try:
            with throttles_translated():
                self._client.transact_write_items(TransactItems=members, **token)
        except self._client.exceptions.TransactionCanceledException as error:
            reasons: list[Any] = list(error.response.get("CancellationReasons", []))
            return [_refusal(reason) for reason in reasons] or [Refusal(code=REFUSED)]
        return []

    def side_by_side(self, call: Callable[[Asked], Answer], asked: Sequence[Asked]) -> list[Answer]:
        """Return the answers to calls that mostly wait, in order, each on a thread."""
        if len(asked) <= 1:
            return [call(each) for each in asked]
        with ThreadPoolExecutor(min(SIDE_BY_SIDE, len(asked))) as pool:
            return list(pool.map(call, asked))


def _rows(answer: Mapping[str, Any]) -> Rows:
    last = answer.get("LastEvaluatedKey")
    return Rows(
        items=[from_item(item) for item in answer.get("Items", ())],
        count=answer["Count"],
        last=from_item(last) if last else None,
    )


def _refusal(reason: Mapping[str, Any]) -> Refusal:
    item = reason.get("Item")
    code = f"{reason.get('Code')}".removesuffix("Exception")
    return Refusal(code=code, found=from_item(item) if item else None)


def _token(members: list[Any]) -> str:
    """Return a name for these very writes: DynamoDB refuses one that comes again with others."""
    return hashlib.sha256(json.dumps(members, sort_keys=True).encode()).hexdigest()[:36]
