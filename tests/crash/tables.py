"""MiniStack's DynamoDB inside this process: the same code, without a network in between.

The clients are the real ones, down to the request they have signed and the bytes they parse.
"""

import io
from collections.abc import Iterator, Mapping
from typing import Any, cast

from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from ministack.services import dynamodb  # type: ignore[import-untyped]

from tests.contract.tables import jobs_table, runs_table
from tests.crash.streams import JOBS, RUNS

Item = Mapping[str, Any]


class _Body(io.BytesIO):
    """What botocore reads an answer from."""

    def stream(self, *_: object, **__: object) -> Iterator[bytes]:
        """All of it at once."""
        yield self.read()


def answer(
    request: AWSPreparedRequest, status: int, headers: Mapping[str, str], body: bytes
) -> AWSResponse:
    """An answer as it would come from the network."""
    lowered: Any = {name.lower(): text for name, text in headers.items()}
    response: Any = AWSResponse(request.url, status, lowered, _Body(body))
    if not request.stream_output:
        response._content = body
    return cast("AWSResponse", response)


def body_of(request: AWSPreparedRequest) -> bytes:
    """The bytes that would go out."""
    body: Any = request.body
    if isinstance(body, str):
        return body.encode()
    return bytes(body if isinstance(body, (bytes, bytearray)) else body.read())


class Tables:
    """The two tables, their raw items and their streams."""

    def __init__(self) -> None:
        # Whoever lives through the same again sends the same tokens.
        dynamodb._txn_idempotency.clear()
        for table in (jobs_table(JOBS), runs_table(RUNS)):
            dynamodb._tables.pop(table["TableName"], None)
            dynamodb.drop_stream_records(table["TableName"])
            dynamodb._create_table(table)

    def send(self, request: AWSPreparedRequest) -> AWSResponse:
        """Serve one request."""
        headers = {name.lower(): _text(value) for name, value in request.headers.items()}
        served = dynamodb.handle_request(request.method, "/", headers, body_of(request), {})
        try:
            served.send(None)
        except StopIteration as stopped:
            status, answered, body = stopped.value
        else:  # pragma: no cover
            raise AssertionError("MiniStack's DynamoDB waits for something.")
        content = body if isinstance(body, bytes) else body.encode()
        return answer(request, status, answered, content)

    def items(self, table: str) -> list[Item]:
        """Every item there is, as it is stored: no reader of the code under test is involved."""
        partitions = dynamodb._tables.get(table)["items"]
        return [item for rows in partitions.values() for item in rows.values()]

    def stream(self, table: str, position: int) -> list[dict[str, Any]]:
        """What the stream shows from a position on."""
        records: list[dict[str, Any]] = dynamodb.stream_records_since(table, position, 1000)
        return records

    def set_watermarks(self, instant: str, sealed: str) -> None:
        """Every watcher has come this far, and none is at work."""
        for item in self.items(JOBS):
            if item["pk"]["S"].startswith("shard#"):
                row = dynamodb._tables.get(JOBS)["items"][item["pk"]["S"]][item["sk"]["S"]]
                row["watermark"] = {"S": instant}
                row["sealed"] = {"S": sealed}
                row.pop("leased_by", None)
                row.pop("leased_until", None)

    def forget(self, tenant: str) -> None:
        """Leave no trace of a tenant but in the streams, whose readers have come past it."""
        for name in (JOBS, RUNS):
            table = dynamodb._tables.get(name)
            for item in self.items(name):
                if owner_of(item) == tenant:
                    dynamodb._remove_item(table, item["pk"]["S"], item["sk"]["S"])

    def end_of_stream(self, table: str) -> int:
        """Where its next record will be."""
        return int(dynamodb.stream_end_position(table))


def owner_of(item: Item) -> str:
    """The tenant whose partition an item is in; records of the system have ``#`` or none."""
    return str(item["pk"]["S"]).partition("#")[0]


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value
