"""Services of operations on a world."""

from typing import TYPE_CHECKING

from timegate.usecases.services.operations_services import Operating

if TYPE_CHECKING:
    from tests.support.world import World


def operating_of(world: "World") -> Operating:
    """Build them; one job after the other, so that tests are the same."""
    return Operating(
        scheduling=world.scheduling,
        operations=world.operations,
        dead_letters=world.dead_letters,
        failures=world.failures,
        slots=world.slots,
        clock=world.clock,
        trail=world.tables.trail,
        workers=1,
    )
