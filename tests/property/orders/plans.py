"""Plans of one job: planners that look at once, callers that change it, and the ledger after it."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from types import MappingProxyType

from tests.property.orders.exploring import Step
from tests.property.orders.stage import Stage
from tests.property.planning.planning_oracle import assert_one_record_each, recover
from tests.property.planning.planning_story import PERIODS, REF, Deployment, Era, Story
from tests.support.api import api_services
from tests.support.execution.placing import first_shards
from tests.support.factories import JOB_ID, NOW, TENANT
from tests.support.stores.records import JOBS_TABLE, RUNS_TABLE
from tests.support.world import World
from timegate.adapters.dynamo.tables.keys import job_key
from timegate.adapters.memory.engine import Change
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.jobs.definition import JobChanges
from timegate.domain.jobs.job import Timing
from timegate.domain.values.errors import JobChanged, JobIsCancelled, JobIsCompleted, Throttled
from timegate.domain.values.instants import from_compact
from timegate.usecases.jobs.pause_job import pause_job
from timegate.usecases.jobs.resume_job import resume_job
from timegate.usecases.jobs.update_job import update_job
from timegate.usecases.planning.materialise import materialise
from timegate.usecases.planning.open_shards import OpeningSpread

_KEY = job_key(TENANT, JOB_ID)
_CATCH_UP = CatchUp(policy=CatchUpPolicy.ALL, limit=2, window_seconds=3600)
_REFUSALS = (JobChanged, JobIsCancelled, JobIsCompleted, Throttled)


@dataclass(frozen=True, kw_only=True)
class PlanFacts:
    """Facts that the game remembers beside the items."""

    eras: tuple[Era, ...]


class PlanGame(Stage):
    """One job that fires by a period, behind its time or ahead of it."""

    facts: PlanFacts

    def __init__(
        self,
        *,
        schedule: str = "rate-60",
        behind: int = 0,
        catch_up: CatchUp = _CATCH_UP,
        look_ahead: int = 120,
        edits: str = "rate-97",
        may: Mapping[str, int] = MappingProxyType({}),
        seconds: int = 200,
    ) -> None:
        world = World()
        world.shards.replace(None, first_shards(1, at=NOW))
        # A planner was there before the job, so its watermark is not at the beginning of time.
        world.tick(owner="first")
        period = timedelta(seconds=PERIODS[schedule][1])
        given = {"anchored_at": NOW, "created_at": NOW, "updated_at": NOW}
        world.add_job(
            schedule=PERIODS[schedule][0], next_run_at=NOW + period, catch_up=catch_up, **given
        )
        world.clock.advance(behind)
        facts = PlanFacts(eras=(Era(schedule, NOW),))
        super().__init__(world, facts, may, seconds=seconds)
        self._look_ahead, self._edits = timedelta(seconds=look_ahead), edits
        self._judged: set[object] = set()
        self._acts: dict[str, Callable[[World], object]] = {
            "pauses": lambda view: pause_job(REF, api_services(view), now=view.clock.now()),
            "resumes": partial(_resume, catch_up=False),
            "late resumes": partial(_resume, catch_up=True),
            "edits": self._edit,
        }

    def begins(self) -> Iterator[Step]:
        """Name the ticks and changes that are left."""
        for what in ("ticks", *self._acts):
            if self.has(what):
                yield Step(f"one of the {what} begins", partial(self._begin, what))

    def _begin(self, what: str) -> None:
        act = self._tick_now() if what == "ticks" else self._acts[what]
        self.begin(f"{what} {self.use(what)}", partial(_quietly, act))

    def _tick_now(self) -> Callable[[World], object]:
        """Return a planner that reads the buckets where the job is, and was in the beginning."""
        found = [
            engine._tables[JOBS_TABLE].get(_KEY) for engine in (self.old, self.world.tables.engine)
        ]
        buckets = dict.fromkeys(
            str(item["due_bucket"]) for item in found if item and "due_bucket" in item
        )
        return partial(_tick, [bucket.rpartition("#")[0] for bucket in buckets], self._look_ahead)

    def _edit(self, view: World) -> object:
        changes = JobChanges(schedule=PERIODS[self._edits][0])
        return update_job(REF, changes, api_services(view), now=view.clock.now())

    def noted(self, change: Change) -> None:
        """Take note of a new schedule; a run is stored once, and never made anew."""
        before, after = change.before or {}, change.after or {}
        if before and change.table == RUNS_TABLE:
            assert before.get("created_at") == after.get("created_at"), "a run is made anew"
        if change.key == _KEY and before["anchored_at"] != after["anchored_at"]:
            given_at = from_compact(str(after["anchored_at"]))
            *eras, last = self.facts.eras
            eras += [replace(last, replaced_at=given_at), Era(self._edits, given_at)]
            self.facts = replace(self.facts, eras=tuple(eras))

    def judge_alone(self) -> None:
        """Left to its planner, each instant has one record."""
        named = self.texts.of_items(self.world), self.facts.eras, self.world.clock.now()
        if self.processes or named in self._judged:
            return
        self._judged.add(named)
        world = self.world
        deployment = Deployment(1, OpeningSpread(1, world.shards, world.clock))
        spread = world.spread
        story = Story(world, eras=[*self.facts.eras], deployments=[deployment])
        recover(story)
        world.spread = spread
        assert_one_record_each(story)


def _tick(minutes: list[str], look_ahead: timedelta, view: World) -> object:
    read = [each for minute in minutes for each in view.jobs.due(minute, 0)]
    found = [each for each in read if isinstance(each, Timing)]
    planning = replace(view.planning, look_ahead=look_ahead)
    return materialise(found[:1], planning, now=view.clock.now())


def _resume(view: World, *, catch_up: bool) -> object:
    return resume_job(REF, api_services(view), now=view.clock.now(), catch_up=catch_up)


def _quietly(act: Callable[[World], object], view: World) -> None:
    with suppress(*_REFUSALS):
        act(view)
