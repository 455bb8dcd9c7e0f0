"""A step of settling dead letters: those that were chosen are settled, then more are chosen.

Chosen dead letters are on record before they are settled. A step that died half-way is repeated,
and finds by the audit of each dead letter whether it settled that before: none is counted twice, or
missed.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

from timegate.domain.operations.dead_letter import NotRedrivable, can_be_tried_again
from timegate.domain.operations.operation import (
    ItemResult,
    Operation,
    OperationKind,
    Settlement,
    with_results,
)
from timegate.domain.runs.resolution import Settled
from timegate.domain.runs.run import Attempt
from timegate.domain.runs.run_filter import FailureFilter
from timegate.domain.values.errors import NotDeadLettered, RunIsUnfinished, Throttled, TimegateError
from timegate.domain.values.identity import RunId
from timegate.usecases.operations.bulk.change_in_bulk import INDEX_MARGIN
from timegate.usecases.operations.settle_dead_letter import SettleRequest, settle_dead_letter
from timegate.usecases.runs.read_tenant_runs import list_failures
from timegate.usecases.services.operations_services import Operating

#: Dead letters settled in one step: their ids are a part of the operation's record.
LETTERS_PER_STEP = 50


def settle_in_bulk(operation: Operation, task: Settlement, operating: Operating) -> Operation:
    """The operation after its next step; later dead letters are none of its business.

    Raises ``Throttled``.
    """
    operation = _settle(operation, task, operating)
    return _choose(replace(operation, chosen=()), task, operating)


def _settle(operation: Operation, task: Settlement, operating: Operating) -> Operation:
    """Settle those that were chosen; a cancelled operation counts those that it settled before."""
    work = _found_settled if operation.cancel_requested else _settle_one
    return work_on_chosen(operation, operating, partial(work, operation, task, operating))


def work_on_chosen(
    operation: Operation, operating: Operating, work: Callable[[RunId], ItemResult | None]
) -> Operation:
    """Count the results of work on chosen runs, side by side; ``None`` is not counted."""
    with ThreadPoolExecutor(max_workers=operating.workers) as pool:
        results = list(pool.map(work, operation.chosen))
    return with_results(operation, [each for each in results if each is not None])


def _found_settled(
    operation: Operation, task: Settlement, operating: Operating, run: RunId
) -> ItemResult | None:
    wish = _wish(operation, task, run)
    return found_done(operation, operating, run, wish.was_carried_out)


def found_done(
    operation: Operation,
    operating: Operating,
    run: RunId,
    was_done: Callable[[Sequence[Attempt]], bool],
) -> ItemResult | None:
    """Return the result of a run that a step had done before it died; raises ``Throttled``.

    ``was_done`` tells by the run's attempts. ``None``: it was not, or its record cannot be read.
    """
    try:
        attempts = operating.runs.attempts(operation.tenant, run)
    except Throttled:
        raise
    except TimegateError:
        return None
    return ItemResult(done=True) if was_done(attempts) else None


def _wish(operation: Operation, task: Settlement, run: RunId) -> SettleRequest:
    redrives = operation.kind is OperationKind.REDRIVE
    return SettleRequest(
        tenant=operation.tenant,
        run=run,
        settled=Settled.REDRIVEN if redrives else Settled.DISCARDED,
        by=operation.created_by,
        note=task.note,
        payload=task.payload if redrives else None,
        fresh=task.fresh,
        letters_only=task.failures is None,
        operation=operation.operation_id,
    )


def _settle_one(
    operation: Operation, task: Settlement, operating: Operating, run: RunId
) -> ItemResult:
    """One that another caller has settled is left as it is; raises ``Throttled``."""
    wish = _wish(operation, task, run)
    try:
        settle_dead_letter(wish, operating, now=operating.clock.now())
    except (NotDeadLettered, NotRedrivable, RunIsUnfinished):
        # By another caller, or by a worker that makes the same step at the same time.
        attempts = operating.runs.attempts(operation.tenant, run)
        return ItemResult(done=wish.was_carried_out(attempts))
    except Throttled:
        raise
    except TimegateError as error:
        return ItemResult.refused(str(run), error)
    return ItemResult(done=True)


def _choose(operation: Operation, task: Settlement, operating: Operating) -> Operation:
    if operation.exhausted or operation.cancel_requested:
        return replace(operation, exhausted=True)
    if task.runs:
        return replace(operation, chosen=task.runs, exhausted=True)
    operating.clock.wait_until(operation.created_at + INDEX_MARGIN)
    if task.failures is not None:
        return _choose_failures(operation, task.failures, operating)
    # A run that dies again after it was redriven is a later dead letter.
    end = operation.created_at
    if task.letters.end is not None:
        end = min(end, task.letters.end)
    page = operating.dead_letters.list_dead_letters(
        operation.tenant,
        replace(task.letters, end=end),
        limit=LETTERS_PER_STEP,
        cursor=operation.cursor,
    )
    return replace(
        operation,
        chosen=tuple(attempt.id.run for attempt in page.rows),
        cursor=page.cursor,
        exhausted=page.cursor is None,
    )


def _choose_failures(
    operation: Operation, wanted: FailureFilter, operating: Operating
) -> Operation:
    """Choose failed runs that can be tried again; what fails again is a later failure."""
    end = operation.created_at
    if wanted.within.end is not None:
        end = min(end, wanted.within.end)
    if wanted.within.start is not None and wanted.within.start > end:
        return replace(operation, exhausted=True)
    page = list_failures(
        operation.tenant,
        replace(wanted, within=replace(wanted.within, end=end)),
        operating,
        limit=LETTERS_PER_STEP,
        cursor=operation.cursor,
    )
    return replace(
        operation,
        chosen=tuple(row.last.id.run for row in page.rows if can_be_tried_again(row.last)),
        cursor=page.cursor,
        exhausted=page.cursor is None,
    )
