"""The origin of measurements: the machine, its load, the commit and the day."""

import os
import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any


def origin() -> dict[str, Any]:
    """Return machine, load, commit and day."""
    models = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],  # noqa: S607 - the user's own
        capture_output=True,
        text=True,
        check=False,
    )
    return {
        "machine": f"{len(models)} cores, {models[0] if models else platform.machine()}",
        "python": platform.python_version(),
        "load": round(os.getloadavg()[0], 1),
        "commit": commit.stdout.strip(),
        "date": datetime.now(UTC).date().isoformat(),
    }
