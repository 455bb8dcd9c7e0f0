"""Time zone and width of what a command shows to people; data for programs know neither."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from timegate.value_classes import dataclass

_LOCALTIME = Path("/etc/localtime")
_ZONES = "zoneinfo/"
#: Keys of zones that are UTC by another name.
_UTC_KEYS = {"UTC", "Etc/UTC", "Etc/UCT", "UCT", "Zulu", "Etc/Zulu", "Universal", "Etc/Universal"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Presentation:
    """The zone of times, and whether tables show everything."""

    #: ``None`` is the zone of a machine that does not name it: the C library knows it.
    zone: tzinfo | None = UTC
    is_wide: bool = False

    def local(self, instant: datetime) -> datetime:
        """Return an instant in the zone."""
        return instant.astimezone(self.zone)

    @property
    def zone_label(self) -> str:
        """Name the zone in a column's heading: UTC, Berlin, or local."""
        if isinstance(self.zone, ZoneInfo):
            return self.zone.key.rpartition("/")[2].replace("_", " ")
        return "UTC" if self.zone is UTC else "local"


_PRESENTATION: ContextVar[Presentation] = ContextVar("timegate_presentation")
_DEFAULT = Presentation()


def presentation() -> Presentation:
    """Return the presentation of the running command."""
    return _PRESENTATION.get(_DEFAULT)


@contextmanager
def presented(chosen: Presentation) -> Iterator[None]:
    """Show things so for a while."""
    token = _PRESENTATION.set(chosen)
    try:
        yield
    finally:
        _PRESENTATION.reset(token)


def local_zone(environ: Mapping[str, str] = os.environ, link: Path = _LOCALTIME) -> tzinfo | None:
    """Return this machine's time zone: that of ``TZ``, or else the one it is set to."""
    key = environ.get("TZ", "").removeprefix(":") or _key_of(link)
    if key in _UTC_KEYS:
        return UTC
    try:
        return ZoneInfo(key) if key else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def _key_of(link: Path) -> str:
    try:
        return str(link.readlink()).rpartition(_ZONES)[2] if link.is_symlink() else ""
    except OSError:
        return ""
