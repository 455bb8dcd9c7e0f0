"""Attempts read from items, without what writing them takes: the relay only reads."""

from collections.abc import Mapping

from timegate.adapters.dynamo.pools.offer_items import offer_from_fields
from timegate.adapters.dynamo.runs.items.checkpoint_items import (
    answer_from_fields,
    checkpoint_from_fields,
    progress_from_fields,
    slices_from_fields,
)
from timegate.adapters.dynamo.runs.items.lease_items import lease_from_fields
from timegate.adapters.dynamo.tables.codec import Part
from timegate.adapters.dynamo.tables.keys import parse_attempt_key
from timegate.adapters.dynamo.tables.reading import reader_of, text
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.runs.run import Attempt, reason_of_stop

Fields = Mapping[str, Plain]

#: Parts that lie flat beside the others, or in the key.
APART = (
    *("tenant", "id", "lease", "offer", "slices"),
    *("progress", "checkpoint", "kept_answer"),
)
#: The relay's stream filter asks for ``false`` (docs/decisions/0011), conditions for fences.
ALWAYS = ("direct", "fence")
#: The fields that say how an attempt ended.
END_NAMES = (
    *("state", "started_at", "ended_at", "reason", "error"),
    *("result", "stored_result", "explanation", "resolution", "environment_ms"),
)
ATTEMPT = Part(Attempt, without=APART, always=ALWAYS)


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
