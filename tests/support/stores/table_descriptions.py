"""The two tables as the stack makes them; ``tests/infra`` holds this to the template."""

from collections.abc import Mapping
from typing import Any

from timegate.adapters.dynamo.tables.indexes import JOBS_INDEXES, RUNS_INDEXES, Index

_TEXT = "S"


def jobs_table(name: str) -> dict[str, Any]:
    """Definitions and shard cursors."""
    stream = {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}
    return {**_table(name, JOBS_INDEXES), "StreamSpecification": stream}


def runs_table(name: str) -> dict[str, Any]:
    """One item per attempt."""
    stream = {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
    return {**_table(name, RUNS_INDEXES), "StreamSpecification": stream}


def _table(name: str, described: Mapping[str, Index]) -> dict[str, Any]:
    indexes = [_index(index, keys) for index, keys in described.items()]
    keys = [_keys("pk", "sk"), *(index["KeySchema"] for index in indexes)]
    names = dict.fromkeys(key["AttributeName"] for schema in keys for key in schema)
    return {
        "TableName": name,
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": _keys("pk", "sk"),
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": _TEXT} for name in names],
        "GlobalSecondaryIndexes": indexes,
    }


def _index(name: str, keys: Index) -> dict[str, Any]:
    projection: dict[str, Any] = {"ProjectionType": "KEYS_ONLY"}
    if keys.projected:
        projection = {"ProjectionType": "INCLUDE", "NonKeyAttributes": list(keys.projected)}
    schema = _keys(keys.partition, keys.sort)
    return {"IndexName": name, "KeySchema": schema, "Projection": projection}


def _keys(partition: str, sort: str) -> list[dict[str, str]]:
    return [
        {"AttributeName": partition, "KeyType": "HASH"},
        {"AttributeName": sort, "KeyType": "RANGE"},
    ]
