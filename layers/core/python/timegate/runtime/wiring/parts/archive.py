"""Wiring of what reads the archive: loaded with the first request for what has expired."""

from timegate.adapters.archive.archived_runs import ArchivedRunStore
from timegate.adapters.s3.archive_files import S3ArchiveFiles
from timegate.runtime import clients
from timegate.runtime.environment import environment


def archived_runs() -> ArchivedRunStore:
    """Build the store of archived runs; raises ``MissingSetting``."""
    return ArchivedRunStore(S3ArchiveFiles(clients.s3, environment().text("ARCHIVE_BUCKET")))
