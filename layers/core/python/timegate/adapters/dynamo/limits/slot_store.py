"""The slots of concurrency keys, in the jobs table."""

import random
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from threading import Lock

from timegate.adapters.dynamo.limits.slot_items import (
    RETENTION,
    HeldPlaces,
    Line,
    SlotReader,
    hold_to_fields,
    holder_to_fields,
    shown,
    slot_key,
    waiter_key,
)
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Compared, Update
from timegate.domain.limits.overlap import SlotKey
from timegate.domain.limits.slots import Holder, SlotHold, Slots, SlotWaiter
from timegate.domain.values.errors import LeaseLost, Throttled
from timegate.domain.values.instants import compact
from timegate.ports.limits.slots import WHOLE_LINE, Outcome, Reach
from timegate.value_classes import dataclass

#: Lost races before the caller hears of it. One racer for a place always wins.
TRIES = 40
_PAUSE_SECONDS = 0.01
_LONGEST_PAUSE_SECONDS = 0.2
#: Tries for which a duplicate's second slot is waited for.
_DOUBLED_TRIES = 5
#: HeldPlaces of holds that a process remembers: more than it holds at once.
_MOST_HINTS = 4_096
#: An attempt that left the line is forgotten after this.
_LEFT_RETENTION = timedelta(days=1)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Seen:
    places: HeldPlaces
    line: Line
    slots: Slots


class _Hints:
    """HeldPlaces of the newest holds of this process: they spare readings, and decide nothing."""

    def __init__(self) -> None:
        self._places: dict[tuple[SlotKey, SlotHold], int] = {}
        self._lock = Lock()

    def note(self, key: SlotKey, hold: SlotHold, place: int) -> None:
        """Remember a place; the oldest one is forgotten for it when there are many."""
        with self._lock:
            self._places[key, hold] = place
            if len(self._places) > _MOST_HINTS:
                del self._places[next(iter(self._places))]

    def of(self, key: SlotKey, hold: SlotHold) -> int | None:
        """Return the place of a hold, if it is known."""
        with self._lock:
            return self._places.get((key, hold))

    def forget(self, key: SlotKey, hold: SlotHold) -> None:
        """Drop a place that was given back or lost."""
        with self._lock:
            self._places.pop((key, hold), None)


