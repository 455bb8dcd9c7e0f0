"""Suites that have to notice a bug, small enough to be run once for each."""

import json
from collections.abc import Callable
from contextlib import closing
from itertools import count
from typing import Any

import pytest
from botocore.config import Config
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from infra.stage.delivery import STREAMS
from tests.crash.faults import Fault, Mode, Outage, faults_of
from tests.crash.flows.main_flows import FLOWS
from tests.crash.region import Region
from tests.crash.services.cloud import Cloud
from tests.crash.story import live_through
from tests.property.runs.test_leases import Leases
from tests.support.dag_runs.dag_world import DagWorld
from tests.support.factories import TENANT, after, job_id
from tests.support.stores.contract_stores import dynamo_stores
from tests.support.stores.corrupt_record import damage
from tests.support.stores.dynamodb_inside import client_inside
from tests.support.world import World
from tests.unit.domain.dags.definitions import dag, task
from timegate.domain.dags.definition import FanOut
from timegate.domain.runs.run import RunState

#: Raises what it noticed. A bug is planted after the region has been built, and gone before it is.
Suite = Callable[[Callable[[], None]], None]

#: Items of a page of a query.
PAGE = 25
_NUMBERS = count(1)

_EXAMPLES = settings(
    max_examples=150,
    stateful_step_count=40,
    derandomize=True,
    database=None,
    deadline=None,
    # The first failure is enough: no person reads a smaller example.
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def leases(plant: Callable[[], None]) -> None:
    """The machine that plays with leases, always the same games."""
    plant()
    run_state_machine_as_test(Leases, settings=_EXAMPLES)


def crowded_bucket(*, stuck: int, sound: int, ticks: int) -> Suite:
    """A bucket of several pages: all that is sound is planned within so many ticks.

    ``stuck``: jobs that no planner can read, before all others.
    """

    def run(plant: Callable[[], None]) -> None:
        with closing(client_inside(Config())) as client:
            small: Any = _small_pages
            client.meta.events.register("provide-client-params.dynamodb.Query", small)
            stores = dynamo_stores(client, f"crowded-{next(_NUMBERS)}", shards=1)
            jobs = [
                stores.add_job(job_id=job_id(str(n)), next_run_at=after(n / 1000))
                for n in range(stuck + sound)
            ]
            for job in jobs[:stuck]:
                damage(stores, job)
            world = World()
            world.jobs, world.runs = stores.jobs, stores.runs
            world.cursors, world.announced_plans = stores.cursors, stores.announced_plans
            world.clock.advance(1)
            plant()
            for _ in range(ticks):
                world.tick()
                world.clock.advance(60)
            found = [stores.jobs.get(TENANT, job.job_id).timing for job in jobs[stuck:]]
            assert [timing.job_id for timing in found if timing.runs_planned == 0] == []

    return run


def members_heard_of_twice(plant: Callable[[], None]) -> None:
    """A fan-out joins when the last of its members has ended, and not before."""
    plant()
    dag_world, width = DagWorld(), 4
    part = task("part", fan_out=FanOut(over="parameters.parts"))
    run = dag_world.start(dag((part,)), parameters=json.dumps({"parts": list(range(width))}))
    for number, attempt in enumerate(dag_world.waiting(), start=1):
        ended = dag_world.finish(attempt, RunState.SUCCEEDED)
        dag_world.hear(ended)
        dag_world.hear(ended)
        wanted = "succeeded" if number == width else "running"
        assert dag_world.states(run)["part"] == wanted


def _small_pages(params: dict[str, Any], **_: object) -> dict[str, Any]:
    """Page early: the emulator never does, DynamoDB does from a megabyte on."""
    return {**params, "Limit": PAGE}


def given_up(name: str, *, function: str) -> Suite:
    """A flow of which Lambda gives up the first batch of a function that reads a stream."""
    (known,) = (each for each in FLOWS if each.name == name)

    def run(plant: Callable[[], None]) -> None:
        with pytest.MonkeyPatch.context() as patch:
            cloud = Cloud(Region(patch))
            for ticked in ("planner", "sweeper"):
                cloud.invoke(ticked, {"shards": [0], "of": 1})
            plant()
            outage = Outage(function, calls=0, tries=1 + STREAMS.retries)
            live_through(known, cloud, "tenant", outage=outage)

    return run


def flow(
    name: str,
    *,
    clean: bool = False,
    stalls: bool = False,
    function: str | None = None,
    mode: Mode | None = None,
) -> Suite:
    """The part of the crash matrix that is about one flow: ``clean``, without any fault.

    ``stalls``: executors that stand still. ``function``: every fault of this one, or those of a
    ``mode``.
    """
    (known,) = (each for each in FLOWS if each.name == name)

    def wanted(fault: Fault) -> bool:
        if stalls:
            return fault.mode is Mode.STALLED and fault.call.function.startswith("executor")
        return not clean and fault.call.function == function and mode in {None, fault.mode}

    def run(plant: Callable[[], None]) -> None:
        with pytest.MonkeyPatch.context() as patch:
            cloud = Cloud(Region(patch))
            for ticked in ("planner", "sweeper"):
                cloud.invoke(ticked, {"shards": [0], "of": 1})
            calls = live_through(known, cloud, "tenant")
            plant()
            if clean:
                live_through(known, cloud, "tenant")
            for point, fault in enumerate(faults_of(calls, set(), every=False)):
                if wanted(fault):
                    live_through(known, cloud, f"tenant-{point}", fault)

    return run
