"""Let this process live at another time: the clock of a local cloud, read from a file.

Python imports this module at its start because ``infra.local.cloud`` puts its folder on the path
of the emulator and of every function that the emulator starts. ``time.monotonic`` and sleeps keep
the machine's pace, so that time-outs are real ones.
"""

import os
import threading
import time
from pathlib import Path

#: The file that holds how many seconds the cloud is ahead of this machine.
VARIABLE = "TIMEGATE_CLOUD_CLOCK"
#: The longest time in which a process notices that the clock was set, in seconds.
NOTICED_WITHIN = 0.05


def _live_elsewhere(file: Path) -> None:
    """Shift the clock of this process, now and whenever the file changes."""
    import time_machine  # noqa: PLC0415 - only where the clock is another

    read = file.read_text
    shift = read()
    real_now = time.time
    traveller = time_machine.travel(real_now() + float(shift), tick=True)
    coordinates = traveller.start()
    machine_now = time_machine.escape_hatch.time.time

    def follow() -> None:
        known = shift
        while True:
            time.sleep(NOTICED_WITHIN)
            if (found := read()) != known:
                known = found
                coordinates.move_to(machine_now() + float(found))

    threading.Thread(target=follow, daemon=True, name="cloud-clock").start()


if _file := os.environ.get(VARIABLE):
    _live_elsewhere(Path(_file))
