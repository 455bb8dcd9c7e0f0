"""The slots of concurrency keys, in the jobs table."""

import random
import time
from collections.abc import Callable
from datetime import datetime, timedelta

from timegate.adapters.dynamo.limits.slot_items import (
    holders_to_fields,
    slots_from_fields,
    slots_key,
    waiters_to_fields,
)
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Compared, Update
from timegate.domain.limits.overlap import SlotKey
from timegate.domain.limits.slots import SlotHold, Slots
from timegate.domain.values.errors import LeaseLost, Throttled
from timegate.domain.values.instants import compact
from timegate.ports.limits.slots import Outcome

#: Lost races before the caller hears of it. One of those who race always wins.
TRIES = 40
_PAUSE_SECONDS = 0.01
_LONGEST_PAUSE_SECONDS = 0.2
#: A key unused for so long is forgotten.
_RETENTION = timedelta(days=30)


class DynamoSlotStore:
    """One item per key, with a version that every write raises."""

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

    def change(
        self, key: SlotKey, decide: Callable[[Slots], tuple[Slots, Outcome]], *, now: datetime
    ) -> Outcome:
        """Store what is decided about the record as it is; raises ``Throttled``."""
        found = self._engine.get(self._table, slots_key(key))
        for attempt in range(TRIES):
            before = slots_from_fields(found) if found is not None else Slots()
            after, outcome = decide(before)
            if after == before:
                return outcome
            version = found["version"] if found is not None else None
            won, found = self._write(key, after, version, now)
            if won:
                return outcome
            longest = min(_PAUSE_SECONDS * 2**attempt, _LONGEST_PAUSE_SECONDS)
            self._pause(random.uniform(0, longest))  # noqa: S311 - spreads contenders
        raise Throttled(f"The slots of {key.name} are fought over.")

    def renew(self, key: SlotKey, hold: SlotHold, *, now: datetime, expires_at: datetime) -> None:
        """Hold a slot for longer: one write; raises ``LeaseLost`` when it has expired."""
        renewed = Update(
            table=self._table,
            key=slots_key(key),
            fields={"lease_expires_at": compact(expires_at)},
            within=("holders", str(hold.attempt)),
            # The version as well: a decision about the old expiry must not undo it.
            added={"version": 1},
            # The slot is held by this very claim, and has not expired.
            where={
                "owner": hold.owner,
                "fence": hold.fence,
                "lease_expires_at": Compared(above=compact(now)),
            },
        )
        if not self._engine.write(renewed).done:
            raise LeaseLost(str(hold.attempt))

    def _write(
        self, key: SlotKey, slots: Slots, version: Plain, now: datetime
    ) -> tuple[bool, dict[str, Plain] | None]:
        """Store the slots; return if that was done, and otherwise the record that is there."""
        written = Update(
            table=self._table,
            key=slots_key(key),
            fields={
                "holders": holders_to_fields(slots),
                "waiters": waiters_to_fields(slots),
                "version": version + 1 if isinstance(version, int) else 1,
                "expires_at": int((now + _RETENTION).timestamp()),
            },
            # The record was not written since it was read, or made it since it was found missing.
            where={"version": version},
            creates=True,
            shows_refused=True,
        )
        result = self._engine.write(written)
        return result.done, result.found
