"""Blobs, in memory."""

from timegate.domain.values.corrupt_record import BlobMissing

#: S3 has room for no longer key.
#: https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html
MAX_KEY_BYTES = 1_024


class MemoryBlobStore:
    """The twin of ``S3BlobStore``."""

    def __init__(self) -> None:
        self.blobs: dict[str, str] = {}

    def put(self, path: str, text: str) -> None:
        """Store text under a path."""
        assert len(path.encode()) <= MAX_KEY_BYTES
        self.blobs[path] = text

    def get(self, path: str) -> str:
        """Read it back; raises ``BlobMissing`` where there is none."""
        if path not in self.blobs:
            raise BlobMissing(path)
        return self.blobs[path]

    def erase(self, prefix: str) -> int:
        """Delete what lies below a path; returns how many."""
        found = [path for path in self.blobs if path.startswith(prefix)]
        for path in found:
            del self.blobs[path]
        return len(found)

    def link(self, path: str, *, seconds: int) -> str:
        """An address that says what it stands for."""
        return f"memory://{path}?seconds={seconds}"
