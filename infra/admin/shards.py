"""``timegate admin shards``: retired shards, and closing them."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Self

from infra.admin.deployed_shards import deployed, in_use, objections
from infra.admin.stage_access import StageAccess
from timegate.adapters.dynamo.dispatch.full_scan import DynamoCensus
from timegate.adapters.dynamo.dispatch.shard_store import DynamoShardStore
from timegate.adapters.system_clock import SystemClock
from timegate.usecases.planning.retire_shards import begin_closing, close_shards, empty_shards

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient

RIGHTS = (
    "cloudformation:DescribeStacks, lambda:GetAlias and GetFunctionConfiguration on the stage's"
    " functions and their versions, dynamodb:Scan and BatchGetItem on its tables, and"
    " dynamodb:UpdateItem to retire"
)
Say = Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class ShardedStage:
    """A deployed stage, with the operator's own rights."""

    name: str
    lambdas: "LambdaClient"
    store: DynamoShardStore
    census: DynamoCensus

    @classmethod
    def of(cls, access: StageAccess) -> Self:
        """Shards of a stage."""
        census = DynamoCensus(
            access.engine, jobs_table=access.jobs_table, runs_table=access.runs_table
        )
        return cls(
            name=access.name, lambdas=access.lambdas, store=access.open_shards, census=census
        )


def report(stage: ShardedStage, say: Say) -> bool:
    """Say what waits in shards that no function writes to any more; ``True``: nothing does."""
    keep = in_use(deployed(stage.lambdas, stage.name))
    stored = stage.store.read()
    opened = stored.count if stored is not None else 0
    say(f"deployed: {keep} shards, open: {opened}, retired: {max(opened - keep, 0)}")
    waiting = Counter(
        (each.shard, each.index) for each in stage.census.residents() if each.shard >= keep
    )
    for shard in sorted({shard for shard, _ in waiting}):
        note = "" if shard < opened else ": NOT SERVED, deploy more shards than this number"
        say(f"shard {shard}: {waiting[shard, 'due']} jobs, {waiting[shard, 'watch']} runs{note}")
    if opened > keep and not waiting:
        say("every retired shard is empty: --retire closes them")
    return opened <= keep and not waiting


def retire(stage: ShardedStage, say: Say, *, settles_after: timedelta) -> bool:
    """Empty retired shards into those in use, and close them when they are empty."""
    clock = SystemClock()
    announced = begin_closing(in_use(deployed(stage.lambdas, stage.name)), stage.store)
    if announced is None:
        say("no shard is retired")
        return True
    # Asked after the announcement: from there on no process that is new begins to use them.
    functions = deployed(stage.lambdas, stage.name)
    against = objections(
        functions, keep=announced.used, now=clock.now(), settles_after=settles_after
    )
    if against:
        say("\n".join(against))
        return False
    emptied = empty_shards(announced, stage.census, clock)
    say(f"moved: {emptied.moved}, still there: {emptied.left}")
    if not close_shards(announced, stage.census, stage.store):
        say("not empty yet: what is due or at work moves by itself; try again later")
        return False
    say(f"closed: {announced.count - announced.used} shards, open: {announced.used}")
    return True
