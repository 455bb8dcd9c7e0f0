"""Dead letters in their attempts' items: keys of sparse indexes."""

from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.runs.run import Attempt
from timegate.domain.values.instants import compact

#: The sort key of each index. Without it an item is in none of them.
DEAD_AT = "dead_at"
#: The attributes that only dead letters have, gone when one is settled.
DEAD_LETTER_FIELDS = ("dead_tenant", "dead_reason", "dead_code", DEAD_AT)


def dead_letter_fields(attempt: Attempt) -> dict[str, Plain]:
    """The keys under which a dead letter is found; nothing for any other attempt."""
    if not attempt.is_dead_letter or attempt.ended_at is None:
        return {}
    from timegate.domain.operations.dead_letter import code_of  # noqa: PLC0415 - few ends

    tenant, code = attempt.tenant, code_of(attempt)
    return {
        "dead_tenant": tenant,
        "dead_reason": f"{tenant}#{attempt.reason}",
        "dead_code": f"{tenant}#{code}" if code is not None else None,
        DEAD_AT: f"{compact(attempt.ended_at)}#{attempt.id}",
    }
