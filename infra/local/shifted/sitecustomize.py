"""Let this process live at another time: the clock of a local cloud, read from a file.

Python imports this module at its start because ``infra.local.cloud`` puts its folder on the path
of the emulator and of every function that the emulator starts. ``time.monotonic`` and sleeps keep
the machine's pace, so that time-outs are real ones.
"""

import mmap
import os
import struct
from pathlib import Path

#: The file that holds the instant at which the cloud lives.
VARIABLE = "TIMEGATE_CLOUD_CLOCK"
#: Contents of the file: the instant at which the clock stands, in nanoseconds since 1970, or 0
#: while it runs; and how many nanoseconds it is ahead of the machine's while it runs.
SETTING = "=qq"


def _live_elsewhere(file: Path) -> None:
    """Read the clock of this process from the file, each time that it is asked."""
    import time_machine  # noqa: PLC0415 - only where the clock is another

    with file.open("rb") as opened:
        shared = mmap.mmap(opened.fileno(), struct.calcsize(SETTING), access=mmap.ACCESS_READ)
    machine_now = time_machine.escape_hatch.time.time_ns

    def time_ns() -> int:
        standing, ahead = struct.unpack_from(SETTING, shared)
        return int(standing) or machine_now() + int(ahead)

    time_machine.travel(0).start().time_ns = time_ns  # type: ignore[method-assign]


if _file := os.environ.get(VARIABLE):
    _live_elsewhere(Path(_file))
