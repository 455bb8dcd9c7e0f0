"""Commands that need Node.js say so where it is missing or too old, before they do anything."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from infra.local.deployment import ROOT

COMMANDS = ["console", "deploy", "install", "synth"]
MAKE = shutil.which("make") or "make"


def made(command: str, path: Path) -> tuple[int, str]:
    """Exit status and complaint of a command, of a machine whose programs are all in ``path``."""
    done = subprocess.run(
        [MAKE, "--no-print-directory", command],
        cwd=ROOT,
        # make's messages to the makes that it calls are not meant for this one.
        env={**os.environ, "PATH": str(path), "MAKEFLAGS": "", "MAKELEVEL": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr


def node_of(folder: Path, status: int) -> Path:
    """A folder with a Node.js that answers the question after its version so."""
    program = folder / "node"
    program.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo v18.20.0\nexit {status}\n')
    program.chmod(0o755)
    return folder


@pytest.mark.parametrize("command", COMMANDS)
def test_a_machine_without_node_is_told_so(command: str, tmp_path: Path) -> None:
    """By name and version, and nothing is built."""
    status, said = made(command, tmp_path)

    assert status != 0
    assert "by Node.js 20 or later. It is not on the PATH." in said


@pytest.mark.parametrize("command", COMMANDS)
def test_a_version_that_is_too_old_is_named(command: str, tmp_path: Path) -> None:
    """One that says itself that it is older than 20."""
    status, said = made(command, node_of(tmp_path, 1))

    assert status != 0
    assert "by Node.js 20 or later. This is v18.20.0." in said


def test_the_version_of_this_machine_is_passed_by() -> None:
    """It synthesises and builds what other tests look at."""
    installed = shutil.which("node")
    assert installed is not None
    status, said = made("node", Path(installed).parent)

    assert status == 0
    assert "Node.js" not in said
