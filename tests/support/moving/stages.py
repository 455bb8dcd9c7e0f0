"""Two stages in memory, and what an operator reaches of each."""

from typing import Any

from infra.admin.stage_access import StageAccess
from tests.support.stores.records import JOBS_TABLE, RUNS_TABLE
from tests.support.world import World
from timegate.adapters.dynamo.tables.engine import Fields
from timegate.adapters.dynamo.tables.values import stored
from timegate.domain.dispatch.shards import KEY_BYTES
from timegate.usecases.planning.open_shards import open_shards


def reached(world: World, name: str = "prod", *, engine: Any = None) -> StageAccess:  # noqa: ANN401 - an engine that fails
    """Reach a world as an operator reaches a stage."""
    return StageAccess(
        name=name,
        engine=engine or world.tables.engine,
        jobs_table=JOBS_TABLE,
        runs_table=RUNS_TABLE,
        blobs=world.blobs,
        lambdas=None,  # type: ignore[arg-type]  # what moves asks no function
        settle=lambda: None,  # an index in memory is never late
    )


def opened(world: World | None = None, *, shards: int = 4) -> World:
    """A stage whose planner has opened its shards."""
    found = world or World()
    assert len(open_shards(shards, found.shards, found.clock).key) == KEY_BYTES
    return found


#: Fields of each stage's own, whatever moves.
_OWN = {"due_bucket", "due_at", "revision"}


def held(world: World, *, tenant: str = "") -> dict[tuple[str, str, str], Fields]:
    """Every item of both tables, without what differs between stages."""
    return {
        (table, str(item["pk"]), str(item["sk"])): {
            name: each for name, each in stored(item).items() if name not in _OWN
        }
        for table in (JOBS_TABLE, RUNS_TABLE)
        for item in world.tables.engine.items(table)
        if str(item["pk"]).startswith(tenant) or item["sk"] == tenant
    }
