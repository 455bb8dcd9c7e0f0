"""The slots of concurrency keys, in the jobs table."""

import random
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from timegate.adapters.dynamo.slot_items import (
    holders_to_fields,
    slots_from_fields,
    slots_key,
    waiters_to_fields,
)
from timegate.adapters.dynamo.throttles import throttles_translated
from timegate.adapters.dynamo.values import Plain, from_item, to_attribute
from timegate.domain.errors import LeaseLost, Throttled
from timegate.domain.instants import compact
from timegate.domain.overlap import SlotKey
from timegate.domain.slots import Hold, Slots
from timegate.ports.slots import Outcome

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: Lost races before the caller hears of it. One of those who race always wins.
TRIES = 40
_PAUSE_SECONDS = 0.01
_LONGEST_PAUSE_SECONDS = 0.2
#: A key that nobody used for so long is forgotten.
_RETENTION = timedelta(days=30)

#: Nobody wrote the record since it was read ...
_IS_AS_READ = "#version = :read"
#: ... or made it since it was found missing.
_IS_NEW = "attribute_not_exists(#version)"
#: The slot is held by this very claim, and has not expired.
_IS_HELD = (
    "holders.#attempt.#owner = :owner AND holders.#attempt.fence = :fence"
    " AND holders.#attempt.lease_expires_at > :now"
)


class DynamoSlotStore:
    """One item per key, with a version that every write raises."""

    def __init__(
        self,
        client: "DynamoDBClient",
        *,
        table: str,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._client = client
        self._table = table
        self._pause = pause

    def change(
        self, key: SlotKey, decide: Callable[[Slots], tuple[Slots, Outcome]], *, now: datetime
    ) -> Outcome:
        """Store what is decided about the record as it is; raises ``Throttled``."""
        found = self._read(key)
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

    def renew(self, key: SlotKey, hold: Hold, *, now: datetime, expires_at: datetime) -> None:
        """Hold a slot for longer: one write; raises ``LeaseLost`` when it has expired."""
        try:
            with throttles_translated():
                self._client.update_item(
                    TableName=self._table,
                    Key=slots_key(key).attributes(),
                    # The version as well: a decision about the old expiry must not undo it.
                    UpdateExpression=(
                        "SET holders.#attempt.lease_expires_at = :expires,"
                        " #version = #version + :one"
                    ),
                    ConditionExpression=_IS_HELD,
                    ExpressionAttributeNames={
                        "#attempt": str(hold.attempt),
                        "#owner": "owner",
                        "#version": "version",
                    },
                    ExpressionAttributeValues={
                        ":expires": {"S": compact(expires_at)},
                        ":now": {"S": compact(now)},
                        ":owner": {"S": hold.owner},
                        ":fence": {"N": str(hold.fence)},
                        ":one": {"N": "1"},
                    },
                )
        except self._client.exceptions.ConditionalCheckFailedException as error:
            raise LeaseLost(str(hold.attempt)) from error

    def _read(self, key: SlotKey) -> dict[str, Plain] | None:
        with throttles_translated():
            answer = self._client.get_item(
                TableName=self._table, Key=slots_key(key).attributes(), ConsistentRead=True
            )
        return from_item(answer["Item"]) if "Item" in answer else None

    def _write(
        self, key: SlotKey, slots: Slots, version: Plain, now: datetime
    ) -> tuple[bool, dict[str, Plain] | None]:
        """Whether it was stored, and otherwise what is there instead."""
        values: dict[str, Plain] = {
            ":holders": holders_to_fields(slots),
            ":waiters": waiters_to_fields(slots),
            ":next": version + 1 if isinstance(version, int) else 1,
            ":forget": int((now + _RETENTION).timestamp()),
        }
        if version is not None:
            values[":read"] = version
        try:
            with throttles_translated():
                self._client.update_item(
                    TableName=self._table,
                    Key=slots_key(key).attributes(),
                    UpdateExpression=(
                        "SET holders = :holders, waiters = :waiters, #version = :next,"
                        " expires_at = :forget"
                    ),
                    ConditionExpression=_IS_NEW if version is None else _IS_AS_READ,
                    ExpressionAttributeNames={"#version": "version"},
                    ExpressionAttributeValues={n: to_attribute(v) for n, v in values.items()},
                    ReturnValuesOnConditionCheckFailure="ALL_OLD",
                )
        except self._client.exceptions.ConditionalCheckFailedException as error:
            found: Any = error.response.get("Item")
            return False, from_item(found) if found else None
        return True, None
