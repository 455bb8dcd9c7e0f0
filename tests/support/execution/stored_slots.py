"""The slots of a world in memory: every record of a key, put together."""

from collections.abc import Iterator, Mapping

from timegate.adapters.dynamo.limits.slot_items import (
    LINE_PREFIX,
    holder_from_fields,
    is_place,
    waiter_from_fields,
)
from timegate.adapters.dynamo.tables.engine import Fields
from timegate.adapters.memory.engine import MemoryEngine
from timegate.domain.limits.overlap import SlotKey
from timegate.domain.limits.slots import Slots
from timegate.domain.values.tenant import TenantId

_TABLE = "jobs"


class StoredSlots(Mapping[SlotKey, Slots]):
    """Holders of places, expired or not, and waiters in the line."""

    def __init__(self, engine: MemoryEngine) -> None:
        self._engine = engine

    def __getitem__(self, key: SlotKey) -> Slots:
        """Put the records of a key together; raises ``KeyError``."""
        return slots_of_items(self._by_key()[key])

    def __iter__(self) -> Iterator[SlotKey]:
        """Name every key that was ever used, in the order in which they were first."""
        return iter(self._by_key())

    def __len__(self) -> int:
        """Count them."""
        return len(self._by_key())

    def _by_key(self) -> dict[SlotKey, list[Fields]]:
        found: dict[SlotKey, list[Fields]] = {}
        for item in self._engine.items(_TABLE):
            sk = str(item["sk"])
            if is_place(sk) or sk.startswith(LINE_PREFIX):
                tenant, _, name = str(item["pk"]).partition("#key#")
                found.setdefault(SlotKey(tenant=TenantId(tenant), name=name), []).append(item)
        return found


def slots_of_items(items: list[Fields]) -> Slots:
    """The slots that the records of one key tell of."""
    places = [holder_from_fields(item) for item in items if is_place(str(item["sk"]))]
    line = [waiter_from_fields(i) for i in items if str(i["sk"]).startswith(LINE_PREFIX)]
    holders = [each for each in places if each is not None]
    return Slots(
        holders=tuple(sorted(holders, key=lambda each: (each.since, each.hold.attempt))),
        waiters=tuple(sorted(each for each in line if each is not None)),
    )
