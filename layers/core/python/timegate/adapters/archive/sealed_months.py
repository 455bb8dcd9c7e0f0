"""Sealed months of a tenant, read from the files of the archive."""

from collections.abc import Iterator, Sequence

from timegate.adapters.page_cursor import invalid_cursor, read_cursor, write_cursor
from timegate.domain.archive.canonical import digest_of
from timegate.domain.archive.months import is_month
from timegate.domain.archive.sealed_month import ExportedFile, SealNotFound
from timegate.domain.archive.seals import Seal, keys_folder, seal_path, signature_path, tenant_seals
from timegate.domain.values.tenant import TenantId
from timegate.ports.archive import ArchiveFiles, SealedMonth
from timegate.ports.stores import Page

_SIGNED = ".sig"


class SealedMonthStore:
    """Paths begin with the tenant's name: no request reaches another tenant's seals."""

    def __init__(self, files: ArchiveFiles) -> None:
        self._files = files

    def months(self, tenant: TenantId, *, limit: int, cursor: str | None) -> Page[str]:
        """A page of the months that are sealed and signed, the latest first."""
        folder, listing = tenant_seals(tenant), f"seals#{tenant}"
        signed = (path for path in self._files.paths(folder) if path.endswith(_SIGNED))
        months = sorted(path.removeprefix(folder).removesuffix(_SIGNED) for path in signed)
        if cursor is not None:
            first = read_cursor(listing, cursor)
            months = [month for month in months if month <= first]
        rows = tuple(reversed(months))
        return Page(
            rows=rows[:limit],
            cursor=write_cursor(listing, rows[limit]) if len(rows) > limit else None,
        )

    def read(
        self, tenant: TenantId, month: str, *, limit: int, cursor: str | None, seconds: int
    ) -> SealedMonth:
        """Return a seal and a page of its files; raises ``SealNotFound`` or ``InvalidInput``."""
        content = self._files.read(seal_path(tenant, month)) if is_month(month) else None
        signature = self._files.read(signature_path(tenant, month)) if content else None
        if content is None or signature is None:
            raise SealNotFound(month)
        seal = Seal.from_bytes(content)
        found = [
            (seal_path(tenant, month), len(content), digest_of(content)),
            (signature_path(tenant, month), len(signature), digest_of(signature)),
            *self._keys(),
            *((each.path, each.bytes, each.sha256) for each in (*seal.files, *seal.late)),
        ]
        listing = f"seals#{tenant}#{month}"
        begin = _place(listing, [path for path, _, _ in found], cursor)
        end = begin + limit
        return SealedMonth(
            seal=seal,
            sha256=digest_of(content),
            files=Page(
                rows=tuple(
                    ExportedFile(
                        path=path,
                        bytes=size,
                        sha256=sha256,
                        url=self._files.link(path, seconds=seconds),
                    )
                    for path, size, sha256 in found[begin:end]
                ),
                cursor=write_cursor(listing, found[end][0]) if end < len(found) else None,
            ),
        )

    def _keys(self) -> Iterator[tuple[str, int, str]]:
        for path in self._files.paths(keys_folder()):
            content = self._files.read(path)
            if content is not None:
                yield path, len(content), digest_of(content)


def _place(listing: str, paths: Sequence[str], cursor: str | None) -> int:
    """Return where a page begins: at the file that its cursor names; raises ``InvalidInput``.

    A key that is stored between two pages comes before the files that the seal names. A cursor
    that counted rows would show one of them twice.
    """
    if cursor is None:
        return 0
    path = read_cursor(listing, cursor)
    if path not in paths:
        raise invalid_cursor()
    return paths.index(path)
