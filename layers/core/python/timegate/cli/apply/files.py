"""Files of declarations: those that are named, and those below folders."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NoReturn

from timegate.cli.terminal.values import file_text
from timegate.domain.values.errors import InvalidInput

_SUFFIXES = {".yaml", ".yml", ".json"}


def texts(paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each file; ``-`` is standard input.

    A file that several paths or links lead to is read once. Raises ``InvalidInput`` for a folder
    that cannot be read, and ``BadParameter`` for such a file.
    """
    known: set[str] = set()
    for path in paths:
        for file in _files(path):
            real = file if file == "-" else os.path.realpath(file)
            if real not in known:
                known.add(real)
                yield ("standard input" if file == "-" else file), file_text(file)


def _files(path: str) -> list[str]:
    """Return the file, or those below the folder, in the order of their paths."""
    if path == "-" or not Path(path).is_dir():
        return [path]
    return [str(file) for file in sorted(_below(Path(path)))]


def _below(folder: Path) -> Iterator[Path]:
    """Yield files of declarations. A folder behind a link is one like another, and read once.

    ``--prune`` would end what a folder declares that is passed over.
    """
    known = {os.path.realpath(folder)}
    for here, folders, names in os.walk(folder, onerror=_refuse, followlinks=True):
        folders[:] = [each for each in folders if _is_new(os.path.join(here, each), known)]  # noqa: PTH118 - a text
        yield from (Path(here, name) for name in names if _declares(name))


def _is_new(folder: str, known: set[str]) -> bool:
    """Note a folder; ``False`` for one that was met before, as in a circle of links."""
    real = os.path.realpath(folder)
    is_new = real not in known
    known.add(real)
    return is_new


def _declares(name: str) -> bool:
    """Tell a file of declarations from other files, however its suffix is written."""
    return Path(name).suffix.lower() in _SUFFIXES


def _refuse(error: OSError) -> NoReturn:
    detail = f"The folder cannot be read: {error.strerror or error}."
    raise InvalidInput(str(error.filename), "unreadable_folder", detail) from error
