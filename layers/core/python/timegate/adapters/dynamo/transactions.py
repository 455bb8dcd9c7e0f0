"""Transactions that meet others at a shared record, and try again."""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from timegate.adapters.dynamo.throttles import MEMBER_CODES, throttles_translated
from timegate.adapters.dynamo.values import from_item
from timegate.adapters.dynamo.writes import Found
from timegate.domain.errors import Throttled

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: What a member says whose condition does not hold.
REFUSED = "ConditionalCheckFailed"
#: Tries at a transaction that meets others: one of those who meet always gets through.
TRIES = 12
_FIRST_PAUSE_SECONDS = 0.01
_LONGEST_PAUSE_SECONDS = 0.3


@dataclass(frozen=True, kw_only=True, slots=True)
class Refusal:
    """What a member of a transaction that was not written says."""

    #: ``None`` in words, for one that would have been written.
    code: str
    #: What its condition met, if it asked.
    found: Found = None


def try_once(client: "DynamoDBClient", members: Sequence[Any]) -> list[str]:
    """Nothing when it is written, else why each member was refused, in order."""
    return [refusal.code for refusal in _try(client, members)]


def write_or_refuse(
    client: "DynamoDBClient",
    members: Sequence[Any],
    *,
    pause: Callable[[float], None] = time.sleep,
) -> list[str]:
    """As ``try_once``, but whoever meets others tries again; raises ``Throttled`` in the end."""
    return [refusal.code for refusal in write_or_tell(client, members, pause=pause)]


def write_or_tell(
    client: "DynamoDBClient",
    members: Sequence[Any],
    *,
    pause: Callable[[float], None] = time.sleep,
) -> list[Refusal]:
    """As ``write_or_refuse``, with what the conditions met."""
    for attempt in range(TRIES):
        refusals = _try(client, members)
        codes = {refusal.code for refusal in refusals}
        if not MEMBER_CODES & codes:
            return refusals
        longest = min(_FIRST_PAUSE_SECONDS * 2**attempt, _LONGEST_PAUSE_SECONDS)
        pause(random.uniform(longest / 4, longest))  # noqa: S311 - spreads contenders
    raise Throttled(f"A transaction stayed refused: {sorted(MEMBER_CODES & codes)}.")


def _try(client: "DynamoDBClient", members: Sequence[Any]) -> list[Refusal]:
    try:
        with throttles_translated():
            # The client sends its own repetitions under one token: they are one transaction.
            client.transact_write_items(TransactItems=members)
    except client.exceptions.TransactionCanceledException as error:
        reasons: list[Any] = list(error.response.get("CancellationReasons", []))
        return [_refusal(reason) for reason in reasons] or [Refusal(code=REFUSED)]
    return []


def _refusal(reason: Any) -> Refusal:  # noqa: ANN401 - as boto3 gives it
    item = reason.get("Item")
    code = f"{reason.get('Code')}".removesuffix("Exception")
    return Refusal(code=code, found=from_item(item) if item else None)
