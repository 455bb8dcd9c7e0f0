"""The tables of one region, as a replication reads and writes them: raw items, and their changes.

The emulator's own replicas have no lag, and nothing cuts them.
"""

from collections.abc import Sequence

from tests.crash.services.streams import JOBS, RUNS
from tests.crash.services.tables import Item, Tables
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.writes import Put
from timegate.adapters.memory.engine import Change

REPLICATED = (JOBS, RUNS)


class Replica:
    """Stands for a region in a replication, from where its streams end now."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._positions = {table: tables.begin_stream(table) for table in REPLICATED}
        self._changes: list[Change] = []

    @property
    def changes(self) -> list[Change]:
        """Every change so far, as the streams show it."""
        for table in REPLICATED:
            while records := self._tables.stream(table, self._positions[table]):
                self._positions[table] += len(records)
                for record in records:
                    shown = record["dynamodb"]
                    keys = {name: text["S"] for name, text in shown["Keys"].items()}
                    self._changes.append(
                        Change(
                            table=table,
                            key=Key(pk=keys["pk"], sk=keys["sk"]),
                            before=None,
                            after=shown.get("NewImage"),
                        )
                    )
        return self._changes

    def get(self, table: str, key: Key) -> Item | None:
        """Return an item as it is stored."""
        return self._tables.get(table, key.pk, key.sk)

    def put_all(self, table: str, puts: Sequence[Put]) -> None:
        """Store versions of items as they arrive."""
        for put in puts:
            self._tables.put(table, put.fields)

    def remove(self, table: str, key: Key) -> None:
        """Remove an item."""
        self._tables.remove(table, {"pk": {"S": key.pk}, "sk": {"S": key.sk}})
