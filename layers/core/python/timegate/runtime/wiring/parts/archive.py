"""Wiring of what reads the archive: loaded with the first request for what has expired."""

from timegate.adapters.archive.archived_runs import ArchivedRunStore
from timegate.adapters.archive.sealed_months import SealedMonthStore
from timegate.adapters.s3.archive_files import S3ArchiveFiles
from timegate.runtime import clients
from timegate.runtime.environment import environment


def archived_runs() -> ArchivedRunStore:
    """Build the store of archived runs; raises ``MissingSetting``."""
    return ArchivedRunStore(_files())


def sealed_months() -> SealedMonthStore:
    """Build the store of sealed months; raises ``MissingSetting``."""
    return SealedMonthStore(_files())


def _files() -> S3ArchiveFiles:
    return S3ArchiveFiles(clients.s3, environment().text("ARCHIVE_BUCKET"))
