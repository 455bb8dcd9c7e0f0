"""``timegate worker``: a program that works on what a pool offers."""

import importlib
import logging
import sys
from pathlib import Path
from typing import Annotated

import typer

from timegate.worker import JsonLines, Worker

workers = typer.Typer(no_args_is_help=True, help="Work on the runs that a pool offers.")


# A group of one command would else be that command.
@workers.callback()
def group() -> None:
    """Work on the runs that a pool offers."""


@workers.command("run")
def run(
    where: Annotated[str, typer.Argument(metavar="MODULE:WORKER")],
) -> None:
    """Run a worker until it is sent SIGTERM or Ctrl-C; what it logs goes to standard error."""
    worker = load_worker(where)
    lines = logging.StreamHandler(sys.stderr)
    lines.setFormatter(JsonLines())
    logger = logging.getLogger("timegate.worker")
    logger.addHandler(lines)
    logger.setLevel(logging.INFO)
    try:
        worker.run()
    finally:
        logger.removeHandler(lines)


def load_worker(where: str) -> Worker:
    """The worker that ``module:name`` is; raises ``BadParameter``."""
    module_name, _, name = where.partition(":")
    sys.path.insert(0, str(Path.cwd()))
    try:
        found = getattr(importlib.import_module(module_name), name or "worker", None)
    except ImportError as error:
        message = f"{module_name} cannot be imported: {error}"
        raise typer.BadParameter(message) from error
    finally:
        sys.path.pop(0)
    if not isinstance(found, Worker):
        message = f"{where} is no worker."
        raise typer.BadParameter(message)
    return found
