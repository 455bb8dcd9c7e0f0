"""Attempts as items: small, because every update bills the whole of one."""

from collections.abc import Mapping
from datetime import timedelta

from timegate.adapters.dynamo.pools.offer_items import offer_from_fields, offer_to_fields
from timegate.adapters.dynamo.runs.items.checkpoint_items import (
    answer_from_fields,
    answer_to_fields,
    checkpoint_from_fields,
    checkpoint_to_fields,
    progress_from_fields,
    progress_to_fields,
    slices_from_fields,
    slices_to_fields,
)
from timegate.adapters.dynamo.runs.items.dead_letter_items import dead_letter_fields
from timegate.adapters.dynamo.runs.items.index_items import index_fields
from timegate.adapters.dynamo.runs.items.lease_items import lease_fields, lease_from_fields
from timegate.adapters.dynamo.runs.items.watch_items import follow_field
from timegate.adapters.dynamo.tables.codec import Part
from timegate.adapters.dynamo.tables.keys import attempt_key, parse_attempt_key
from timegate.adapters.dynamo.tables.reading import reader_of, text
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.dispatch.shards import Placement
from timegate.domain.runs.run import Attempt, reason_of_stop

Fields = Mapping[str, Plain]

#: Parts that lie flat beside the others, or in the key.
_APART = (
    *("tenant", "id", "lease", "offer", "slices"),
    *("progress", "checkpoint", "kept_answer"),
)
#: The relay's stream filter asks for ``false`` (docs/decisions/0011), conditions for fences.
_ALWAYS = ("direct", "fence")
#: The fields that say how an attempt ended.
_END_NAMES = (
    *("state", "started_at", "ended_at", "reason", "error"),
    *("result", "stored_result", "explanation", "resolution"),
)
_END = Part(Attempt, only=_END_NAMES)
_BEGINNING = Part(Attempt, without=(*_APART, *_END_NAMES), always=_ALWAYS)
ATTEMPT = Part(Attempt, without=_APART, always=_ALWAYS)


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
        "expires_at": expiry(attempt, retention=retention),
        # Who ends it may know it, where its executor died before it could say so.
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


@reader_of("attempt")
def attempt_from_fields(fields: Fields) -> Attempt:
    """Read an attempt back; raises ``Malformed``."""
    tenant, attempt_id = parse_attempt_key(text(fields["pk"]), text(fields["sk"]))
    own = ATTEMPT.arguments(fields)
    own["reason"] = reason_of_stop(own.get("reason"), own.get("replaced_by"))
    return Attempt(
        tenant=tenant,
        id=attempt_id,
        lease=lease_from_fields(fields),
        kept_answer=answer_from_fields(fields),
        progress=progress_from_fields(fields),
        checkpoint=checkpoint_from_fields(fields),
        offer=offer_from_fields(fields),
        slices=slices_from_fields(fields),
        **own,
    )
