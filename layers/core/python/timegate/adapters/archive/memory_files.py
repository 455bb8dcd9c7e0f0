"""Files of the archive, in memory."""

from timegate.adapters.memory.blob_store import MAX_KEY_BYTES


class MemoryArchiveFiles:
    """The twin of ``S3ArchiveFiles``."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}

    def create(self, path: str, content: bytes) -> bool:
        """Store a file unless there is one; tells if there was none."""
        assert len(path.encode()) <= MAX_KEY_BYTES
        is_new = path not in self.files
        self.files.setdefault(path, content)
        return is_new

    def read(self, path: str) -> bytes | None:
        """Return a file; ``None``: there is none."""
        return self.files.get(path)

    def folders(self, prefix: str, *, since: str = "") -> list[str]:
        """Return the names of the folders below a folder, in order, from ``since`` on."""
        within = (path.removeprefix(prefix) for path in self.files if path.startswith(prefix))
        names = {path.partition("/")[0] for path in within if "/" in path}
        return sorted(name for name in names if name >= since)

    def paths(self, prefix: str) -> list[str]:
        """Return the paths of all files below a folder, in order."""
        return sorted(path for path in self.files if path.startswith(prefix))

    def link(self, path: str, *, seconds: int) -> str:
        """Return an address that names the file, and how long it holds."""
        return f"https://files.example.com/{path}?seconds={seconds}"
