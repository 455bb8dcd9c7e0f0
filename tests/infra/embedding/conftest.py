"""The example app, synthesised in this checkout; workers of one session share what they made."""

import os
from collections.abc import Callable
from fcntl import LOCK_EX, flock
from pathlib import Path

import pytest
from aws_cdk import App

from examples.cdk.app import build
from tests.infra.stage_template import StageTemplate

#: The CDK's command gives the same: the templates then have the path of each construct.
PATHS = {"aws:cdk:enable-path-metadata": True}


def sdk_in(folder: Path) -> Path:
    """Make a folder that stands for the layer of the SDK: a template has nothing but its hash."""
    (folder / "python").mkdir(parents=True)
    (folder / "python" / "sdk.py").write_text("")
    return folder


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Callable[[Path], None]], Path]:
    """Make a folder by its name once in a session."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def made(name: str, make: Callable[[Path], None]) -> Path:
        folder = shared / name
        with (shared / f"{name}.lock").open("w") as lock:
            flock(lock, LOCK_EX)
            if not (folder / "made").exists():
                folder.mkdir(exist_ok=True)
                make(folder)
                (folder / "made").touch()
        return folder

    return made


@pytest.fixture(scope="session")
def example(once: Callable[[str, Callable[[Path], None]], Path]) -> StageTemplate:
    """The example app: a stage that is like ``dev``, and the shop's own stack."""

    def synthesise(folder: Path) -> None:
        app = App(outdir=str(folder / "out"), context=PATHS)
        build(app, sdk=sdk_in(folder / "sdk"))
        app.synth()

    return StageTemplate(once("example", synthesise) / "out")
