"""Instants in the words of a terminal."""

from datetime import datetime

from timegate.cli.showing.presentation import presentation

_ABSENT = "-"


def moment(text: str | None) -> str:
    """An instant to the second, as a column shows it whose heading names the zone.

    The offset tells an hour that a day has twice; ``--wide`` adds the milliseconds.
    """
    if text is None:
        return _ABSENT
    shown = presentation()
    local = shown.local(datetime.fromisoformat(text))
    is_twice = local.utcoffset() != local.replace(fold=1 - local.fold).utcoffset()
    return _written(local, in_full=shown.is_wide) + (f"{local:%z}" if is_twice else "")


def zoned(text: str | None) -> str:
    """An instant with its zone, as a line of facts shows it."""
    if text is None:
        return _ABSENT
    local = presentation().local(datetime.fromisoformat(text))
    return f"{_written(local, in_full=bool(local.microsecond))} {local.tzname()}"


def _written(local: datetime, *, in_full: bool) -> str:
    fraction = f".{local.microsecond // 1000:03}" if in_full else ""
    return f"{local:%Y-%m-%d %H:%M:%S}{fraction}"
