"""Files with secrets: their owner alone reads them, from their first moment on."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex

from timegate.client.errors import CredentialsError


def write_private(path: Path, text: str, *, replace: bool) -> None:
    """Write a file, and the folder around it where there is none.

    ``replace``: a reader finds the old text or the new one. Else raises ``FileExistsError`` if
    there is a file. Raises ``CredentialsError`` if the system refuses; the old text stays then.
    """
    with changing(path.parent):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with changing(path, but=FileExistsError):
        written = path.with_name(f".{path.name}.{token_hex(8)}") if replace else path
        # Made with its mode: no other user can read it in between.
        handle = os.open(written, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            if replace:
                written.replace(path)
        except BaseException:
            # Half a secret is neither read nor left behind.
            written.unlink(missing_ok=True)
            raise


@contextmanager
def changing(path: Path, *, but: type[OSError] | tuple[()] = ()) -> Iterator[None]:
    """Name what the system lets its owner neither write nor remove.

    Raises ``CredentialsError`` in place of ``OSError``; errors of the kind ``but`` pass.
    """
    try:
        yield
    except but:
        raise
    except OSError as error:
        detail = f"{path} cannot be changed: {error.strerror or error}."
        raise CredentialsError("not_kept", detail) from error
