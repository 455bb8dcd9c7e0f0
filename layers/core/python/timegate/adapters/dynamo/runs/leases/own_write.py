"""Recognising an end that was written, and whose answer was lost."""

from timegate.adapters.dynamo.runs.items.attempt_reading import attempt_from_fields
from timegate.adapters.dynamo.tables.writes import WriteResult
from timegate.domain.runs.run import Attempt
from timegate.domain.values.instants import compact


def took_effect(result: WriteResult, ended: Attempt) -> bool:
    """Now, or before: our own end, already written."""
    if result.done:
        return True
    if result.found is None or ended.ended_at is None:
        return False
    stored = attempt_from_fields(result.found)
    if stored.ended_at is None:
        return False
    ours = (ended.state, ended.fence, compact(ended.ended_at))
    return (stored.state, stored.fence, compact(stored.ended_at)) == ours
