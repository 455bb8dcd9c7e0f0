"""Runs that kill whatever executes them: real processes, that really die, over the real tables."""

import json
import os
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from subprocess import PIPE, Popen

import pytest

from infra.local.cloud import LocalCloud
from tests.support.factories import EVERY_MINUTE, NOW, after, attempt_factory
from tests.support.stores.contract_stores import SHARDS, Stores, dynamo_stores
from timegate.adapters.memory.backlog import MemoryBacklog
from timegate.adapters.memory.clock import MemoryClock
from timegate.adapters.memory.telemetry import MemoryTelemetry
from timegate.domain.dispatch.shards import ShardTurn
from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.runs.run import Reason, RunState
from timegate.domain.runs.watch import MAX_LEASES
from timegate.usecases.sweeping.sweep_shard import sweep_shard
from timegate.usecases.sweeping.sweeper_services import Sweeping

REPOSITORY = Path(__file__).resolve().parents[3]
#: Invocations of an executor, each a process of its own, at a given moment; their target kills it.
#: They are forked off one that has imported everything.
WORKERS = """
import json, os, signal, sys
import boto3
from tests.support.factories import after, attempt_factory
from tests.support.execution.placing import placed
from tests.support.world import World, delivery
from timegate.adapters.dynamo.tables.boto_engine import BotoEngine
from timegate.adapters.dynamo.runs.run_store import DynamoRunStore
from timegate.domain.dispatch.message import RunMessage
from timegate.usecases.services.completions import Completions
from timegate.usecases.execution.execute_batch import execute_batch


def die(call):
    print("called under fence", call.fence, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)


def work(endpoint, jobs, runs, shards, seconds, owner):
    client = boto3.client(
        "dynamodb", endpoint_url=endpoint, region_name="us-east-1",
        aws_access_key_id="test", aws_secret_access_key="test",
    )
    world = World(now=after(seconds))
    world.runs = DynamoRunStore(
        BotoEngine(client), table=runs, jobs_table=jobs, shards=lambda: placed(shards),
        retention_days=30,
    )
    world.target.invoke = die
    message = delivery(RunMessage.of(attempt_factory()))
    execute_batch([message], world.execution(owner=owner), Completions(world.runs, world.telemetry))
    print("no target was called", flush=True)


for line in sys.stdin:
    process = os.fork()
    if process == 0:
        work(*json.loads(line))
        os._exit(0)
    print("ended", os.waitpid(process, 0)[1], flush=True)
"""


@pytest.fixture(scope="module")
def workers() -> Iterator[Popen[str]]:
    paths = [REPOSITORY, REPOSITORY / "layers/core/python", REPOSITORY / "functions"]
    with Popen(
        [sys.executable, "-c", WORKERS],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, paths))},
        cwd=REPOSITORY,
        stdin=PIPE,
        stdout=PIPE,
        text=True,
    ) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


@dataclass(frozen=True)
class Deployed:
    """A cloud with its tables, and who works there."""

    cloud: LocalCloud
    stores: Stores
    workers: Popen[str]

    def work(self, *, seconds: float, owner: str) -> str:
        """Let a worker have the run's message so many seconds after it was due; what it printed."""
        jobs, runs = self.stores.jobs._table, self.stores.runs._table  # type: ignore[attr-defined]
        arguments = (self.cloud.endpoint, jobs, runs, SHARDS, seconds, owner)
        asked, answered = self.workers.stdin, self.workers.stdout
        assert asked is not None
        assert answered is not None
        print(json.dumps(arguments), file=asked, flush=True)
        *printed, ended = until_its_end(answered)
        assert ended in {"ended 0", f"ended {int(signal.SIGKILL)}"}
        return "\n".join(printed)


def until_its_end(lines: Iterable[str]) -> Iterator[str]:
    """Yield a worker's printed lines up to its end."""
    for line in lines:
        yield line.strip()
        if line.startswith("ended"):
            return


def sweep(stores: Stores, *, seconds: float) -> None:
    """The sweeper's tick over every shard."""
    sweeping = Sweeping(
        runs=stores.runs,
        slots=stores.slots,
        cursors=stores.cursors,
        operations=stores.operations,
        rules=stores.rules,
        dag_runs=stores.dag_runs,
        backlog=MemoryBacklog(),
        pools=stores.pools,
        telemetry=MemoryTelemetry(),
    )
    for shard in range(SHARDS):
        turn = ShardTurn(shard=shard, opened_at=NOW)
        sweep_shard(turn, sweeping, MemoryClock(after(seconds)), owner=f"sweeper {seconds}")


@pytest.fixture
def deployed(
    cloud: LocalCloud, workers: Popen[str], request: pytest.FixtureRequest
) -> Iterator[Deployed]:
    with closing(cloud.client("dynamodb")) as client:
        stores = dynamo_stores(client, request.node.name)
        yield Deployed(cloud=cloud, stores=stores, workers=workers)


def test_a_run_that_kills_every_worker_is_dead_lettered(deployed: Deployed) -> None:
    """Five processes die of it, each under a higher fence; then it is kept with what is known."""
    stores = deployed.stores
    stores.add_job(schedule=EVERY_MINUTE, anchored_at=after(-3600))
    attempt = stores.add(attempt_factory())
    printed = []
    for lease in range(1, MAX_LEASES + 2):
        # Each time the lease of sixty seconds has expired, and the sweeper has queued the run.
        seconds = 200.0 * (lease - 1)
        printed.append(deployed.work(seconds=seconds, owner=f"worker-{lease}"))
        sweep(stores, seconds=seconds + 120)
    dead = stores.stored(attempt)

    assert printed == [
        *(f"called under fence {fence}" for fence in range(1, MAX_LEASES + 1)),
        "no target was called",
    ]
    assert (dead.state, dead.reason) == (RunState.DEAD_LETTERED, Reason.KILLS_WORKERS)
    assert dead.error is not None
    assert dead.error.message == (
        "5 leases ended without a word from the worker, 4 of them while it executed nothing else."
        " worker-5 had the last lease, which ended at 2026-11-21T07:14:20.000Z."
    )
    assert dead.explanation == "given up: whatever runs it dies"


def test_a_run_that_may_run_once_kills_one_worker(deployed: Deployed) -> None:
    """The sweeper ends it; a worker that gets its message then calls no target."""
    mode = DeliveryMode.AT_MOST_ONCE
    stores = deployed.stores
    stores.add_job(schedule=EVERY_MINUTE, anchored_at=after(-3600), delivery=mode)
    attempt = stores.add(attempt_factory())
    first = deployed.work(seconds=0, owner="worker-1")
    sweep(stores, seconds=120)
    ended = stores.stored(attempt)
    second = deployed.work(seconds=200, owner="worker-2")

    assert [first, second] == ["called under fence 1", "no target was called"]
    assert (ended.state, ended.reason) == (RunState.FAILED, Reason.WORKER_DIED)
    assert stores.stored(attempt) == ended
