"""Groups of shards that the sweeper looks at together, between two ticks."""

from collections.abc import Mapping

from infra.stage.capacity import LEAST_SOURCE_CONCURRENCY
from infra.stage.settings import StageSettings

#: Most shards that one look reads, one after the other: each look is an invocation.
LOOK_SHARDS = 16


def looks_at_once(settings: StageSettings) -> int:
    """Most looks in work at once."""
    return max(LEAST_SOURCE_CONCURRENCY, len(look_groups(settings)))


def look_groups(settings: StageSettings) -> Mapping[int, tuple[int, ...]]:
    """The shards of each look, by the shard group whose tick asks for it."""
    groups = settings.shard_groups
    together = max(1, LOOK_SHARDS // settings.group_size)
    return {
        first: tuple(shard for group in groups[first : first + together] for shard in group)
        for first in range(0, len(groups), together)
    }
