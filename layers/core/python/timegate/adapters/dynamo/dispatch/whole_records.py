"""Records of a stage that are decided about as a whole: a map within an item of their own.

A condition names each field that this release knows. One on the whole map would never hold once a
later release has added a field, and the earlier one could change the record no more.
"""

from typing import Generic, TypeVar

from timegate.adapters.dynamo.tables.codec import Part
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.reading import Fields, mapping
from timegate.adapters.dynamo.tables.writes import Update

Record = TypeVar("Record")

_RECORD = "record"


class WholeRecord(Generic[Record]):
    """One record, which each writer changes as it was read."""

    def __init__(self, part: Part[Record], key: Key) -> None:
        self._part = part
        self._key = key

    def read(self, fields: Fields) -> Record:
        """Read the record of an item; raises ``Malformed``."""
        return self._part.read(mapping(fields[_RECORD]))

    def replacing(self, table: str, before: Record | None, after: Record) -> Update:
        """Store ``after`` if what is known of the record is as it was read; keep what is not."""
        if before is None:
            first = {_RECORD: self._part.map(after)}
            return Update(
                table=table, key=self._key, fields=first, where={_RECORD: None}, creates=True
            )
        return Update(
            table=table,
            key=self._key,
            within=(_RECORD,),
            fields=self._part.fields(after),
            where=self._part.fields(before),
        )
