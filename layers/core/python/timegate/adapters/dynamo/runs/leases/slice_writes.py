"""Ending a slice: the checkpoint and the next slice's turn, in one write that the stream shows."""

from collections.abc import Mapping

from timegate.adapters.dynamo.runs.items.attempt_reading import attempt_from_fields
from timegate.adapters.dynamo.runs.items.checkpoint_items import (
    checkpoint_to_fields,
    progress_to_fields,
    slices_to_fields,
)
from timegate.adapters.dynamo.runs.items.lease_items import LEASE_FIELDS
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tables.keys import attempt_key
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Update
from timegate.domain.execution.long_run import rebased
from timegate.domain.runs.checkpoint import sequence_of
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.errors import Throttled
from timegate.domain.values.instants import compact

#: Its worker may have reported checkpoints that the ender of the slice does not know.
_TRIES = 5


def end_slice(
    engine: Engine,
    table: str,
    before: Attempt,
    after: Attempt,
    *,
    watch: Mapping[str, Plain],
) -> bool:
    """Queue the next slice; ``False`` when the lease was lost."""
    for _ in range(_TRIES):
        (result,) = engine.write_each([_update(table, before, after, watch)])
        if result.done:
            return True
        found = attempt_from_fields(result.found) if result.found else None
        if found is None or (found.state, found.fence) != (RunState.RUNNING, before.fence):
            return found is not None and _is_ours(found, before)
        after = rebased(after, before=before, found=found)
        before = found
    raise Throttled(f"{before.id} reports one checkpoint after the other.")


def _update(table: str, before: Attempt, after: Attempt, watch: Mapping[str, Plain]) -> Update:
    return Update(
        table=table,
        key=attempt_key(before.tenant, before.id),
        fields={
            "state": after.state,
            "due_at": compact(after.due_at),
            "direct": False,
            "releases": None,
            "alone": None,
            "frozen_since": None,
            **{name: v for name, v in slices_to_fields(after.slices).items() if v is not None},
            # Reports since it was read stay, unless this says more.
            **({} if after.progress == before.progress else progress_to_fields(after.progress)),
            **checkpoint_to_fields(after.checkpoint),
            **watch,
        },
        removed=LEASE_FIELDS,
        where={
            "state": RunState.RUNNING,
            "fence": before.fence,
            "checkpoint_sequence": sequence_of(before.checkpoint) or None,
        },
        shows_refused=True,
    )


def _is_ours(found: Attempt, before: Attempt) -> bool:
    """Our own end, already written; another worker may have claimed the next slice since."""
    last = found.slices.last
    return last is not None and last.fence == before.fence
