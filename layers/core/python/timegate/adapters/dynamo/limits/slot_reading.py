"""Readings of a key: its places, and the part of its line that matters.

Attempts that left stay in the line as tombstones until they expire: functions delete nothing.
A record says where the line begins, so that a reading passes by a few tombstones at most.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from timegate.adapters.dynamo.limits.slot_items import (
    LINE_PREFIX,
    SLOT_PREFIX,
    holder_from_fields,
    is_place,
    line_key,
    slots_pk,
    waiter_from_fields,
)
from timegate.adapters.dynamo.tables.engine import Engine, Query, rows
from timegate.adapters.dynamo.tables.reading import number, text
from timegate.adapters.dynamo.tables.writes import Compared, Update
from timegate.domain.limits.overlap import SlotKey
from timegate.domain.limits.slots import Holder, Slots, SlotWaiter
from timegate.ports.limits.slots import Reach

#: A reading that passed by so many tombstones says where the line begins.
MANY_LEFT = 16
#: A key unused for so long is forgotten.
RETENTION = timedelta(days=30)
#: Behind every position of a line.
_END = "~"


@dataclass(frozen=True, kw_only=True, slots=True)
class Places:
    """The places of a key that were ever used, and where its line begins."""

    holders: Mapping[int, Holder]
    versions: Mapping[int, int]
    begins: str

    def alive(self, now: datetime) -> list[Holder]:
        """Leave out holders whose lease has expired."""
        return [holder for holder in self.holders.values() if holder.expires_at > now]


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """The earliest of a line."""

    waiters: tuple[SlotWaiter, ...] = ()
    is_cut: bool = False
    #: Tombstones before the first of them, and the position of the last one.
    passed: int = 0
    last_left: str = ""


class SlotReader:
    """Strongly consistent readings."""

    def __init__(self, engine: Engine, *, table: str) -> None:
        self._engine = engine
        self._table = table

    def places(self, key: SlotKey) -> Places:
        """Read the holders of places."""
        found = Query(table=self._table, of=slots_pk(key), prefix=SLOT_PREFIX, consistent=True)
        holders: dict[int, Holder] = {}
        versions: dict[int, int] = {}
        begins = ""
        for item in rows(self._engine, found):
            sk = text(item["sk"])
            if not is_place(sk):
                begins = text(item["begins"])
                continue
            place = int(sk.removeprefix(SLOT_PREFIX))
            versions[place] = number(item["version"])
            holder = holder_from_fields(item)
            if holder is not None:
                holders[place] = holder
        return Places(holders=holders, versions=versions, begins=begins)

    def begins(self, key: SlotKey) -> str:
        """Read where the line begins."""
        found = self._engine.get(self._table, line_key(key))
        return text(found["begins"]) if found is not None else ""

    def line(self, key: SlotKey, begins: str, reach: Reach) -> Line:
        """Read the earliest of a line, from where it begins."""
        first = LINE_PREFIX + begins
        last = LINE_PREFIX + (reach.until.position if reach.until is not None else _END)
        if first > last or reach.most == 0:
            return Line()
        limit = reach.most + MANY_LEFT if reach.most is not None else None
        found = Query(
            table=self._table,
            of=slots_pk(key),
            first=first,
            last=last,
            limit=limit,
            consistent=True,
        )
        waiters: list[SlotWaiter] = []
        passed, last_left = 0, ""
        for item in rows(self._engine, found):
            waiter = waiter_from_fields(item)
            if waiter is None and not waiters:
                passed += 1
                last_left = text(item["sk"]).removeprefix(LINE_PREFIX)
            elif waiter is not None:
                if len(waiters) == reach.most:
                    return Line(
                        waiters=tuple(waiters), is_cut=True, passed=passed, last_left=last_left
                    )
                waiters.append(waiter)
        return Line(waiters=tuple(waiters), passed=passed, last_left=last_left)

    def shorten(self, key: SlotKey, begins: str, line: Line, *, now: datetime) -> None:
        """Let a line begin later, if many at its beginning have left."""
        if line.passed < MANY_LEFT:
            return
        later = line.waiters[0].position if line.waiters else line.last_left
        raised = Update(
            table=self._table,
            key=line_key(key),
            fields={"begins": later, "expires_at": int((now + RETENTION).timestamp())},
            where={"begins": begins or None},
            creates=True,
        )
        if not self._engine.write(raised).done:
            return
        # An attempt that joined in between and read the old beginning must not be hidden.
        missed = self.line(key, begins, Reach(most=1))
        if missed.waiters and missed.waiters[0].position < later:
            self.lengthen(key, missed.waiters[0].position)

    def lengthen(self, key: SlotKey, position: str) -> None:
        """Let a line begin no later than at a position."""
        lowered = Update(
            table=self._table,
            key=line_key(key),
            fields={"begins": position},
            where={"begins": Compared(above=position)},
        )
        self._engine.write(lowered)


def shown(places: Places, line: Line, joined: Collection[SlotWaiter], now: datetime) -> Slots:
    """Put together the slots that are decided about.

    An attempt that holds a slot waits no more, though it leaves its place in the line after that.
    """
    holders = places.alive(now)
    holding = {holder.hold.attempt for holder in holders}
    waiting = {*line.waiters, *joined}
    return Slots(
        holders=tuple(sorted(holders, key=lambda h: (h.since, h.hold.attempt))),
        waiters=tuple(sorted(each for each in waiting if each.attempt not in holding)),
        is_cut=line.is_cut,
    )
