"""Open shards: one record, beside the jobs."""

from collections.abc import Iterator
from datetime import datetime
from typing import Protocol

from timegate.domain.dispatch.shards import OpenShards, Placement
from timegate.value_classes import dataclass


class ShardStore(Protocol):
    """The record that writers obey and ticks follow. Throttling raises ``Throttled``."""

    def read(self) -> OpenShards | None:
        """Read the open shards, strongly consistent; ``None`` before the first record."""

    def replace(self, before: OpenShards | None, after: OpenShards) -> bool:
        """Store ``after`` unless the record is no longer as it was read: ``before``."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Resident:
    """A job or a run that waits in a shard, as an index shows it."""

    #: ``due`` for a job, ``watch`` for a run.
    index: str
    pk: str
    sk: str
    minute: str
    shard: int
    at: datetime


class Census(Protocol):
    """Everything that waits, for an operator; the functions have no right to read so much."""

    def residents(self) -> Iterator[Resident]:
        """All jobs and runs that wait, in no order; eventually consistent."""

    def move(self, resident: Resident, shards: Placement) -> bool:
        """Let it wait at the same time in the shard that ``shards`` names.

        ``False``: it is not there any more, or is a run that is queued or at work. Writing that
        could publish it again, and it ends soon.
        """


class ShardPlacement(Protocol):
    """Placement of new records among the open shards."""

    def __call__(self) -> Placement:
        """Name open shards only. Raises ``Throttled`` while the record cannot tell them."""
