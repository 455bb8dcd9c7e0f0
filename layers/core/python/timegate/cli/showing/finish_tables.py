"""Deadlines and advice, in the words of a terminal."""

from collections.abc import Mapping, Sequence
from typing import Any

from timegate.cli.showing.instants import zoned
from timegate.cli.terminal.wording import plain, span

_OUTLOOKS = {
    "unknown": "no forecast",
    "in_time": "expected in time",
    "will_be_late": "expected too late",
    "met": "met",
    "missed": "missed",
}


def finishing(finish_by: Mapping[str, Any] | None) -> str:
    """The deadline that a job gives its runs."""
    if finish_by is None:
        return plain(None)
    if finish_by["within_seconds"] is not None:
        return f"within {finish_by['within_seconds']} s of the instant"
    zone = finish_by["timezone"]
    return plain(f"{finish_by['time']} {zone}" if zone else f"{finish_by['time']}, schedule's zone")


def deadline(finish: Mapping[str, Any] | None) -> str:
    """The deadline of a run, and how the run stands to it."""
    if finish is None:
        return plain(None)
    told = f"{zoned(finish['at'])}, {_OUTLOOKS.get(finish['outlook'], finish['outlook'])}"
    margin = finish["margin_ms"]
    if margin is None:
        return plain(told)
    return f"{plain(told)}, {span(abs(margin))} {'to spare' if margin >= 0 else 'too late'}"


def advised(advice: Sequence[Mapping[str, Any]] | None) -> str:
    """Every piece of advice, one a line."""
    lines = [plain(f"{each['field']}: {each['detail']} ({each['code']})") for each in advice or ()]
    return "\n".join(lines) or plain(None)
