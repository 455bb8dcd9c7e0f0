"""Attempts as items: small, because every update bills the whole of one."""

from datetime import timedelta

from timegate.adapters.dynamo.pools.offer_items import offer_to_fields
from timegate.adapters.dynamo.runs.items.attempt_reading import ALWAYS, APART, END_NAMES
from timegate.adapters.dynamo.runs.items.checkpoint_items import (
    answer_to_fields,
    checkpoint_to_fields,
    progress_to_fields,
    slices_to_fields,
)
from timegate.adapters.dynamo.runs.items.dead_letter_items import dead_letter_fields
from timegate.adapters.dynamo.runs.items.index_items import failure_fields, index_fields
from timegate.adapters.dynamo.runs.items.lease_items import lease_fields
from timegate.adapters.dynamo.runs.items.watch_items import follow_field
from timegate.adapters.dynamo.tables.codec import Part
from timegate.adapters.dynamo.tables.keys import attempt_key
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.dispatch.shards import Placement
from timegate.domain.runs.run import Attempt

#: Attribute of an attempt that an import brought: the instant. The meter of the stage in which it
#: ran has counted it.
IMPORTED_AT = "imported_at"

_END = Part(Attempt, only=END_NAMES)
_BEGINNING = Part(Attempt, without=(*APART, *END_NAMES), always=ALWAYS)


def attempt_to_fields(
    attempt: Attempt, *, shards: Placement, retention: timedelta
) -> dict[str, Plain]:
    """The whole item of an attempt, index attributes included."""
    key = attempt_key(attempt.tenant, attempt.id)
    return {
        "pk": key.pk,
        "sk": key.sk,
        "tenant": attempt.tenant,
        **_BEGINNING.map(attempt),
        **answer_to_fields(attempt.kept_answer),
        **progress_to_fields(attempt.progress),
        **checkpoint_to_fields(attempt.checkpoint),
        **offer_to_fields(attempt.offer),
        **slices_to_fields(attempt.slices),
        **lease_fields(attempt.lease),
        **index_fields(attempt, shards=shards),
        **end_fields(attempt, retention=retention),
    }


def end_fields(attempt: Attempt, *, retention: timedelta) -> dict[str, Plain]:
    """The state, and what is known of how it ended."""
    return {
        **_END.fields(attempt),
        "result": attempt.result or None,
        "explanation": attempt.explanation or None,
        "follow": follow_field(attempt),
        **dead_letter_fields(attempt),
        **failure_fields(attempt),
        "expires_at": expiry(attempt, retention=retention),
        # The writer of the end may know it, if its executor died before it could say so.
        **({"dag_run": attempt.dag_run} if attempt.dag_run is not None else {}),
    }


def expiry(attempt: Attempt, *, retention: timedelta) -> int | None:
    """Return the expiry in epoch seconds; a settlement keeps the attempt as long as its
    follow-ups.
    """
    settled, last = attempt.resolution, attempt.ended_at
    if last is not None and settled is not None:
        last = max(last, settled.at)
    return int((last + retention).timestamp()) if last is not None else None
