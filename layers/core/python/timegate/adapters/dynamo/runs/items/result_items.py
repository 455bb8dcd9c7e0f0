"""The place of a whole answer, as a part of its attempt's item."""

from timegate.adapters.dynamo.recurrence.schedule_items import mapping, number, text
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.runs.run_result import StoredResult


def stored_result_to_field(stored: StoredResult | None) -> Plain:
    """``None`` for most: their answers are short."""
    return None if stored is None else {"blob": stored.blob, "size_bytes": stored.size_bytes}


def stored_result_from_field(value: Plain) -> StoredResult | None:
    """Read it back; raises what a damaged item makes its reader raise."""
    if value is None:
        return None
    fields = mapping(value)
    return StoredResult(blob=text(fields["blob"]), size_bytes=number(fields["size_bytes"]))
