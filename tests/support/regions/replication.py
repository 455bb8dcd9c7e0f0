"""Replication between two tables in memory, as DynamoDB's global tables do it.

Each item goes over by itself and late, the last writer of an item wins, and conditions hold in one
region only. Items of one write may arrive in any order. A cut holds everything back.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from zlib import crc32

from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.writes import Found, Put
from timegate.adapters.memory.engine import MemoryEngine

_Place = tuple[str, Key]
_NEVER = (datetime.min.replace(tzinfo=UTC), "")


@dataclass(frozen=True, kw_only=True)
class _Sent:
    """A version of an item on its way."""

    written_at: datetime
    arrives_at: datetime
    place: _Place
    after: Found


@dataclass
class _Replica:
    engine: MemoryEngine
    #: Changes that were seen, those that came from the other replica among them.
    seen: int = 0
    #: When the version of each item was written, and in which region.
    versions: dict[_Place, tuple[datetime, str]] = field(default_factory=dict)
    underway: list[_Sent] = field(default_factory=list)
    #: Versions that arrived here, and that the stream has not shown yet: they go no further.
    arrived: dict[_Place, list[Found]] = field(default_factory=dict)


class Replication:
    """Both directions between two regions."""

    def __init__(self, engines: dict[str, MemoryEngine], now: Callable[[], datetime]) -> None:
        self._replicas = {name: _Replica(engine=engine) for name, engine in engines.items()}
        self._now = now
        #: An item is so late, and up to as much more: by its key.
        self.lag = timedelta(seconds=1)
        self.is_cut = False
        #: Regions whose tables are gone: what they wrote last is with them.
        self.lost: set[str] = set()

    def step(self) -> None:
        """See what is new in each region, and deliver what arrives."""
        for name, replica in self._replicas.items():
            if name not in self.lost:
                self._see(name, replica)
        if not self.is_cut and not self.lost:
            for name in self._replicas:
                self._deliver(name)

    def behind(self, region: str) -> timedelta:
        """The age of the oldest write of a region that the other one has not got."""
        now = self._now()
        ages = [now - each.written_at for each in self._replicas[region].underway]
        return max(ages, default=timedelta())

    def underway(self, region: str) -> int:
        """Count the writes of a region that the other one has not got."""
        return len(self._replicas[region].underway)

    def written_in(self, region: str) -> int:
        """Count the items whose latest version is of a region, as that one has them."""
        versions = self._replicas[region].versions.values()
        return sum(origin == region for _, origin in versions)

    def _see(self, name: str, replica: _Replica) -> None:
        new = replica.engine.changes[replica.seen :]
        replica.seen += len(new)
        for number, change in enumerate(new):
            now = self._now() + timedelta(microseconds=number)
            place = (change.table, change.key)
            if (arrived := replica.arrived.get(place)) and arrived[0] == change.after:
                arrived.pop(0)
                continue
            replica.versions[place] = (now, name)
            spread = crc32(f"{place}{now}".encode()) % 1_000 / 1_000
            sent = _Sent(
                written_at=now,
                arrives_at=now + self.lag * (1 + spread),
                place=place,
                after=change.after,
            )
            replica.underway.append(sent)

    def _deliver(self, name: str) -> None:
        source = self._replicas[name]
        (target,) = (each for other, each in self._replicas.items() if other != name)
        arrived = [each for each in source.underway if each.arrives_at <= self._now()]
        source.underway = [each for each in source.underway if each.arrives_at > self._now()]
        for each in sorted(arrived, key=lambda sent: sent.written_at):
            version = (each.written_at, name)
            if version > target.versions.get(each.place, _NEVER):
                target.versions[each.place] = version
                _apply(target, each)


def _apply(target: _Replica, sent: _Sent) -> None:
    """Store a version as the replication does; the stream shows it if it is another one."""
    table, key = sent.place
    if target.engine.get(table, key) == sent.after:
        return
    target.arrived.setdefault(sent.place, []).append(sent.after)
    if sent.after is None:
        target.engine.remove(table, key)
    else:
        target.engine.put_all(table, [Put(table=table, fields=sent.after)])
