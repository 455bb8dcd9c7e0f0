"""Files with secrets: their owner alone reads them, from their first moment on."""

import os
from pathlib import Path
from secrets import token_hex


def write_private(path: Path, text: str, *, replace: bool) -> None:
    """Write a file, and the folder around it where there is none.

    ``replace``: a reader finds the old text or the new one. Else raises ``FileExistsError`` if
    there is a file.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    written = path.with_name(f".{path.name}.{token_hex(8)}") if replace else path
    # Made with its mode: no other user can read it in between.
    handle = os.open(written, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    if replace:
        written.replace(path)
