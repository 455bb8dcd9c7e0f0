"""Write units of each step of a run, as the real stores are billed for them, table by table."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from tests.support.execution.metered import MeteredEngine
from tests.support.factories import after, job_id
from tests.support.stores.records import Records
from tests.support.world import World, delivery
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind

#: Units by table, and by index as ``table/index``.
Units = Mapping[str, float]
#: Jobs that are counted together, as one transaction of the planner has them.
_JOBS = 10
#: Seconds of the look-ahead, and of an instant beyond it.
_LOOK_AHEAD = 600
_NOT_YET = 660


@dataclass(frozen=True, kw_only=True, slots=True)
class StepUnits:
    """Units of one job's move with its runs, and of one run's claim with its end."""

    plan: Units
    execute: Units
    #: Runs that a move stores.
    runs: float


@cache
def units_of(every_seconds: int) -> StepUnits:
    """Count a job that fires so often, in steady state."""
    world = World(tables=Records(MeteredEngine()))
    engine = world.tables.engine
    assert isinstance(engine, MeteredEngine)
    first = max(every_seconds, _NOT_YET) if every_seconds > _LOOK_AHEAD else every_seconds
    for number in range(_JOBS):
        world.add_job(
            job_id=job_id(f"job {number}"),
            schedule=Schedule(kind=ScheduleKind.RATE, every_seconds=every_seconds),
            anchored_at=after(first - every_seconds),
            next_run_at=after(first),
        )
    moves, runs, plan = _planned(world, engine, first)
    world.stream()
    due_at = min(each.message.due_at for each in world.publisher.sent)
    sent = [each for each in world.publisher.sent if each.message.due_at == due_at]
    world.clock.set(due_at)
    engine.reset()
    world.execute([delivery(each, number) for number, each in enumerate(sent)])
    world.stream()
    execute = {name: units / len(sent) for name, units in engine.units.items()}
    return StepUnits(plan=plan, execute=execute, runs=runs / moves)


def _planned(world: World, engine: MeteredEngine, first: int) -> tuple[int, int, Units]:
    """Tick until every job has been moved once; its lease on the shard is not counted."""
    world.clock.advance(max(first - _LOOK_AHEAD, 0))
    engine.reset()
    tick = world.tick()
    assert tick is not None
    assert tick.jobs == _JOBS
    of_cursors = Counter({"jobs": 2.0})
    units = Counter(engine.units)
    units.subtract(of_cursors)
    return tick.jobs, tick.runs, {name: each / tick.jobs for name, each in units.items()}
