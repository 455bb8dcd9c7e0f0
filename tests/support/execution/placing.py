"""Placement under a key that tests know."""

from dataclasses import replace
from datetime import datetime

from timegate.domain.dispatch.shards import OpenShards, Placement

KEY = bytes(range(1, 33))


def placed(shards: int) -> Placement:
    """Place over so many shards."""
    return Placement(shards=shards, key=KEY)


def first_shards(shards: int, *, at: datetime) -> OpenShards:
    """The first shards of a stage with the tests' key."""
    return OpenShards.first(shards, at=at, key=KEY)


def with_known_key(stored: OpenShards | None) -> OpenShards:
    """A record as if the tests' key were its own; the stage's key is random."""
    assert stored is not None
    return replace(stored, key=KEY)
