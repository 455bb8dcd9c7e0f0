"""A tenant of a world of tables, made in memory: its things cost no call each."""

from tests.support.execution.placing import placed
from tests.support.stores.records import JOBS_TABLE, RUNS_TABLE
from tests.support.stores.tabled import TabledWorld
from tests.support.tenants.sample_tenant import CALENDARS, POOL, Inhabitant, inhabit
from tests.support.world import World


def settle_in(
    world: TabledWorld, name: str, *, pool: str = POOL, calendars: tuple[str, ...] = CALENDARS
) -> Inhabitant:
    """Let a tenant move in as ``inhabit`` does; stores write the same items on each engine.

    The world's own stores remember no write: a test that counts calls lets it move in by them.
    """
    aside = World(
        spread=lambda: placed(1),
        blobs=world.blobs,
        archive_files=world.archive_files,
        hook_secrets=world.hook_secrets,
    )
    owner = inhabit(aside, name, pool=pool, calendars=calendars)
    engine = aside.tables.engine
    world.take(jobs=engine.items(JOBS_TABLE), runs=engine.items(RUNS_TABLE))
    return owner
