"""Runs that kill whatever executes them: real processes, that really die, over the real tables."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from infra.local.cloud import LocalCloud
from tests.contract.conftest import NewStores
from tests.contract.stores import SHARDS, Stores
from tests.support.factories import EVERY_MINUTE, NOW, after, attempt_factory
from timegate.adapters.memory.backlog import MemoryBacklog
from timegate.adapters.memory.clock import MemoryClock
from timegate.adapters.memory.telemetry import MemoryTelemetry
from timegate.domain.delivery import DeliveryMode
from timegate.domain.run import Reason, RunState
from timegate.domain.shards import Turn
from timegate.domain.watch import MAX_LEASES
from timegate.usecases.sweep_shard import Sweeping, sweep_shard

REPOSITORY = Path(__file__).resolve().parents[2]
#: One invocation of an executor, at a given moment, whose target kills its process.
WORKER = """
import os, signal, sys
import boto3
from datetime import timedelta
from tests.support.factories import after, attempt_factory
from tests.support.world import World, delivery
from timegate.adapters.dynamo.run_store import DynamoRunStore
from timegate.domain.message import RunMessage
from timegate.usecases.completions import Completions
from timegate.usecases.execute_batch import execute_batch

endpoint, jobs, runs, shards, seconds, owner = sys.argv[1:]
client = boto3.client(
    "dynamodb", endpoint_url=endpoint, region_name="us-east-1",
    aws_access_key_id="test", aws_secret_access_key="test",
)
world = World(now=after(float(seconds)))
world.runs = DynamoRunStore(
    client, table=runs, jobs_table=jobs, shards=lambda: int(shards), retention_days=30
)


def die(call):
    print("called under fence", call.fence, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)


world.target.invoke = die
message = delivery(RunMessage.of(attempt_factory()))
execute_batch([message], world.execution(owner=owner), Completions(world.runs))
print("nobody was called", flush=True)
"""


def work(cloud: LocalCloud, stores: Stores, *, seconds: float, owner: str) -> str:
    """Let a worker have the run's message so many seconds after it was due; what it printed."""
    paths = [REPOSITORY, REPOSITORY / "layers/core/python", REPOSITORY / "functions"]
    arguments = (cloud.endpoint, stores.jobs._table, stores.runs._table)  # type: ignore[attr-defined]
    worker = subprocess.run(
        [sys.executable, "-c", WORKER, *arguments, str(SHARDS), str(seconds), owner],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, paths))},
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    died = worker.returncode == -signal.SIGKILL
    assert died or worker.returncode == 0, worker.stderr
    return worker.stdout.strip()


def sweep(stores: Stores, *, seconds: float) -> None:
    """The sweeper's tick over every shard."""
    sweeping = Sweeping(
        runs=stores.runs,
        slots=stores.slots,
        cursors=stores.cursors,
        operations=stores.operations,
        backlog=MemoryBacklog(),
        telemetry=MemoryTelemetry(),
    )
    for shard in range(SHARDS):
        turn = Turn(shard=shard, opened_at=NOW)
        sweep_shard(turn, sweeping, MemoryClock(after(seconds)), owner=f"sweeper {seconds}")


@pytest.fixture
def stores(new_dynamo_stores: NewStores) -> Stores:
    return new_dynamo_stores()


def test_a_run_that_kills_every_worker_is_dead_lettered(cloud: LocalCloud, stores: Stores) -> None:
    """Five processes die of it, each under a higher fence; then it is kept with what is known."""
    stores.add_job(schedule=EVERY_MINUTE, anchored_at=after(-3600))
    attempt = stores.add(attempt_factory())
    printed = []
    for lease in range(1, MAX_LEASES + 2):
        # Each time the lease of sixty seconds has expired, and the sweeper has queued the run.
        seconds = 200.0 * (lease - 1)
        printed.append(work(cloud, stores, seconds=seconds, owner=f"worker-{lease}"))
        sweep(stores, seconds=seconds + 120)
    dead = stores.stored(attempt)

    assert printed == [
        *(f"called under fence {fence}" for fence in range(1, MAX_LEASES + 1)),
        "nobody was called",
    ]
    assert (dead.state, dead.reason) == (RunState.DEAD_LETTERED, Reason.KILLS_WORKERS)
    assert dead.error is not None
    assert dead.error.message == (
        "5 leases ended without a word from the worker."
        " worker-5 had the last lease, which ended at 2026-11-21T07:14:20.000Z."
    )
    assert dead.explanation == "given up: whatever runs it dies"


def test_a_run_that_may_run_once_kills_one_worker(cloud: LocalCloud, stores: Stores) -> None:
    """The sweeper ends it; whoever gets its message then calls nobody."""
    mode = DeliveryMode.AT_MOST_ONCE
    stores.add_job(schedule=EVERY_MINUTE, anchored_at=after(-3600), delivery=mode)
    attempt = stores.add(attempt_factory())
    first = work(cloud, stores, seconds=0, owner="worker-1")
    sweep(stores, seconds=120)
    ended = stores.stored(attempt)
    second = work(cloud, stores, seconds=200, owner="worker-2")

    assert [first, second] == ["called under fence 1", "nobody was called"]
    assert (ended.state, ended.reason) == (RunState.FAILED, Reason.WORKER_DIED)
    assert stores.stored(attempt) == ended
