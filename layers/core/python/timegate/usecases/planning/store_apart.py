"""Storing plans: most by transactions, and those of frequent jobs apart from their moves."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import compress

from timegate.domain.jobs.job import Timing
from timegate.domain.planning.announced_runs import announcement_of, announcing
from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import JobId
from timegate.domain.values.tenant import TenantId
from timegate.ports.announced_plans import AnnouncedPlans
from timegate.ports.stores import Advance
from timegate.usecases.services.planner_services import Scheduling
from timegate.value_classes import dataclass

#: The attempts of a plan that are new; ``None``: its job had changed.
Stored = tuple[Attempt, ...] | None


def store_plans(
    advances: Sequence[Advance], scheduling: Scheduling, plans: AnnouncedPlans
) -> list[Stored]:
    """Store the runs of each plan and move its job past them; raises ``Throttled``."""
    apart = _apart(advances)
    stored = _store_apart(apart, plans) if apart else {}
    together = [index for index in range(len(advances)) if index not in apart]
    if together:
        written = scheduling.runs.plan_all([advances[index] for index in together])
        stored |= dict(zip(together, written, strict=True))
    return [stored[index] for index in range(len(advances))]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Apart:
    """A job as it was read, and the advance of the job as it announces its runs."""

    read: Timing
    advance: Advance


def _apart(advances: Sequence[Advance]) -> dict[int, _Apart]:
    """Choose the plans that are stored apart, by their place; a job that is read twice once."""
    found: dict[int, _Apart] = {}
    chosen: set[tuple[TenantId, JobId]] = set()
    for index, each in enumerate(advances):
        read = each.timing
        announced = announcement_of(read, each.plan, now=each.at)
        if announced is None or (read.tenant, read.job_id) in chosen:
            continue
        chosen.add((read.tenant, read.job_id))
        advance = replace(each, timing=announcing(read, announced))
        found[index] = _Apart(read=read, advance=advance)
    return found


def _store_apart(apart: Mapping[int, _Apart], plans: AnnouncedPlans) -> dict[int, Stored]:
    """Announce, store, move: each step only for the jobs of which the one before was done."""
    told = plans.announce_all([(each.read, each.advance.timing) for each in apart.values()])
    announced = list(compress(apart, told))
    advances = [apart[index].advance for index in announced]
    runs = [attempt for each in advances for attempt in each.plan.attempts]
    new = set(compress((run.id for run in runs), plans.store_runs(runs)))
    moved = plans.move_all(advances)
    stored: dict[int, Stored] = dict.fromkeys(apart)
    for index, advance, is_moved in zip(announced, advances, moved, strict=True):
        if is_moved:
            stored[index] = tuple(each for each in advance.plan.attempts if each.id in new)
    return stored
