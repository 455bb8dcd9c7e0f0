"""Settings of what writes and reads the archive."""

from dataclasses import dataclass
from typing import Self

from timegate.runtime.variables import Environment


@dataclass(frozen=True, kw_only=True, slots=True)
class ArchiverSettings:
    """Settings of the archiver."""

    jobs_table: str
    runs_table: str
    bucket: str
    #: The key that signs seals; empty: months are not sealed.
    seal_key: str

    @classmethod
    def read(cls, env: Environment) -> Self:
        """Read from the environment."""
        return cls(
            jobs_table=env.text("JOBS_TABLE"),
            runs_table=env.text("RUNS_TABLE"),
            bucket=env.text("ARCHIVE_BUCKET"),
            seal_key=env.optional("SEAL_KEY"),
        )
