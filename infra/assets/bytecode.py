"""Bytecode for functions: written when a layer or function is built, with the target's Python.

A function cannot keep bytecode between cold starts: its files are read-only. Without bytecode each
cold start compiles what it imports (docs/decisions/0054).
"""

import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from infra.stage.settings import VendorPlatform

UV = (sys.executable, "-m", "uv")


@cache
def interpreter(target: VendorPlatform) -> str | None:
    """The interpreter on this machine that writes bytecode for the target, if there is one."""
    if target.python is None:
        return sys.executable
    command = [*UV, "python", "find", "--no-project", target.python]
    done = subprocess.run(  # noqa: S603 - our own uv
        command, capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or None


def flavour(target: VendorPlatform) -> str:
    """Return the lines that bytecode adds to the identity of what is built for a target."""
    python = target.python or f"{sys.version_info.major}.{sys.version_info.minor}"
    return f"{python}\n{'compiled' if interpreter(target) else 'sources alone'}"


def write_bytecode(target: VendorPlatform, root: Path, *, what: str, mounted: str) -> None:
    """Write bytecode beside every source, valid whatever time stamps unpacked files have.

    ``mounted``: where Lambda unpacks ``root``. ``what`` is built without, and a line says so, if
    the target's interpreter is missing.
    """
    compiler = interpreter(target)
    if compiler is None:
        sys.stderr.write(
            f"The {what} built without bytecode, as Python {target.python} is not found:"
            f" run `uv python install {target.python}` to shorten cold starts.\n"
        )
        return
    command = [compiler, "-I", "-m", "compileall", "-q", "-j", "0"]
    command += ["--invalidation-mode", "unchecked-hash"]
    # The bytecode names the file as Lambda finds it: the same wherever it is built.
    command += ["-s", str(root), "-p", mounted, str(root)]
    subprocess.run(command, check=True)  # noqa: S603 - see above


def publish(finished: Path, built: Path) -> None:
    """Move a whole directory into place, so that no other synth ever sees half of it."""
    staged = finished.with_suffix(".done")
    shutil.copytree(finished, staged)
    try:
        staged.rename(built)
    except OSError:
        shutil.rmtree(staged)
        if not built.exists():
            raise
