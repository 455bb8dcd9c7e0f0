"""The clock of a local cloud that lives at another time than this machine.

The emulator and every function read it (``shifted/sitecustomize.py``), so that days of a schedule
pass in seconds on the deployed stack. AWS has nothing like it; ``docs/local-cloud.md`` says so.
"""

import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Self

from infra.local.shifted.sitecustomize import NOTICED_WITHIN, VARIABLE

_SHIFTED = Path(__file__).with_name("shifted")


@dataclass(frozen=True)
class CloudClock:
    """A file that tells processes how many seconds they are ahead of this machine."""

    file: Path

    @classmethod
    def at(cls, instant: datetime, file: Path) -> Self:
        """A clock that shows ``instant`` now and runs on from there."""
        clock = cls(file)
        clock._write(instant)
        return clock

    @property
    def environment(self) -> dict[str, str]:
        """The variables under which a Python process lives by this clock."""
        return {VARIABLE: str(self.file), "PYTHONPATH": str(_SHIFTED)}

    def now(self) -> datetime:
        """The instant that the cloud's processes read, aware UTC."""
        return datetime.now(UTC) + timedelta(seconds=float(self.file.read_text()))

    def set(self, instant: datetime) -> None:
        """Set the clock and wait until every process has noticed.

        Set it back only while nothing is stored that is younger: a deployment, for one, has to be
        made at the machine's time, for the CDK CLI waits for events of its own present.
        """
        self._write(instant)
        time.sleep(2 * NOTICED_WITHIN)

    def jump_to(self, instant: datetime) -> None:
        """Set the clock to a later instant; one that has passed already changes nothing."""
        if instant > self.now():
            self.set(instant)

    def _write(self, instant: datetime) -> None:
        shift = (instant - datetime.now(UTC)).total_seconds()
        complete = self.file.with_suffix(".new")
        complete.write_text(str(shift))
        complete.replace(self.file)
