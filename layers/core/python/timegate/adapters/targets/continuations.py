"""Orders to go on: how a target says in its answer that there is more to do."""

import json
from collections.abc import Mapping
from typing import Any

from timegate.adapters.targets.failures import permanent
from timegate.domain.jobs.slices import MAX_DELAY_SECONDS, Continuation
from timegate.domain.runs.checkpoint import MAX_CHECKPOINT_BYTES
from timegate.domain.values.payload import json_text

#: Header of a web hook's answer: seconds until the next slice; its body is the checkpoint.
CONTINUE_HEADER = "timegate-continue"
#: No order is looked for in a longer answer: the largest checkpoint with each letter escaped, and
#: what comes with it. Reading 6 MB of small lists, which a function may answer, takes 200 MB and
#: a second, in which no other call of the process goes on.
MAX_ORDER_CHARACTERS = 3 * MAX_CHECKPOINT_BYTES + 8_192
_FIELDS = frozenset({"checkpoint", "delay_seconds", "progress"})
_PROGRESS_FIELDS = frozenset({"percent", "message"})
#: Some programs begin a text in UTF-8 with a byte order mark, which JSON does not have.
_MARK = "\ufeff"


def continuation_in(text: str) -> Continuation | None:
    """Read the order to continue in a JSON answer; ``None``: the run is done.

    Raises ``TargetFailed`` for one that means to order, and cannot be understood: the work that is
    left must not be lost.
    """
    text = text.removeprefix(_MARK)
    if '"timegate"' not in text or not text.lstrip().startswith("{"):
        return None
    try:
        answer = _read(text)
    except ValueError as error:
        if '"continue"' not in text:
            return None
        raise _refused("It is no JSON, or too long.") from error
    order = answer.get("timegate")
    wanted = order.get("continue", False) if isinstance(order, dict) else False
    if wanted is False:
        return None
    return _continuation({} if wanted is True else wanted)


def continuation_under(header: str, text: str) -> Continuation:
    """Read the order to continue in a web hook's header; raises ``TargetFailed``."""
    try:
        delay, text = float(header), text.removeprefix(_MARK)
        checkpoint = _written(_read(text)) if text.strip() else None
    except ValueError as error:
        detail = "The header is a number of seconds, and the body JSON or empty."
        raise _refused(detail) from error
    return Continuation(checkpoint=checkpoint, delay_seconds=_delay(delay))


def _read(text: str) -> Any:  # noqa: ANN401 - any JSON
    """Read JSON; raises ``ValueError`` for what is none, is too long, or is nested without end."""
    if len(text) > MAX_ORDER_CHARACTERS:
        raise ValueError("too long")
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _continuation(order: object) -> Continuation:
    if not isinstance(order, dict) or not order.keys() <= _FIELDS:
        raise _refused(f"It is true, or an object of {', '.join(sorted(_FIELDS))}.")
    # All of it is stored: what no store takes is refused here.
    _written(order)
    said = order.get("progress") or {}
    if not isinstance(said, dict) or not said.keys() <= _PROGRESS_FIELDS:
        raise _refused("Progress is an object of percent and message.")
    return Continuation(
        checkpoint=_checkpoint(order),
        delay_seconds=_delay(order.get("delay_seconds", 0)),
        **_progress(said),
    )


def _checkpoint(order: Mapping[str, object]) -> str | None:
    """Null is a checkpoint that says null; one that is not given leaves the last one as it is."""
    return _written(order["checkpoint"]) if "checkpoint" in order else None


def _written(value: object) -> str:
    """Write a value; raises ``TargetFailed`` for NaN, 1e999 and half a surrogate pair."""
    try:
        text = json_text(value)
        text.encode()
    except (ValueError, RecursionError) as error:
        detail = "It has a number that JSON does not, half a surrogate pair, or too many levels."
        raise _refused(detail) from error
    return text


def _delay(seconds: object) -> float:
    number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if not number or not 0 <= seconds <= MAX_DELAY_SECONDS:  # type: ignore[operator]
        raise _refused(f"The delay is from 0 to {MAX_DELAY_SECONDS} seconds.")
    return float(seconds)  # type: ignore[arg-type]


def _progress(said: Mapping[str, object]) -> dict[str, Any]:
    percent, message = said.get("percent"), said.get("message")
    is_number = isinstance(percent, int | float) and not isinstance(percent, bool)
    if not (percent is None or is_number) or not (message is None or isinstance(message, str)):
        raise _refused("Progress is a percentage, a line of text, or both.")
    return {"percent": percent, "message": message}


def _refused(detail: str) -> Exception:
    return permanent("invalid_continue", "Continuation", f"The order to go on is invalid. {detail}")
