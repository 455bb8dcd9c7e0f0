"""Slots as items, and readings of a key: its places, and the part of its line that matters.

They lie beside their tenant's jobs: one per place, one per attempt in the line. Attempts that left
stay in the line as tombstones until they expire: functions delete nothing. A record says where the
line begins, so that a reading passes by a few tombstones at most.
"""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta

from timegate.adapters.dynamo.tables.codec import Part
from timegate.adapters.dynamo.tables.engine import Engine, Query, rows
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.reading import number, text
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Compared, Update
from timegate.domain.limits.overlap import SlotKey
from timegate.domain.limits.slots import Holder, SlotHold, Slots, SlotWaiter
from timegate.domain.values.errors import Malformed
from timegate.domain.values.identity import AttemptId
from timegate.domain.values.instants import from_compact
from timegate.ports.limits.slots import Reach
from timegate.value_classes import dataclass

#: The sort keys of places begin with this, and that of the record of where the line begins.
SLOT_PREFIX = "slot#"
LINE_PREFIX = "wait#"
_LINE_SK = f"{SLOT_PREFIX}line"
_HOLD = Part(SlotHold)
_HOLDER = Part(Holder, without=("hold", "place"), names={"expires_at": "lease_expires_at"})
#: The fields of a free place.
FREE: Mapping[str, Plain] = {**_HOLD.unset, **_HOLDER.unset}
#: A reading that passed by so many tombstones says where the line begins.
MANY_LEFT = 16
#: A key unused for so long is forgotten.
RETENTION = timedelta(days=30)
#: Behind every position of a line.
_END = "~"


def slots_pk(key: SlotKey) -> str:
    """The partition of a key; no job can have it, for no job's id holds a ``#``."""
    return f"{key.tenant}#key#{key.name}"


def slot_key(key: SlotKey, place: int) -> Key:
    """The key of a place."""
    return Key(pk=slots_pk(key), sk=f"{SLOT_PREFIX}{place:04d}")


def line_key(key: SlotKey) -> Key:
    """The key of the record that says where the line begins."""
    return Key(pk=slots_pk(key), sk=_LINE_SK)


def waiter_key(key: SlotKey, waiter: SlotWaiter) -> Key:
    """The key of an attempt's place in the line: they sort as the line does."""
    return Key(pk=slots_pk(key), sk=f"{LINE_PREFIX}{waiter.position}")


def holder_to_fields(holder: Holder | None) -> dict[str, Plain]:
    """Write the holder of a place; ``None``: it is free."""
    if holder is None:
        return dict(FREE)
    return {**_HOLD.map(holder.hold), **_HOLDER.map(holder)}


def hold_to_fields(hold: SlotHold) -> dict[str, Plain]:
    """Write the claim by which a place is held."""
    return _HOLD.map(hold)


def is_place(sk: str) -> bool:
    """Tell if an item among the places is one."""
    return sk.startswith(SLOT_PREFIX) and sk != _LINE_SK


def holder_from_fields(fields: Mapping[str, Plain]) -> Holder | None:
    """Read the holder of a place, if it has one; raises ``Malformed``."""
    if "attempt" not in fields:
        return None
    place = int(text(fields["sk"]).removeprefix(SLOT_PREFIX))
    return _HOLDER.read(fields, hold=_HOLD.read(fields), place=place)


def waiter_from_fields(fields: Mapping[str, Plain]) -> SlotWaiter | None:
    """Read a waiter; ``None`` for one that left. Raises ``Malformed``."""
    if "left" in fields:
        return None
    written = text(fields["sk"])
    due_at, mark, attempt = written.removeprefix(LINE_PREFIX).partition("#")
    if not mark:
        raise Malformed(f"{written!r} is no place in a line.")
    return SlotWaiter(due_at=from_compact(due_at), attempt=AttemptId.parse(attempt))


@dataclass(frozen=True, kw_only=True, slots=True)
class HeldPlaces:
    """Places of a key that were ever used, and where its line begins."""

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

    def places(self, key: SlotKey) -> HeldPlaces:
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
        return HeldPlaces(holders=holders, versions=versions, begins=begins)

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
            shows_refused=True,
        )
        written = self._engine.write(raised)
        if not written.done and (written.found or {}).get("begins") != later:
            # Another reader was first. One that met its own write, whose answer was lost, goes on.
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


def shown(places: HeldPlaces, line: Line, joined: Collection[SlotWaiter], now: datetime) -> Slots:
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