class DynamoSlotStore:
    """One item per place, with a version that every write raises, and one per attempt in line."""

    def __init__(
        self,
        engine: Engine,
        *,
        table: str,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._engine = engine
        self._table = table
        self._pause = pause
        self._reader = SlotReader(engine, table=table)
        self._hints = _Hints()

    def change(
        self,
        key: SlotKey,
        decide: Callable[[Slots], tuple[Slots, Outcome]],
        *,
        now: datetime,
        reach: Reach = WHOLE_LINE,
    ) -> Outcome:
        """Store what is decided about the key as it is; raises ``Throttled``.

        An attempt joins the line before it reads the places, and one that frees a place does so
        before it reads the line: one of them sees the other.
        """
        joined: set[SlotWaiter] = set()
        line: Line | None = None
        for tried in range(TRIES):
            seen = self._read(key, reach, joined, now, line)
            if _is_doubled(seen.slots) and tried < _DOUBLED_TRIES:
                self._rest(tried)
                continue
            after, outcome = decide(seen.slots)
            joins = [each for each in after.waiters if each not in seen.slots.waiters]
            self._join(key, joins, now)
            joined.update(joins)
            line = seen.line
            if not self._store(key, seen, after, now):
                self._rest(tried)
            elif not joins:
                return outcome
        raise Throttled(f"The slots of {key.name} are fought over.")

    def look(self, key: SlotKey, *, now: datetime, most: int) -> Slots:
        """Read so many of the line, and then the holders of slots; raises ``Throttled``."""
        line = self._line(key, self._reader.begins(key), Reach(most=most), now)
        if not line.waiters:
            return Slots()
        return shown(self._reader.places(key), line, (), now)

    def renew(self, key: SlotKey, hold: SlotHold, *, now: datetime, expires_at: datetime) -> None:
        """Hold a slot for longer: one write; raises ``LeaseLost`` when it has expired."""
        lost_at = Compared(above=compact(now))
        fields: dict[str, Plain] = {
            "lease_expires_at": compact(expires_at),
            "expires_at": _forgotten(now),
        }
        for place in self._places_of(key, hold):
            where = {**hold_to_fields(hold), "lease_expires_at": lost_at}
            renewed = Update(
                table=self._table,
                key=slot_key(key, place),
                fields=fields,
                # The version as well: a decision about the old expiry must not undo it.
                added={"version": 1},
                where=where,
            )
            if self._engine.write(renewed).done:
                self._hints.note(key, hold, place)
                return
            self._hints.forget(key, hold)
        raise LeaseLost(str(hold.attempt))

    def release(self, key: SlotKey, hold: SlotHold, *, now: datetime) -> None:
        """Give a slot back, if it is held: one write; raises ``Throttled``."""
        for place in self._places_of(key, hold):
            freed = Update(
                table=self._table,
                key=slot_key(key, place),
                fields={**holder_to_fields(None), "expires_at": _forgotten(now)},
                added={"version": 1},
                where=hold_to_fields(hold),
            )
            self._hints.forget(key, hold)
            if self._engine.write(freed).done:
                return

    def withdraw(self, key: SlotKey, waiters: Collection[SlotWaiter], *, now: datetime) -> None:
        """Take attempts out of the line, one write each; raises ``Throttled``."""
        left: dict[str, Plain] = {"left": True, "expires_at": _forgotten(now, _LEFT_RETENTION)}
        self._engine.write_each(
            [
                Update(
                    table=self._table, key=waiter_key(key, each), fields=left, where={"left": None}
                )
                for each in waiters
            ]
        )

    def _places_of(self, key: SlotKey, hold: SlotHold) -> Iterator[int]:
        """Yield the place that this process knows, and then those that a reading finds."""
        known = self._hints.of(key, hold)
        if known is not None:
            yield known
        found = self._reader.places(key).holders.items()
        yield from (place for place, holder in found if holder.hold == hold)

    def _read(
        self,
        key: SlotKey,
        reach: Reach,
        joined: Collection[SlotWaiter],
        now: datetime,
        line: Line | None,
    ) -> _Seen:
        """Read the places, and the line behind them; one that was read will do while all are held.

        A holder that frees one after that finds those that joined.
        """
        places = self._reader.places(key)
        while joined and (first := min(joined).position) < places.begins:
            # No line may begin behind an attempt that joined it: none would call it.
            self._reader.lengthen(key, first)
            places = self._reader.places(key)
        held = len(places.alive(now))
        if line is None or not joined or not reach.is_full(held):
            line = self._line(key, places.begins, reach.beside(held), now)
        return _Seen(places=places, line=line, slots=shown(places, line, joined, now))

    def _line(self, key: SlotKey, begins: str, reach: Reach, now: datetime) -> Line:
        line = self._reader.line(key, begins, reach)
        with suppress(Throttled):
            self._reader.shorten(key, begins, line, now=now)
        return line

    def _join(self, key: SlotKey, joins: Sequence[SlotWaiter], now: datetime) -> None:
        waits: dict[str, Plain] = {"left": None, "expires_at": _forgotten(now)}
        self._engine.write_each(
            [
                Update(
                    table=self._table,
                    key=waiter_key(key, each),
                    fields=waits,
                    where={},
                    creates=True,
                )
                for each in joins
            ]
        )

    def _store(self, key: SlotKey, seen: _Seen, after: Slots, now: datetime) -> bool:
        """Write each place that changed; return whether all were still as they had been read."""
        before = _by_place(seen.slots.holders)
        then = _by_place(after.holders)
        changed = {
            place: then.get(place)
            for place in sorted({*before, *then})
            if before.get(place) != then.get(place)
        }
        others_wait = set(seen.slots.waiters) & set(after.waiters)
        if any(changed.values()) and others_wait and not self._is_whole(key, seen, now):
            return False
        results = self._engine.write_each(
            [self._placed(key, place, h, seen.places, now) for place, h in changed.items()]
        )
        lost = set()
        for (place, holder), result in zip(changed.items(), results, strict=True):
            if holder is not None and result.done:
                self._hints.note(key, holder.hold, place)
            elif holder is not None:
                lost.add(holder.hold.attempt)
        gone = set(seen.slots.waiters) - set(after.waiters)
        self.withdraw(key, [each for each in gone if each.attempt not in lost], now=now)
        return all(result.done for result in results)

    def _is_whole(self, key: SlotKey, seen: _Seen, now: datetime) -> bool:
        """Tell if no attempt took a place and left the line between the two readings.

        It would have been counted in neither, and another one's place would be given away.
        """
        before = {holder.hold.attempt for holder in seen.slots.holders}
        waiting = {waiter.attempt for waiter in seen.slots.waiters}
        after = {holder.hold.attempt for holder in self._reader.places(key).alive(now)}
        return after <= before | waiting

    def _placed(
        self, key: SlotKey, place: int, holder: Holder | None, seen: HeldPlaces, now: datetime
    ) -> Update:
        return Update(
            table=self._table,
            key=slot_key(key, place),
            fields={**holder_to_fields(holder), "expires_at": _forgotten(now)},
            added={"version": 1},
            # The place was not written since it was read, or made since it was found missing.
            where={"version": seen.versions.get(place)},
            creates=True,
        )

    def _rest(self, tried: int) -> None:
        longest = min(_PAUSE_SECONDS * 2**tried, _LONGEST_PAUSE_SECONDS)
        self._pause(random.uniform(0, longest))  # noqa: S311 - spreads contenders


def _is_doubled(slots: Slots) -> bool:
    """Tell if an attempt holds two: a duplicate is about to give one back."""
    return len({holder.hold.attempt for holder in slots.holders}) < len(slots.holders)


def _by_place(holders: Sequence[Holder]) -> Mapping[int, Holder]:
    """Place holders; of two that want the same place, the later one has the next that is free."""
    placed: dict[int, Holder] = {}
    for holder in holders:
        place = holder.place
        while place in placed:
            place += 1
        placed[place] = holder
    return placed


def _forgotten(now: datetime, after: timedelta = RETENTION) -> int:
    return int((now + after).timestamp())
