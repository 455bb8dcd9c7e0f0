"""Programs: files or modules whose functions are jobs, imported as Python imports them."""

import importlib
import importlib.util
import re
import shlex
import sys
import sysconfig
import traceback
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import typer

import timegate
from timegate.declaring.declarations import Declaration, DeclarationKind, declared
from timegate.domain.actions.pool import POOL_NAME
from timegate.domain.values.errors import InvalidInput
from timegate.value_classes import dataclass
from timegate.worker import DeclaredJob, ShapeMismatch, Worker
from timegate.worker.handlers import registered

#: Files of Python, of installed packages, which an environment has apart, and of Timegate: the
#: error of a program is in a file of its own.
_LIBRARIES = (
    *(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")),
    str(Path(timegate.__file__).parent),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Program:
    """One program: its jobs, and the pool that offers their runs."""

    source: str
    #: The words behind ``timegate worker run`` by which it is served.
    served_by: str
    #: The name of the set of declarations.
    name: str
    pool: str
    jobs: Mapping[str, DeclaredJob[Any, Any]]
    #: The program's own, if it has one.
    worker: Worker | None

    def check_handlers(self) -> None:
        """Raise ``BadParameter`` for a function that no run can be given to."""
        for name, job in self.jobs.items():
            try:
                _ = job.signature
            except (ShapeMismatch, TypeError) as error:
                message = f"{self.source} {name}: {error}."
                raise typer.BadParameter(message) from error

    def documents(self) -> list[Declaration]:
        """Return the declaration of each job; raises ``InvalidInput`` for one that cannot run."""
        return declared(self._declaration(name, job) for name, job in self.jobs.items())

    def _declaration(self, name: str, job: DeclaredJob[Any, Any]) -> Declaration:
        try:
            spec = job.definition(self.pool)
        except (ShapeMismatch, TypeError) as error:
            field = f"{self.source} {name}.payload"
            raise InvalidInput(field, "invalid_payload", str(error)) from error
        return Declaration(kind=DeclarationKind.JOB, name=name, spec=spec, source=self.source)


def load_program(where: str, *, pool: str | None = None, name: str | None = None) -> Program:
    """Import ``FILE.py``, ``FILE.py:WORKER`` or ``MODULE:WORKER``; raises ``BadParameter``.

    A program without a worker of its own has the pool that is named, or one of its file's name.
    """
    path, _, attribute = where.partition(":")
    module = _imported_file(Path(path)) if path.endswith(".py") else _imported(path)
    stem = Path(path).stem if path.endswith(".py") else path
    worker = _worker(module, where, attribute, is_file=path.endswith(".py"))
    own = worker.pool if worker is not None else None
    if pool is not None and own is not None and pool != own:
        message = f"--pool is {pool}, and the worker of {path} has the pool {own}."
        raise typer.BadParameter(message)
    # A job that its own worker does not do would wait in the worker's pool for ever.
    jobs = {
        key: each
        for key, each in registered().items()
        if isinstance(each, DeclaredJob) and (worker is None or worker.does(key))
    }
    return Program(
        source=path,
        served_by=shlex.join([where, *(["--pool", pool] if pool and own is None else [])]),
        name=name or stem,
        pool=pool or own or _pool_of(stem),
        jobs=jobs,
        worker=worker,
    )


def _pool_of(stem: str) -> str:
    pool = re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-")
    if not POOL_NAME.fullmatch(pool):
        message = f"{stem!r} gives no name of a pool: name one with --pool."
        raise typer.BadParameter(message)
    return pool


def _worker(module: ModuleType, where: str, attribute: str, *, is_file: bool) -> Worker | None:
    found = getattr(module, attribute or "worker", None)
    if isinstance(found, Worker):
        return found
    if attribute or not is_file:
        message = f"{where} is no worker: give FILE.py, or MODULE:WORKER with the name of a Worker."
        raise typer.BadParameter(message)
    return None


def _imported_file(path: Path) -> ModuleType:
    """Import a file by its name; its folder stays where imports look, as when Python runs it."""
    folder, name = str(path.resolve().parent), path.stem
    if not path.is_file():
        message = f"There is no file {path}."
        raise typer.BadParameter(message)
    known = sys.modules.get(name)
    if known is not None and Path(getattr(known, "__file__", None) or "") != path.resolve():
        message = f"A module called {name} is in use already: give {path} another name."
        raise typer.BadParameter(message)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    importlib.invalidate_caches()
    return _imported(name)


def _imported(name: str) -> ModuleType:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        return importlib.import_module(name)
    # A program may raise anything; one without a main guard may end this process, as a script.
    except (Exception, SystemExit) as error:
        message = f"{name} cannot be imported: {_said(error)}"
        raise typer.BadParameter(message) from error


def _said(error: BaseException) -> str:
    """Return an error in words, with the line of the program that it comes from."""
    match error:
        case ImportError():
            return str(error)
        case SyntaxError():
            return f"SyntaxError: {error}"
        case SystemExit():
            told = 'it ends this process; keep that under if __name__ == "__main__"'
        case _:
            told = f"{type(error).__name__}: {error}"
    frames = traceback.extract_tb(error.__traceback__)
    own = [each for each in frames if not each.filename.startswith(("<", *_LIBRARIES))]
    return f"{told} ({own[-1].filename}, line {own[-1].lineno})" if own else told
