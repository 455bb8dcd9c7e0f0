"""``python -m infra.shards --stage prod [--retire]``: retired shards, and closing them."""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

import boto3

from infra.shards.deployed import SETTLES_AFTER, deployed, in_use, objections
from infra.stage.settings import STAGES
from timegate.adapters.dynamo.dispatch.full_scan import DynamoCensus
from timegate.adapters.dynamo.dispatch.shard_store import DynamoShardStore
from timegate.adapters.dynamo.tables.boto_engine import BotoEngine
from timegate.adapters.system_clock import SystemClock
from timegate.usecases.planning.retire_shards import begin_closing, close_shards, empty_shards

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient
    from mypy_boto3_lambda import LambdaClient


@dataclass(frozen=True, kw_only=True)
class Stage:
    """A deployed stage, with the operator's own rights."""

    name: str
    lambdas: "LambdaClient"
    store: DynamoShardStore
    census: DynamoCensus


def main(arguments: list[str] | None = None) -> int:
    """Report, or with ``--retire`` close unused ones; 0: no shard is retired (any more)."""
    options = _parser().parse_args(arguments)
    with _connected(options.stage) as stage:
        if options.retire:
            return retire(stage, settles_after=timedelta(minutes=options.settled_minutes))
        return report(stage)


def report(stage: Stage) -> int:
    """Say what waits in shards that no function writes to any more."""
    keep = in_use(deployed(stage.lambdas, stage.name))
    stored = stage.store.read()
    opened = stored.count if stored is not None else 0
    _say(f"deployed: {keep} shards, open: {opened}, retired: {max(opened - keep, 0)}")
    waiting = Counter(
        (each.shard, each.index) for each in stage.census.residents() if each.shard >= keep
    )
    for shard in sorted({shard for shard, _ in waiting}):
        note = "" if shard < opened else ": NOT SERVED, deploy more shards than this number"
        _say(f"shard {shard}: {waiting[shard, 'due']} jobs, {waiting[shard, 'watch']} runs{note}")
    if opened > keep and not waiting:
        _say("every retired shard is empty: --retire closes them")
    return 1 if opened > keep or waiting else 0


def retire(stage: Stage, *, settles_after: timedelta) -> int:
    """Empty retired shards into those in use, and close them when they are empty."""
    clock = SystemClock()
    announced = begin_closing(in_use(deployed(stage.lambdas, stage.name)), stage.store)
    if announced is None:
        _say("no shard is retired")
        return 0
    # Asked after the announcement: from there on no process that is new begins to use them.
    functions = deployed(stage.lambdas, stage.name)
    against = objections(
        functions, keep=announced.used, now=clock.now(), settles_after=settles_after
    )
    if against:
        _say("\n".join(against))
        return 1
    emptied = empty_shards(announced, stage.census, clock)
    _say(f"moved: {emptied.moved}, still there: {emptied.left}")
    if not close_shards(announced, stage.census, stage.store):
        _say("not empty yet: what is due or at work moves by itself; try again later")
        return 1
    _say(f"closed: {announced.count - announced.used} shards, open: {announced.used}")
    return 0


@contextmanager
def _connected(name: str) -> Iterator[Stage]:
    stacks, lambdas = boto3.client("cloudformation"), boto3.client("lambda")
    dynamodb = boto3.client("dynamodb")
    try:
        outputs = _outputs(stacks, name)
        jobs, runs = outputs["JobsTableName"], outputs["RunsTableName"]
        yield Stage(
            name=name,
            lambdas=lambdas,
            store=DynamoShardStore(BotoEngine(dynamodb), table=jobs),
            census=DynamoCensus(BotoEngine(dynamodb), jobs_table=jobs, runs_table=runs),
        )
    finally:
        for client in (stacks, lambdas, dynamodb):
            client.close()


def _outputs(stacks: "CloudFormationClient", stage: str) -> dict[str, str]:
    (stack,) = stacks.describe_stacks(StackName=f"Timegate-{stage}-Data")["Stacks"]
    return {each["OutputKey"]: each["OutputValue"] for each in stack["Outputs"]}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m infra.shards", description=__doc__)
    parser.add_argument("--stage", required=True, choices=sorted(STAGES))
    parser.add_argument("--retire", action="store_true", help="empty retired shards, close them")
    parser.add_argument(
        "--settled-minutes",
        type=float,
        default=SETTLES_AFTER.total_seconds() / 60,
        help="how long no function may have been updated; less than 16 is for tests only",
    )
    return parser


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    sys.exit(main())
