"""Calling off a run that a cancelled backfill began."""

from timegate.domain.operations.reschedule import is_pending
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import Conflict
from timegate.usecases.execution.cancel_run import cancel_pending
from timegate.usecases.services.operations_services import Operating


def call_off_run(last: Attempt, operating: Operating) -> Attempt:
    """Cancel a run that waits: no worker may ever come for it. One at work stays as it is."""
    if not is_pending(last):
        return last
    try:
        return cancel_pending(last.tenant, last.id.run, operating, now=operating.clock.now())
    except Conflict:
        # It keeps changing: the next step looks again.
        return last
