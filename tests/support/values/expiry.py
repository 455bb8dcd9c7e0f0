"""Expiry of items: DynamoDB deletes one as soon as its instant has passed, at the earliest."""

from datetime import datetime
from typing import TYPE_CHECKING

from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.reading import has_expired, text

if TYPE_CHECKING:
    from timegate.adapters.memory.engine import MemoryEngine


def delete_expired(engine: "MemoryEngine", *tables: str, now: datetime) -> None:
    """Delete every item of these tables that has expired by now."""
    for table in tables:
        for item in engine.items(table):
            if has_expired(item, now):
                engine.remove(table, Key(pk=text(item["pk"]), sk=text(item["sk"])))
