"""Opening runs on behalf of an operation: a dead letter that is opened so is settled with it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from timegate.domain.operations.operation import Operation
from timegate.domain.runs.resolution import Resolution, Settled
from timegate.domain.runs.run import Attempt
from timegate.usecases.services.operations_services import Operating


def open_runs(
    before: Sequence[Attempt | None],
    opened: Sequence[Attempt],
    operation: Operation,
    operating: Operating,
    *,
    now: datetime,
) -> list[bool]:
    """Store attempts, each unless it exists, after what preceded them; ``False``: a duplicate.

    Raises ``Throttled``.
    """
    dead = {
        attempt.id: last
        for last, attempt in zip(before, opened, strict=True)
        if last is not None and last.is_dead_letter
    }
    others = [attempt for attempt in opened if attempt.id not in dead]
    new = iter(operating.runs.insert_all(others) if others else [])
    return [
        _redrive(dead[attempt.id], attempt, operation, operating, now)
        if attempt.id in dead
        else next(new)
        for attempt in opened
    ]


def _redrive(
    dead: Attempt, opened: Attempt, operation: Operation, operating: Operating, now: datetime
) -> bool:
    resolution = Resolution(
        settled=Settled.REDRIVEN,
        by=operation.created_by,
        at=now,
        operation=operation.operation_id,
        job_version=opened.job_version,
    )
    after = replace(dead, resolution=resolution)
    return operating.dead_letters.settle(dead, after, opened=opened)
