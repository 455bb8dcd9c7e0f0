"""A change of one pending run, as part of many: it is cancelled, or due at another instant.

Both tell by the run's record what became of it, so that a step that died half-way may be repeated.
"""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from timegate.domain.operations.operation import ItemResult, Operation, PendingRuns, Rescheduling
from timegate.domain.operations.reschedule import NotReschedulable
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.values.errors import RunIsFinished, Throttled, TimegateError
from timegate.domain.values.identity import RunId
from timegate.usecases.execution.cancel_run import cancel_pending
from timegate.usecases.execution.reschedule_run import NewInstant, reschedule_run
from timegate.usecases.operations.bulk.settle_in_bulk import found_done
from timegate.usecases.services.operations_services import Operating


def change_pending(
    operation: Operation, task: PendingRuns, operating: Operating, run: RunId
) -> ItemResult:
    """Change a run; one that a worker has begun meanwhile is left alone. Raises ``Throttled``."""
    try:
        attempts = _changed(operation, task, operating, run)
    except Throttled:
        raise
    except TimegateError as error:
        return ItemResult.refused(str(run), error)
    return ItemResult(done=_is_done(operation, task, attempts))


def found_changed(
    operation: Operation, task: PendingRuns, operating: Operating, run: RunId
) -> ItemResult | None:
    """Return the result of one that a step changed before it died; raises ``Throttled``."""
    return found_done(operation, operating, run, partial(_is_done, operation, task))


def _changed(
    operation: Operation, task: PendingRuns, operating: Operating, run: RunId
) -> Sequence[Attempt]:
    now = operating.clock.now()
    if not isinstance(task, Rescheduling):
        return [cancel_pending(operation.tenant, run, operating, now=now)]
    wish = NewInstant(tenant=operation.tenant, run=run, due_at=task.due_of(run))
    with suppress(NotReschedulable, RunIsFinished):
        return reschedule_run(wish, operating, now=now)
    return operating.runs.attempts(operation.tenant, run)


def _is_done(operation: Operation, task: PendingRuns, attempts: Sequence[Attempt]) -> bool:
    """Tell by a run's attempts if it was changed since the operation began."""
    if isinstance(task, Rescheduling):
        due = task.due_of(attempts[-1].id.run)
        return any(each.rescheduled_from is not None and each.due_at == due for each in attempts)
    last = attempts[-1]
    asked = last.reason is Reason.CANCEL_REQUESTED and last.state is RunState.CANCELLED
    since = last.ended_at is not None and last.ended_at >= operation.created_at
    return (asked and since) or last.cancel_requested
