"""Traces: which share of those that a stage begins is recorded."""

import re
from collections.abc import Callable

_PERCENT = re.compile(r"\d{1,3}(\.\d{1,2})?")
_ALL = 100


class TracingError(ValueError):
    """The context says of traces what cannot be."""


def trace_percent(context: Callable[[str], object], default: float) -> float:
    """Read ``tracePercent``, from 0 to 100 with two decimals at most; raises ``TracingError``."""
    given = context("tracePercent")
    if given in (None, ""):
        return default
    # ``cdk.json`` may say it as a number.
    text = str(given)
    if not _PERCENT.fullmatch(text) or float(text) > _ALL:
        raise TracingError(
            f"tracePercent: {text!r} is no percent from 0 to {_ALL} with two decimals at most"
        )
    return float(text)
