"""Services of the worker API, in a world."""

from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING

from tests.support.values.tokens import TOKEN_RULES
from timegate.usecases.services.calendars_at_hand import CalendarsAtHand
from timegate.usecases.services.worker_services import WorkerServices
from timegate.usecases.tenants.keys_at_hand import KeysAtHand

if TYPE_CHECKING:
    from tests.support.world import World


def worker_services(world: "World", *, lease_length: timedelta) -> WorkerServices:
    """The services of the workers' function."""
    return WorkerServices(
        runs=world.runs,
        slots=world.slots,
        rates=world.rates,
        blobs=world.blobs,
        pools=world.pools,
        logs=world.logs,
        calendars=CalendarsAtHand(world.restrictions, world.telemetry),
        clock=world.clock,
        telemetry=world.telemetry,
        tenant_claim="client_id",
        scope_prefix="timegate",
        token_rules=TOKEN_RULES,
        keys_at_hand=cache(lambda: KeysAtHand(world.api_keys)),
        lease_length=lease_length,
        new_lease_key=lambda: "the key of the tests",
        region=getattr(world, "region", None),
    )
