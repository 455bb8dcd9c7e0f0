"""Wiring of what reads the archive: loaded with the first request for what has expired."""

from timegate.adapters.archive.archived_runs import ArchivedRunStore
from timegate.adapters.archive.sealed_months import SealedMonthStore
from timegate.adapters.s3.archive_files import S3ArchiveFiles
from timegate.ports.archive import ArchiveReaders
from timegate.runtime import clients
from timegate.runtime.environment import environment


def archive_readers() -> ArchiveReaders:
    """Build the readers of the archive; raises ``MissingSetting``."""
    files = S3ArchiveFiles(clients.s3, environment().text("ARCHIVE_BUCKET"))
    return ArchiveReaders(runs=ArchivedRunStore(files), months=SealedMonthStore(files))
