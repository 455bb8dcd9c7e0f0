"""Stream records that arrive once more."""

import json
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from infra.rollout_choice import LIVE
from tests.support.deployed.stack import Stack

Image = dict[str, dict[str, Any]]


def _is_queued(image: Image) -> bool:
    return image["state"] == {"S": "queued"} and image["direct"] == {"BOOL": False}


def _is_followed(image: Image) -> bool:
    return "follow" in image


#: Readers of the runs table's stream, each with its filter.
READERS = {"RelayFunctionName": _is_queued, "OutcomesFunctionName": _is_followed}


@dataclass
class StreamCopies:
    """Reads the stream of the runs table as Lambda does, and hands a share of it on again."""

    stack: Stack
    share: float
    dice: Random
    sent: int = 0
    _iterators: list[str] | None = None

    @property
    def interval(self) -> float | None:
        """Seconds between two looks; ``None`` where nothing is copied."""
        return 1.0 if self.share else None

    @cached_property
    def _functions(self) -> Any:  # noqa: ANN401 - a boto3 client
        return self.stack.aws("lambda")

    @cached_property
    def _streams(self) -> Any:  # noqa: ANN401 - a boto3 client
        return self.stack.aws("dynamodbstreams")

    def send(self) -> None:
        """Let the functions see some of what has come since the last look a second time."""
        seen = [record for record in self._read() if "NewImage" in record["dynamodb"]]
        drawn = [record for record in seen if self.dice.random() < self.share]
        for reader, reads in READERS.items():
            records = [record for record in drawn if reads(record["dynamodb"]["NewImage"])]
            if records:
                self._hand_on(reader, [_as_lambda_has_it(record) for record in records])
                self.sent += len(records)

    def _hand_on(self, reader: str, records: list[dict[str, Any]]) -> None:
        # Not waited for: the worker that has them may be killed.
        self._functions.invoke(
            FunctionName=self.stack.outputs[reader],
            Qualifier=LIVE,
            Payload=json.dumps({"Records": records}),
            InvocationType="Event",
        )

    def _read(self) -> list[dict[str, Any]]:
        client = self._streams
        found: list[dict[str, Any]] = []
        kept: list[str] = []
        for iterator in self._begin(client) if self._iterators is None else self._iterators:
            answer = client.get_records(ShardIterator=iterator)
            found += answer["Records"]
            kept += [answer["NextShardIterator"]] if answer.get("NextShardIterator") else []
        self._iterators = kept
        return found

    def _begin(self, client: Any) -> list[str]:  # noqa: ANN401 - a boto3 client
        table = self.stack.outputs["RunsTableName"]
        (stream,) = client.list_streams(TableName=table)["Streams"]
        arn = stream["StreamArn"]
        shards = client.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]
        return [
            client.get_shard_iterator(
                StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType="LATEST"
            )["ShardIterator"]
            for shard in shards
        ]


def _as_lambda_has_it(record: dict[str, Any]) -> dict[str, Any]:
    """Lambda writes the instant as a number; everything else is the same."""
    body = dict(record["dynamodb"])
    written_at = body.pop("ApproximateCreationDateTime")
    body["ApproximateCreationDateTime"] = written_at.timestamp()
    return {**record, "dynamodb": body}
