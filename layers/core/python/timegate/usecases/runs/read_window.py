"""A run's place in a window of triggers, and what became of that."""

from collections.abc import Sequence
from dataclasses import replace

from timegate.domain.limits.collapse import CollapseWindow
from timegate.domain.runs.run import Attempt, Collapsed
from timegate.domain.values.identity import RunId
from timegate.ports.stores import RunStore


def mark_within(mark: Collapsed, window: CollapseWindow | None, run: RunId) -> Collapsed:
    """Return the mark of a run as it is now: where it went in the end, and how many came.

    A number is given anew once a key's windows are forgotten.
    """
    if window is None or window.since != mark.since:
        return mark
    into = None if window.run == run else window.run
    return replace(mark, triggers=window.triggers, into=into)


def with_window(attempts: Sequence[Attempt], runs: RunStore) -> tuple[Attempt, ...]:
    """The attempts at a run; the last one says which run stands for it by now.

    A run that collapses with no other costs no call.
    """
    last = attempts[-1]
    if last.collapse is None:
        return tuple(attempts)
    run = last.id.run
    window = runs.window_of(last.tenant, run.job_id, last.collapse)
    return (*attempts[:-1], replace(last, collapse=mark_within(last.collapse, window, run)))
