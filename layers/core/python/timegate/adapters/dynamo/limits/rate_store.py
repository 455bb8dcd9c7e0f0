"""Turns of rate limits, in the jobs table, beside the slots of concurrency keys."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Compared, Found, Update
from timegate.domain.limits.rate_limit import (
    MAX_WAIT,
    RateKey,
    RateRequest,
    Turns,
    from_microseconds,
    microseconds,
    take_turns,
)
from timegate.domain.values.errors import Throttled

RATE_SK = "rate"
#: Guesses before the caller hears of it; a second one is nearly always right.
_TRIES = 8
#: Keys whose last number a worker remembers.
_MAX_REMEMBERED = 1_000
#: A key unused for so long is forgotten: all that was given out lies in the past.
_RETENTION = MAX_WAIT + timedelta(days=30)


class DynamoRateStore:
    """One number per key; no write needs to know it.

    DynamoDB cannot write the larger of two numbers, so a write either adds to what is there or
    begins anew, on the condition that this is right. The last number seen says which to try first.
    """

    def __init__(self, engine: Engine, *, table: str) -> None:
        self._engine = engine
        self._table = table
        self._seen: dict[RateKey, int] = {}

    def take_turns(
        self, key: RateKey, wishes: Sequence[RateRequest], *, at: datetime
    ) -> list[datetime | None]:
        """Reserve calls; ``None`` for each that would come too late. Raises ``Throttled``."""
        now, seen = microseconds(at), self._seen.get(key, 0)
        for _ in range(_TRIES):
            # A wish too late by the last number is too late: the number only grows.
            turns = take_turns(wishes, at=now, used_until=seen)
            taken = [index for index, turn in enumerate(turns.at) if turn is not None]
            if not taken:
                return [None] * len(wishes)
            done, seen = self._take(key, turns, now=now, is_busy=seen > now)
            self._remember(key, seen)
            if done:
                return _given(wishes, taken, now=now, used_until=seen - turns.taken)
        raise Throttled(f"The turns of {key.name} are fought over.")

    def hold_back(self, key: RateKey, *, used_until: int, at: datetime) -> None:
        """Let no turn be given before; raises ``Throttled``."""
        # Turns may have been given out that far already: they are not to be given again.
        is_less = Compared(below=used_until, or_missing=True)
        held = self._update(key, microseconds(at), is_less, used_until=used_until)
        done, seen = self._write(held)
        self._remember(key, max(seen, used_until) if done else seen)

    def _take(self, key: RateKey, turns: Turns, *, now: int, is_busy: bool) -> tuple[bool, int]:
        if is_busy:
            # Calls are queueing up: the next turns follow the last one, if that is early enough ...
            condition = Compared(above=now, at_most=turns.good_until)
            return self._write(self._update(key, now, condition, taken=turns.taken))
        # ... or the last one is over, and the turns begin now.
        condition = Compared(at_most=now, or_missing=True)
        return self._write(self._update(key, now, condition, used_until=now + turns.taken))

    def _update(
        self,
        key: RateKey,
        at: int,
        condition: Compared,
        *,
        used_until: int | None = None,
        taken: int | None = None,
    ) -> Update:
        """Set how far the average is used up, or move it by so much."""
        fields: dict[str, Plain] = {"expires_at": _forget_at(at)}
        return Update(
            table=self._table,
            key=rate_key(key),
            fields=fields if used_until is None else {**fields, "used_until": used_until},
            added={} if taken is None else {"used_until": taken},
            where={"used_until": condition},
            creates=True,
            shows_refused=True,
            shows_stored=True,
        )

    def _write(self, update: Update) -> tuple[bool, int]:
        """Return whether it was written, and how far the average is used up now."""
        result = self._engine.write(update)
        return result.done, _used_until(result.stored if result.done else result.found)

    def _remember(self, key: RateKey, used_until: int) -> None:
        if len(self._seen) >= _MAX_REMEMBERED:
            self._seen.clear()
        self._seen[key] = used_until


def rate_key(key: RateKey) -> Key:
    """Return the key of a rate's record: in the partition of the slots of that name."""
    return Key(pk=f"{key.tenant}#key#{key.name}", sk=RATE_SK)


def _given(
    wishes: Sequence[RateRequest], taken: Sequence[int], *, now: int, used_until: int
) -> list[datetime | None]:
    """The turns that were written, by what was used up before them: perhaps more than was seen."""
    met = take_turns([wishes[index] for index in taken], at=now, used_until=used_until)
    given: list[datetime | None] = [None] * len(wishes)
    for index, turn in zip(taken, met.at, strict=True):
        given[index] = None if turn is None else from_microseconds(turn)
    return given


def _used_until(item: Found) -> int:
    found = item.get("used_until", 0) if item else 0
    return found if isinstance(found, int) else 0


def _forget_at(at: int) -> int:
    return int((from_microseconds(at) + _RETENTION).timestamp())
