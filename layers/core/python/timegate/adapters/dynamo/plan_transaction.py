"""Storing a job's planned runs and moving it past them: both or neither."""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from timegate.adapters.dynamo.single_writes import put_request, update_request
from timegate.adapters.dynamo.throttles import MEMBER_CODES, throttles_translated
from timegate.adapters.dynamo.writes import Insert, Update
from timegate.domain.errors import Throttled

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: Tries at a transaction that meets others or a throttle; 50 ms doubling in between.
TRIES = 4
_FIRST_PAUSE_SECONDS = 0.05
_REFUSED = "ConditionalCheckFailed"


@dataclass(frozen=True, kw_only=True, slots=True)
class PlannedJob:
    """A job's move, and the runs it moves past."""

    move: Update
    runs: Sequence[Insert]


def store_plan(
    client: "DynamoDBClient", planned: PlannedJob, *, pause: Callable[[float], None] = time.sleep
) -> list[bool] | None:
    """Write both: which of the runs are new; ``None``, with nothing written, if the job changed.

    A run that exists stays as it is and the others are written without it. Raises ``Throttled``.
    """
    new = [True] * len(planned.runs)
    tries = 0
    while True:
        wanted = [index for index, is_new in enumerate(new) if is_new]
        codes = _write(client, planned.move, [planned.runs[index] for index in wanted])
        if not codes:
            return new
        if MEMBER_CODES & set(codes):
            tries += 1
            if tries == TRIES:
                raise Throttled(f"A plan stayed refused: {sorted(MEMBER_CODES & set(codes))}.")
            pause(_FIRST_PAUSE_SECONDS * 2**tries * random.uniform(0.5, 1))  # noqa: S311
            continue
        existing = [i for i, code in zip(wanted, codes[1:], strict=True) if code == _REFUSED]
        if codes[0] == _REFUSED or not existing:
            return None
        for index in existing:
            new[index] = False


def _write(client: "DynamoDBClient", move: Update, runs: Sequence[Insert]) -> list[str]:
    """Try once: nothing when it is written, else why each member was refused, the job first."""
    members: list[Any] = [{"Update": update_request(move)}]
    members += [{"Put": put_request(run)} for run in runs]
    try:
        with throttles_translated():
            # The client sends its own repetitions under one token: they are one transaction.
            client.transact_write_items(TransactItems=members)
    except client.exceptions.TransactionCanceledException as error:
        reasons: list[Any] = list(error.response.get("CancellationReasons", []))
        codes = [f"{reason.get('Code')}".removesuffix("Exception") for reason in reasons]
        return codes or [_REFUSED]
    return []
