"""Fan-out: a task becomes a run per element of a list, and one counter joins them."""

from collections.abc import Sequence
from dataclasses import replace

from timegate.domain.dag_runs.progress import Members, TaskProgress, TaskState
from timegate.domain.dag_runs.readiness import Readiness
from timegate.domain.dags.definition import FanOut, Join
from timegate.domain.dags.references import InputError


def elements(fan_out: FanOut, found: object) -> Sequence[object]:
    """Return the list's elements, one for each member; raises ``InputError`` without a list."""
    if not isinstance(found, list):
        kind = type(found).__name__
        raise InputError("fan_out_not_a_list", f"{fan_out.over!r} is no list but {kind}.")
    if len(found) > fan_out.max_width:
        detail = f"{fan_out.over!r} has {len(found)} elements; at most {fan_out.max_width} may be."
        raise InputError("fan_out_too_wide", detail)
    needed = fan_out.join.needed(len(found))
    if needed > len(found):
        detail = f"{fan_out.over!r} has {len(found)} elements; {needed} members must succeed."
        raise InputError("fan_out_too_narrow", detail)
    return found


def joined(join: Join, members: Members) -> Readiness:
    """Tell if a fan-out is decided: every member has ended, or so many failed that it failed.

    Members that still work when enough have succeeded end first: their work is not thrown away.
    """
    width = joined_width(members)
    if width - len(members.failed - members.skipped) < join.needed(width):
        return Readiness.IMPOSSIBLE
    ended = len((members.succeeded | members.failed) - members.skipped)
    return Readiness.READY if ended >= width else Readiness.UNDECIDED


def joined_width(members: Members) -> int:
    """Count the members of the join: operators may leave members out."""
    return members.width - len(members.skipped)


def continued(task: TaskProgress, members: Members, back: TaskProgress) -> TaskProgress:
    """Return a fan-out that is put back, and keeps the runs of members that have succeeded.

    Members that operators left out stay so; all others run again.
    """
    kept = members.succeeded - members.skipped
    going = Members(
        width=members.width,
        is_complete=False,
        succeeded=kept,
        skipped=members.skipped,
        earlier={index: task.round_of(index) for index in kept},
    )
    return replace(back, state=TaskState.RUNNING, started_at=task.started_at, members=going)
