"""The items of one table, in the order of their keys, with the sparse indexes they are in."""

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Iterator, Mapping

from timegate.adapters.dynamo.tables.engine import Fields
from timegate.adapters.dynamo.tables.indexes import INDEXES, PRIMARY, Index
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.limits import check_item, check_keys
from timegate.adapters.dynamo.tables.values import size_of
from timegate.value_classes import dataclass

#: The place of an item in an index: its sort key there, then its primary key.
Place = tuple[str, str, str]
#: Sorts after every text that a key begins with.
_BEYOND = "\U0010ffff"
_EVERYWHERE: dict[str | None, Index] = {None: PRIMARY}
_EVERYWHERE.update(INDEXES.items())


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyRange:
    """Bounds of sort keys, both included, and the place to begin after."""

    first: str = ""
    last: str = _BEYOND
    after: Place | None = None
    latest_first: bool = False

    @classmethod
    def beginning(cls, prefix: str, *, after: Place | None, latest_first: bool) -> "KeyRange":
        """Return the range of all sort keys that begin with a text."""
        return cls(first=prefix, last=prefix + _BEYOND, after=after, latest_first=latest_first)


class Items:
    """Items by key; an item that is stored is never changed, only replaced."""

    def __init__(self) -> None:
        self._items: dict[Key, Fields] = {}
        #: Bytes that DynamoDB counts.
        self._sizes: dict[Key, int] = {}
        self._places: dict[str | None, defaultdict[str, list[Place]]] = {
            index: defaultdict(list) for index in _EVERYWHERE
        }

    def get(self, key: Key) -> Fields | None:
        """Return an item; the caller must not change it."""
        return self._items.get(key)

    def all(self) -> Iterator[Fields]:
        """Yield every item, in the order of their first writes."""
        yield from list(self._items.values())

    def size_of(self, item: Fields) -> int:
        """Return the bytes of an item that is stored."""
        return self._sizes[Key(pk=str(item["pk"]), sk=str(item["sk"]))]

    def set(self, key: Key, item: Fields | None) -> None:
        """Store an item in the place of the one before it; ``None`` removes it.

        Raises ``LimitExceeded`` for one that is too large, or has keys that are.
        """
        before, size = self._items.get(key), 0
        if item is not None:
            size = size_of(item)
            check_item(size, item)
            for keys in _EVERYWHERE.values():
                _check(item, keys)
        for index, keys in _EVERYWHERE.items():
            old = _entry(before, keys, key)
            new = _entry(item, keys, key)
            if old == new:
                continue
            if old is not None:
                partition = self._places[index][old[0]]
                del partition[bisect_left(partition, old[1])]
            if new is not None:
                insort(self._places[index][new[0]], new[1])
        if item is None:
            self._items.pop(key, None)
            self._sizes.pop(key, None)
        else:
            self._items[key] = item
            self._sizes[key] = size

    def within(self, index: str | None, partition: str, wanted: KeyRange) -> Iterator[Fields]:
        """Yield the items of a partition that lie in a range, in its order."""
        places = self._places[index].get(partition, [])
        start = bisect_left(places, (wanted.first, "", ""))
        stop = bisect_right(places, (wanted.last, _BEYOND, _BEYOND))
        if wanted.after is not None and wanted.latest_first:
            stop = min(stop, bisect_left(places, wanted.after))
        elif wanted.after is not None:
            start = max(start, bisect_right(places, wanted.after))
        chosen = places[start:stop]
        for _, pk, sk in reversed(chosen) if wanted.latest_first else chosen:
            yield self._items[Key(pk=pk, sk=sk)]

    def of_index(self, index: str | None) -> Iterator[Fields]:
        """Yield every item of an index, or of the table."""
        for partition in sorted(self._places[index]):
            yield from self.within(index, partition, KeyRange())


def place_of(fields: Mapping[str, object], keys: Index) -> Place:
    """Return an item's place in an index."""
    return str(fields[keys.sort]), str(fields["pk"]), str(fields["sk"])


def _check(item: Fields, keys: Index) -> None:
    partition, sort = item.get(keys.partition), item.get(keys.sort)
    if partition is not None and sort is not None:
        check_keys(str(partition), str(sort))


def _entry(item: Fields | None, keys: Index, key: Key) -> tuple[str, Place] | None:
    """Return the partition and the place of an item in an index; ``None``: it is in none."""
    if item is None:
        return None
    partition, sort = item.get(keys.partition), item.get(keys.sort)
    if partition is None or sort is None:
        return None
    if not (isinstance(partition, str) and isinstance(sort, str) and partition and sort):
        message = f"{keys.partition} and {keys.sort} have to be texts, and not empty: {item}."
        raise TypeError(message)
    return partition, (sort, key.pk, key.sk)
