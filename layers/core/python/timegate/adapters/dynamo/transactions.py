"""Transactions that meet others at a shared record, and try again."""

import random
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from timegate.adapters.dynamo.throttles import MEMBER_CODES, throttles_translated
from timegate.domain.errors import Throttled

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: What a member says whose condition does not hold.
REFUSED = "ConditionalCheckFailed"
#: Tries at a transaction that meets others: one of those who meet always gets through.
TRIES = 12
_FIRST_PAUSE_SECONDS = 0.01
_LONGEST_PAUSE_SECONDS = 0.3


def try_once(client: "DynamoDBClient", members: Sequence[Any]) -> list[str]:
    """Nothing when it is written, else why each member was refused, in order."""
    try:
        with throttles_translated():
            # The client sends its own repetitions under one token: they are one transaction.
            client.transact_write_items(TransactItems=members)
    except client.exceptions.TransactionCanceledException as error:
        reasons: list[Any] = list(error.response.get("CancellationReasons", []))
        codes = [f"{reason.get('Code')}".removesuffix("Exception") for reason in reasons]
        return codes or [REFUSED]
    return []


def write_or_refuse(
    client: "DynamoDBClient",
    members: Sequence[Any],
    *,
    pause: Callable[[float], None] = time.sleep,
) -> list[str]:
    """As ``try_once``, but whoever meets others tries again; raises ``Throttled`` in the end."""
    for attempt in range(TRIES):
        codes = try_once(client, members)
        if not MEMBER_CODES & set(codes):
            return codes
        longest = min(_FIRST_PAUSE_SECONDS * 2**attempt, _LONGEST_PAUSE_SECONDS)
        pause(random.uniform(longest / 4, longest))  # noqa: S311 - spreads contenders
    raise Throttled(f"A transaction stayed refused: {sorted(MEMBER_CODES & set(codes))}.")
