"""Which shards are open: one record, beside the jobs."""

from typing import Protocol

from timegate.domain.shards import OpenShards


class ShardStore(Protocol):
    """The record that writers obey and ticks follow. Throttling raises ``Throttled``."""

    def read(self) -> OpenShards | None:
        """What is open, strongly consistent; ``None`` before anything ever was."""

    def replace(self, before: OpenShards | None, after: OpenShards) -> bool:
        """Store ``after`` unless the record is no longer as it was read: ``before``."""


class Spread(Protocol):
    """Over how many shards a writer spreads what it stores."""

    def __call__(self) -> int:
        """All of them are open; raises ``Throttled`` when that cannot be told."""
