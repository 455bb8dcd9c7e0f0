"""The blob store, as the use cases see it."""

from typing import Protocol


class BlobStore(Protocol):
    """Payloads and results too large for an item."""

    def put(self, path: str, text: str) -> None:
        """Store text under a path."""

    def get(self, path: str) -> str:
        """Read it back; raises ``BlobMissing``, or ``Throttled`` when the store is overloaded."""

    def link(self, path: str, *, seconds: int) -> str:
        """An address whose holders can read the text for so long; no call."""


class ErasableBlobs(BlobStore, Protocol):
    """The same for an operator, who may delete."""

    def erase(self, prefix: str) -> int:
        """Delete what lies below a path, with its versions; returns how many."""
