"""Copying a sealed month: each file is held to the digest that the stage names."""

from collections.abc import Sequence
from pathlib import Path, PurePosixPath

import httpx

from timegate.cli.terminal.session import Session
from timegate.client import JsonObject
from timegate.client.errors import ClientError
from timegate.client.sending import connecting
from timegate.domain.archive.canonical import digest_of

#: Files that the API gives at once; their addresses are good until they are read.
_PAGE = 100
_SECONDS = 60


def export_months(session: Session, months: Sequence[str], to: Path) -> list[JsonObject]:
    """Copy months into a folder; returns what each one has. Raises ``ClientError``."""
    # Addresses need no credentials, and must be sent none.
    transport = session.surroundings.transport
    with connecting():
        http = httpx.Client(transport=transport, timeout=_SECONDS, follow_redirects=False)
    with http:
        return [_export(session, month, to, http) for month in months]


def _export(session: Session, month: str, to: Path, http: httpx.Client) -> JsonObject:
    shown: dict[str, object] = {}
    count = 0
    for page in session.client.export_sealed_month.pages(month, limit=_PAGE):
        for file in page["items"]:
            _copy(file, to, http)
            count += 1
        told = {name: page[name] for name in ("month", "rows", "sha256", "previous")}
        shown = {**told, "files": count}
    return shown


def _copy(file: JsonObject, to: Path, http: httpx.Client) -> None:
    target = to / _checked(str(file["path"]))
    if target.is_file() and digest_of(target.read_bytes()) == file["sha256"]:
        return
    try:
        answer = http.get(str(file["url"]))
    except httpx.HTTPError as error:
        detail = f"{file['path']} was not read: {error}. Export again: what is there is kept."
        raise ClientError("file_not_read", detail) from error
    content = answer.content
    if answer.status_code != httpx.codes.OK or digest_of(content) != file["sha256"]:
        raise ClientError(
            "file_not_as_sealed",
            f"{file['path']} was not read as it was sealed (status {answer.status_code}):"
            " export the month again. If that fails as well, it is another file.",
        )
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f"{target.name}.part")
    part.write_bytes(content)
    part.replace(target)


def _checked(path: str) -> PurePosixPath:
    """Return a path below the folder; raises ``ClientError`` for one that leads out of it."""
    named = PurePosixPath(path)
    if named.is_absolute() or ".." in named.parts or "\\" in path:
        raise ClientError(
            "file_outside_copy", f"The stage names a file outside the copy: {path!r}."
        )
    return named
