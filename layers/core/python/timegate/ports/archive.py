"""The archive, as the use cases see it."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Protocol

from timegate.domain.archive.archived_run import ArchiveFilter
from timegate.domain.archive.columns import ArchivedRow, RecordKind
from timegate.domain.archive.rounds import ArchivedTable, Span
from timegate.domain.archive.sealed_month import ExportedFile
from timegate.domain.archive.seals import Seal
from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import RunId
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import Page
from timegate.value_classes import dataclass


class ArchiveFiles(Protocol):
    """Files that are written once and never changed."""

    def create(self, path: str, content: bytes) -> bool:
        """Store a file unless there is one; tells if there was none. Raises ``Throttled``."""

    def read(self, path: str) -> bytes | None:
        """Return a file; ``None``: there is none. Raises ``Throttled``."""

    def folders(self, prefix: str, *, since: str = "") -> list[str]:
        """Return the names of the folders below a folder, in order, from ``since`` on."""

    def paths(self, prefix: str) -> list[str]:
        """Return the paths of all files below a folder, in order."""

    def link(self, path: str, *, seconds: int) -> str:
        """Return an address at which a file is read for so long, without credentials."""


class SealSigner(Protocol):
    """The key that signs seals; its private half never leaves its keeper."""

    def sign(self, content: bytes) -> bytes:
        """Return an ECDSA signature of the SHA-256 of a seal, as DER. Raises ``Throttled``."""

    def public_key(self) -> bytes:
        """Return the public half, as DER. Raises ``Throttled``."""


class EndedRecords(Protocol):
    """Records of a table that ended in a span."""

    def segments(self, source: ArchivedTable) -> int:
        """Return in how many segments a table is to be read."""

    def rows(
        self, source: ArchivedTable, span: Span, *, segment: int, of: int
    ) -> Iterator[ArchivedRow]:
        """Yield the records of one segment that ended in the span, in no order."""


class ArchivedRuns(Protocol):
    """Runs in the archive, each tenant's own."""

    def list_runs(
        self, tenant: TenantId, wanted: ArchiveFilter, *, limit: int, cursor: str | None
    ) -> Page[Attempt]:
        """Last attempts at runs that match, the latest day first; within a day in no order.

        Fewer than ``limit``, even none, with a cursor means "not finished looking". Raises
        ``InvalidInput`` for a cursor that is none.
        """

    def attempts(self, tenant: TenantId, run: RunId) -> tuple[Attempt, ...]:
        """Every attempt at a run that ended around its instant; raises ``RunNotFound``."""

    def archived_until(self) -> date | None:
        """Return the day before which all that ended is archived; ``None``: nothing is."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SealedMonth:
    """A seal, its digest, and a page of the files that verifying it takes.

    The first ones are the seal itself, its signature and the public keys.
    """

    seal: Seal
    sha256: str
    files: Page[ExportedFile]


class SealedMonths(Protocol):
    """Sealed months in the archive, each tenant's own."""

    def months(self, tenant: TenantId, *, limit: int, cursor: str | None) -> Page[str]:
        """A page of the months that are sealed and signed, the latest first."""

    def read(
        self, tenant: TenantId, month: str, *, limit: int, cursor: str | None, seconds: int
    ) -> SealedMonth:
        """Return a seal and a page of its files; raises ``SealNotFound`` or ``InvalidInput``.

        ``seconds``: so long the addresses of the files are good.
        """


@dataclass(frozen=True, kw_only=True, slots=True)
class ArchiveReaders:
    """Readers of the archive, for tenants."""

    runs: ArchivedRuns
    months: SealedMonths


class RowFiles(Protocol):
    """The format of files."""

    def encode(self, kind: RecordKind, rows: Sequence[ArchivedRow]) -> bytes:
        """Return a file of these rows; the same rows give the same bytes."""

    def count(self, content: bytes) -> int:
        """Return how many rows a file has; raises ``Malformed`` for what is no such file."""
