"""Settings of what writes and reads the archive."""

from timegate.runtime.variables import Environment, Settings, setting
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class ArchiverSettings(Settings):
    """Settings of the archiver."""

    jobs_table: str = setting(Environment.text, "JOBS_TABLE")
    runs_table: str = setting(Environment.text, "RUNS_TABLE")
    bucket: str = setting(Environment.text, "ARCHIVE_BUCKET")
    #: The key that signs seals; empty: months are not sealed.
    seal_key: str = setting(Environment.optional, "SEAL_KEY")
