"""The clock of a local cloud that lives at another time than this machine.

The emulator and every function read it (``shifted/sitecustomize.py``). It shows the machine's time,
runs on from a later instant, or stands at one: then the load of the machine makes nothing late. AWS
has nothing like it; ``docs/operations/local-cloud.md`` says so.
"""

import struct
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Self

from infra.local.shifted.sitecustomize import SETTING, VARIABLE

_SHIFTED = Path(__file__).with_name("shifted")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True)
class CloudClock:
    """A file that tells processes at which instant they live."""

    file: Path

    @classmethod
    def running(cls, file: Path) -> Self:
        """A clock that shows the machine's time."""
        file.write_bytes(struct.pack(SETTING, 0, 0))
        return cls(file)

    @property
    def environment(self) -> dict[str, str]:
        """The variables under which a Python process lives by this clock."""
        return {VARIABLE: str(self.file), "PYTHONPATH": str(_SHIFTED)}

    def now(self) -> datetime:
        """The instant that the cloud's processes read, aware UTC."""
        standing, ahead = struct.unpack(SETTING, self.file.read_bytes())
        if not standing:
            return datetime.now(UTC) + int(ahead) // 1000 * _MICROSECOND
        return _EPOCH + int(standing) // 1000 * _MICROSECOND

    def set(self, instant: datetime) -> None:
        """Let the clock stand at ``instant``; every process reads it from now on.

        Set it back only while nothing is stored that is younger. Deploy before it is set: the CDK
        CLI waits for events of its own present.
        """
        self._write(standing=instant - _EPOCH)

    def jump_to(self, instant: datetime) -> None:
        """Let the clock run on from a later instant; one that has passed changes nothing."""
        if instant > self.now():
            self._write(ahead=instant - datetime.now(UTC))

    def _write(self, *, standing: timedelta = timedelta(), ahead: timedelta = timedelta()) -> None:
        setting = (each // _MICROSECOND * 1000 for each in (standing, ahead))
        # Processes have mapped the file: it keeps its length, and changes by one write.
        with self.file.open("r+b", buffering=0) as file:
            file.write(struct.pack(SETTING, *setting))
