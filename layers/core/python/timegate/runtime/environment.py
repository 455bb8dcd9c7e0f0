"""Variables and trace header that Lambda gives a function; no other module reads them."""

import gc
import os

from timegate.runtime.variables import Environment


def environment() -> Environment:
    """The variables that settings are read from."""
    return Environment(os.environ)


def trace_header() -> str | None:
    """The X-Ray header Lambda gives each invocation: messages carry it on to the executor."""
    return os.environ.get("_X_AMZN_TRACE_ID")


def pause_collector(function: str) -> None:
    """Collect no garbage while Lambda imports this function's handler.

    Objects that imports make stay: looking through them takes a seventh of a cold start. The
    collector resumes when the handler is made.
    """
    if os.environ.get("_HANDLER", "").startswith(f"{function}."):
        gc.disable()
