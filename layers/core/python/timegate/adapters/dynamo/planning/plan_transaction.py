"""Storing a job's planned runs and moving it past them: both or neither.

Jobs that are planned together share transactions. A call costs the planner ten times the processor
time that a job costs, and write units are billed by item either way.
"""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

from timegate.adapters.dynamo.tables.engine import REFUSED, TRANSIENT, Engine
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.writes import Count, Insert, Put, Update, Write
from timegate.domain.values.errors import Throttled
from timegate.value_classes import dataclass

#: Tries at a transaction that meets others or a throttle; 50 ms doubling in between.
TRIES = 4
_FIRST_PAUSE_SECONDS = 0.05
#: DynamoDB's limit for one transaction.
MAX_MEMBERS = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class PlannedJob:
    """A job's move, and the runs and gaps it moves past."""

    move: Update
    runs: Sequence[Insert]
    #: The move where the last of the runs exists already.
    move_if_last_exists: Update
    #: The move guards them: no other write records what lies between.
    gaps: Sequence[Put] = ()
    #: Counts written with it.
    counts: Sequence[Count] = ()

    @property
    def size(self) -> int:
        """Its members in a transaction."""
        return 1 + len(self.runs) + len(self.gaps) + len(self.counts)


def write_plans(
    engine: Engine,
    planned: Sequence[PlannedJob],
    *,
    pause: Callable[[float], None] = time.sleep,
) -> list[list[bool] | None]:
    """Write the plans of several jobs, each as ``write_plan`` does; raises ``Throttled``."""
    write = partial(_store_pack, engine, pause=pause)
    return list(chain.from_iterable(engine.side_by_side(write, _packs(planned))))


def _packs(planned: Sequence[PlannedJob]) -> list[list[PlannedJob]]:
    """Pack jobs into transactions, in order, each as full as allowed and with no job twice."""
    packs: list[list[PlannedJob]] = []
    room = 0
    for job in planned:
        if job.size > room or any(job.move.key == other.move.key for other in packs[-1]):
            packs.append([])
            room = MAX_MEMBERS
        packs[-1].append(job)
        room -= job.size
    return packs


def _store_pack(
    engine: Engine, pack: Sequence[PlannedJob], *, pause: Callable[[float], None]
) -> list[list[bool] | None]:
    """One transaction; if any of it is refused, each job by itself."""
    if len(pack) > 1 and not _write(engine, pack):
        return [[True] * len(job.runs) for job in pack]
    return engine.side_by_side(partial(write_plan, engine, pause=pause), pack)


def write_plan(
    engine: Engine, planned: PlannedJob, *, pause: Callable[[float], None] = time.sleep
) -> list[bool] | None:
    """Write both: which of the runs are new; ``None``, with nothing written, if the job changed.

    A run that exists stays as it is and the others are written without it. Raises ``Throttled``.
    """
    new = [True] * len(planned.runs)
    tries = 0
    while True:
        wanted = [index for index, is_new in enumerate(new) if is_new]
        runs = [planned.runs[index] for index in wanted]
        codes = _write(engine, [replace(planned, runs=runs)])
        if not codes:
            return new
        if TRANSIENT & set(codes):
            tries += 1
            if tries == TRIES:
                raise Throttled(f"A plan stayed refused: {sorted(TRANSIENT & set(codes))}.")
            pause(_FIRST_PAUSE_SECONDS * 2**tries * random.uniform(0.5, 1))  # noqa: S311
            continue
        of_runs = codes[1 : len(wanted) + 1]
        existing = [i for i, code in zip(wanted, of_runs, strict=True) if code == REFUSED]
        if codes[0] == REFUSED or not existing:
            return None
        for index in existing:
            new[index] = False
        if not new[-1]:
            planned = replace(planned, move=planned.move_if_last_exists)


def _write(engine: Engine, pack: Sequence[PlannedJob]) -> list[str]:
    """Try once: nothing when it is written, else why each member was refused, in order."""
    writes: list[Write | Put] = []
    for job in pack:
        writes += [job.move, *job.runs, *job.gaps]
    refusals = engine.transact([*writes, *_together(pack)])
    return [refusal.code for refusal in refusals]


def _together(pack: Sequence[PlannedJob]) -> list[Count]:
    """A transaction writes nothing twice: what several jobs count in one place is added up."""
    together: dict[Key, Count] = {}
    for count in chain.from_iterable(job.counts for job in pack):
        before = together.get(count.key)
        by = count.by + (before.by if before is not None else 0)
        together[count.key] = replace(count, by=by)
    return [*together.values()]
