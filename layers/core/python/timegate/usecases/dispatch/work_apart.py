"""Work on a batch of a stream: a record that fails keeps no other one waiting."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from timegate.ports.telemetry import service_events
from timegate.ports.telemetry.telemetry import Telemetry
from timegate.usecases.dispatch.setbacks import Setbacks

Shown = TypeVar("Shown")
#: Failing tries after which the rest of a batch is left. One record of a hundred costs eight: a
#: table that refuses everything costs no more than three times that.
_MOST_FAILURES = 24


def work_apart(
    shown: Sequence[Shown],
    work: Callable[[Sequence[Shown]], Sequence[bool]],
    telemetry: Telemetry,
    *,
    has_time: Callable[[], bool],
) -> list[bool]:
    """Work on all records together, and in halves where that fails; ``False``: it comes again.

    ``work`` tells of each record if it is done, does no harm when it is repeated, and needs no
    order. Raises the first error where no record was done, so that people hear of it.
    """
    done, setbacks, failures = [False] * len(shown), Setbacks(), 0
    parts = [range(len(shown))] if shown else []
    while parts and failures < _MOST_FAILURES and (failures == 0 or has_time()):
        part = parts.pop()
        try:
            outcome = work([shown[place] for place in part])
        except Exception as error:  # noqa: BLE001 - raised below, or told of
            failures += 1
            setbacks.keep(error)
            middle = len(part) // 2
            parts += [part[middle:], part[:middle]] if middle else []
        else:
            for place, is_done in zip(part, outcome, strict=True):
                done[place] = is_done
    if failures:
        _settle(done, setbacks, telemetry)
    return done


def _settle(done: Sequence[bool], setbacks: Setbacks, telemetry: Telemetry) -> None:
    """Raise the first error where nothing was done; else tell of it."""
    if not any(done):
        setbacks.raise_first()
    telemetry.event(
        service_events.RECORDS_LEFT,
        count=done.count(False),
        of=len(done),
        detail=repr(setbacks.first),
    )
