"""Services of event triggers in a world."""

from dataclasses import dataclass

from tests.support.world import World
from timegate.adapters.dynamo.events.trigger_store import DynamoEventTriggerStore
from timegate.adapters.memory.hook_secrets import MemoryHookSecrets
from timegate.usecases.event_triggers.triggers_at_hand import EventTriggersAtHand


@dataclass(frozen=True, kw_only=True)
class Triggering:
    """Event triggers, and the secrets of a memory."""

    store: DynamoEventTriggerStore
    known: EventTriggersAtHand
    places: DynamoEventTriggerStore
    secrets: MemoryHookSecrets


def event_triggering(world: World) -> Triggering:
    """Build the services over a world's tables."""
    store = world.event_triggers
    return Triggering(
        store=store, known=EventTriggersAtHand(store), places=store, secrets=world.hook_secrets
    )
