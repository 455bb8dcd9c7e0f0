"""Generated modules, written as the repository's others."""

import subprocess
import sys


def formatted(code: str, name: str) -> str:
    """Format a module's code; raises ``CalledProcessError`` for what is no Python."""
    formatter = [sys.executable, "-m", "ruff", "format", "--stdin-filename", name, "-"]
    done = subprocess.run(  # noqa: S603 - this interpreter, and no word of a user's
        formatter, input=code, capture_output=True, text=True, check=True
    )
    return done.stdout
