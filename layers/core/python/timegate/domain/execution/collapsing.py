"""Records of runs in windows of triggers, and the state of a window by that of its run."""

from timegate.domain.limits.collapse import CollapseWindow, WindowState
from timegate.domain.runs.run import Attempt, Collapsed, RunState
from timegate.domain.values.identity import RunId


def mark_of(window: CollapseWindow, *, into: RunId | None = None) -> Collapsed:
    """Return what the record of a run of the window says."""
    return Collapsed(
        key=window.key.digest,
        window=window.number,
        shown=window.key.shown,
        since=window.since,
        triggers=window.triggers,
        into=into,
    )


def state_of_window(last: Attempt | None) -> WindowState:
    """Return the state of a window by the last attempt at its run; ``None``: it is forgotten."""
    if last is None or last.ends_run:
        return WindowState.ENDED
    waits = last.state in {RunState.WAITING, RunState.QUEUED}
    # What was opened again, or asked to stop, is nobody's to replace.
    pending = waits and last.fence == 0 and last.id.number == 1 and not last.cancel_requested
    return WindowState.PENDING if pending else WindowState.BEGUN
