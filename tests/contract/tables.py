"""The two tables as the stack makes them; ``tests/infra`` holds this to the template."""

from typing import Any

_TEXT = "S"


def jobs_table(name: str) -> dict[str, Any]:
    """Definitions and shard cursors."""
    projected = [
        *("tenant", "version", "status", "schedule", "priority", "resource_class", "precision"),
        *("created_at", "anchored_at", "next_run_at", "runs_planned", "full", "standing"),
        *("catch_up", "start_within_seconds", "decided_until", "calendars", "pool", "handler"),
        "tags",
    ]
    due = {"ProjectionType": "INCLUDE", "NonKeyAttributes": projected}
    stream = {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}
    table = _table(
        name,
        _index("due", "due_bucket", "due_at", due),
        _index("by_tenant", "tenant_key", "listed_at", {"ProjectionType": "KEYS_ONLY"}),
    )
    return {**table, "StreamSpecification": stream}


def runs_table(name: str) -> dict[str, Any]:
    """One item per attempt."""
    stream = {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
    watch = _index("watch", "watch_bucket", "watch_at", {"ProjectionType": "KEYS_ONLY"})
    offers = {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["handler"]}
    pool = _index("pool", "pool_lane", "offered_at", offers)
    dead = [
        _index(index, partition, "dead_at", {"ProjectionType": "KEYS_ONLY"})
        for index, partition in (
            ("dead_letters", "dead_tenant"),
            ("dead_by_job", "pk"),
            ("dead_by_reason", "dead_reason"),
            ("dead_by_code", "dead_code"),
        )
    ]
    return {**_table(name, watch, pool, *dead), "StreamSpecification": stream}


def _table(name: str, *indexes: dict[str, Any]) -> dict[str, Any]:
    keys = [_keys("pk", "sk"), *(index["KeySchema"] for index in indexes)]
    names = dict.fromkeys(key["AttributeName"] for schema in keys for key in schema)
    return {
        "TableName": name,
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": _keys("pk", "sk"),
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": _TEXT} for name in names],
        "GlobalSecondaryIndexes": list(indexes),
    }


def _index(name: str, partition: str, sort: str, projection: dict[str, Any]) -> dict[str, Any]:
    return {"IndexName": name, "KeySchema": _keys(partition, sort), "Projection": projection}


def _keys(partition: str, sort: str) -> list[dict[str, str]]:
    return [
        {"AttributeName": partition, "KeyType": "HASH"},
        {"AttributeName": sort, "KeyType": "RANGE"},
    ]
