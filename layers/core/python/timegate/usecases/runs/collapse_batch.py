"""Collapsing triggers of one request: of those with one key, one is decided, and others join it."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from datetime import datetime

from timegate.domain.limits.collapse import CollapseWindow
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import Conflict
from timegate.domain.values.identity import RunId
from timegate.ports.stores import RunStore
from timegate.usecases.runs.collapse_trigger import ToCollapse, collapse_trigger
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class BatchMember:
    """A trigger of a batch that collapses."""

    wanted: ToCollapse
    #: Its run, where an earlier request of the batch has stored it.
    stored: Attempt | None = None


def groups_of(members: Sequence[BatchMember]) -> list[list[BatchMember]]:
    """Return triggers that collapse with one another, in their order."""
    groups: dict[Hashable, list[BatchMember]] = {}
    for member in members:
        wanted = member.wanted
        groups.setdefault((wanted.key.digest, wanted.rule), []).append(member)
    return list(groups.values())


def collapse_group(
    group: Sequence[BatchMember],
    runs: RunStore,
    *,
    now: datetime,
    admit: Callable[[datetime], None],
) -> Mapping[RunId, Attempt]:
    """Store the runs of triggers with one key and rule: that of the last stands for all.

    By a rule whose first run stays, that of the first. ``admit`` raises where no run may begin at
    an instant. A batch that is repeated finds the one that was decided, and adds who is missing.
    """
    rule = group[0].wanted.rule
    decided = group[-1] if rule.takes_over else group[0]
    stored = decided.stored
    if stored is None:
        admit(rule.due_at(now, now))
        stored = collapse_trigger(decided.wanted, runs, now=now)
    if stored is None:
        raise Conflict(f"Triggers of job {decided.wanted.job.job_id} keep meeting; try again.")
    missing = [each.wanted for each in group if each.stored is None and each is not decided]
    window = _window(stored, decided.wanted)
    if window is None or not missing:
        return {stored.id.run: stored}
    joined = [each.joined(window, now=now) for each in missing]
    # One that another request of the batch has stored meanwhile is the same.
    runs.join(window, joined)
    return {each.id.run: each for each in (*joined, stored)}


def _window(stored: Attempt, wanted: ToCollapse) -> CollapseWindow | None:
    """Return the window in which a run was stored, as it was then."""
    mark = stored.collapse
    if mark is None:
        return None
    return CollapseWindow(
        key=wanted.key,
        number=mark.window,
        run=mark.into or stored.id.run,
        since=mark.since,
        triggers=mark.triggers,
    )
