"""Moving an unreadable item to a later bucket of its index."""

from datetime import datetime

from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tables.keys import Key, bucket_name
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Update
from timegate.domain.values.instants import compact, minute_of
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class IndexPlace:
    """An index, and the bucket of it in which the item was seen."""

    #: ``due`` or ``watch``: its attributes are ``<index>_bucket`` and ``<index>_at``.
    index: str
    minute: str
    shard: int


def put_off(
    engine: Engine, table: str, key: Key, place: IndexPlace, *, until: datetime, **also: Plain
) -> bool:
    """Show the item in the same shard at ``until``; ``False``: it is not there any more.

    Touches nothing but the index and ``also``: what is damaged stays as it is, to be repaired.
    """
    bucket = f"{place.index}_bucket"
    later = Update(
        table=table,
        key=key,
        fields={
            bucket: bucket_name(minute_of(until), place.shard),
            f"{place.index}_at": compact(until),
            **also,
        },
        # A repair or a move in between has put it where it belongs.
        where={bucket: bucket_name(place.minute, place.shard)},
    )
    return engine.write(later).done
