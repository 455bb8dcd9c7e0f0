"""Turns of rate limits, in the jobs table, beside the slots of concurrency keys."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from timegate.adapters.dynamo.keys import Key
from timegate.adapters.dynamo.throttles import throttles_translated
from timegate.adapters.dynamo.values import Plain, from_item, to_attribute
from timegate.domain.errors import Throttled
from timegate.domain.rate_limit import (
    MAX_WAIT,
    RateKey,
    Turns,
    Wish,
    from_microseconds,
    microseconds,
    take_turns,
)

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

RATE_SK = "rate"
#: Guesses before the caller hears of it; a second one is nearly always right.
_TRIES = 8
#: Of what was seen last, a worker remembers so many keys.
_MAX_REMEMBERED = 1_000
#: A key that nobody used for so long is forgotten: all that was given out lies in the past.
_RETENTION = MAX_WAIT + timedelta(days=30)

#: Calls are queueing up: the next turns follow the last one, if that is early enough ...
_IS_BUSY = "used_until > :at AND used_until <= :latest"
#: ... or the last one is over, and the turns begin now.
_IS_IDLE = "attribute_not_exists(used_until) OR used_until <= :at"
#: Turns may have been given out that far already: they are not to be given again.
_IS_LESS = "attribute_not_exists(used_until) OR used_until < :used"


class DynamoRateStore:
    """One number per key; no write needs to know it.

    DynamoDB cannot write the larger of two numbers, so a write either adds to what is there or
    begins anew, on the condition that this is right. What was seen last says which to try first.
    """

    def __init__(self, client: "DynamoDBClient", *, table: str) -> None:
        self._client = client
        self._table = table
        self._seen: dict[RateKey, int] = {}

    def take_turns(
        self, key: RateKey, wishes: Sequence[Wish], *, at: datetime
    ) -> list[datetime | None]:
        """Reserve calls; ``None`` for each that would come too late. Raises ``Throttled``."""
        now, seen = microseconds(at), self._seen.get(key, 0)
        for _ in range(_TRIES):
            # What is too late by what was seen is too late: the number only grows.
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
        values: dict[str, Plain] = {":used": used_until, ":forget": _forget_at(microseconds(at))}
        done, seen = self._write(key, ":used", _IS_LESS, values)
        self._remember(key, max(seen, used_until) if done else seen)

    def _take(self, key: RateKey, turns: Turns, *, now: int, is_busy: bool) -> tuple[bool, int]:
        values: dict[str, Plain] = {":at": now, ":forget": _forget_at(now)}
        if is_busy:
            values |= {":taken": turns.taken, ":latest": turns.good_until}
            return self._write(key, "used_until + :taken", _IS_BUSY, values)
        values[":used"] = now + turns.taken
        return self._write(key, ":used", _IS_IDLE, values)

    def _write(
        self, key: RateKey, used_until: str, condition: str, values: Mapping[str, Plain]
    ) -> tuple[bool, int]:
        """Whether it was written, and how far the average is used up now."""
        try:
            with throttles_translated():
                answer: Any = self._client.update_item(
                    TableName=self._table,
                    Key=rate_key(key).attributes(),
                    UpdateExpression=f"SET used_until = {used_until}, expires_at = :forget",
                    ConditionExpression=condition,
                    ExpressionAttributeValues={n: to_attribute(v) for n, v in values.items()},
                    ReturnValues="UPDATED_NEW",
                    ReturnValuesOnConditionCheckFailure="ALL_OLD",
                )
        except self._client.exceptions.ConditionalCheckFailedException as error:
            return False, _used_until(error.response.get("Item"))
        return True, _used_until(answer["Attributes"])

    def _remember(self, key: RateKey, used_until: int) -> None:
        if len(self._seen) >= _MAX_REMEMBERED:
            self._seen.clear()
        self._seen[key] = used_until


def rate_key(key: RateKey) -> Key:
    """Where a key's number is: in the partition of the slots of that name, under their rights."""
    return Key(pk=f"{key.tenant}#key#{key.name}", sk=RATE_SK)


def _given(
    wishes: Sequence[Wish], taken: Sequence[int], *, now: int, used_until: int
) -> list[datetime | None]:
    """The turns that were written, by what was used up before them: perhaps more than was seen."""
    met = take_turns([wishes[index] for index in taken], at=now, used_until=used_until)
    given: list[datetime | None] = [None] * len(wishes)
    for index, turn in zip(taken, met.at, strict=True):
        given[index] = None if turn is None else from_microseconds(turn)
    return given


def _used_until(item: Any) -> int:  # noqa: ANN401 - as boto3 gives it
    found = from_item(item).get("used_until", 0) if item else 0
    return found if isinstance(found, int) else 0


def _forget_at(at: int) -> int:
    return int((from_microseconds(at) + _RETENTION).timestamp())
