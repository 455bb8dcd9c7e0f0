"""Variables and trace header that Lambda gives a function; no other module reads them."""

import os

from timegate.runtime.variables import Environment


def environment() -> Environment:
    """The variables that settings are read from."""
    return Environment(os.environ)


def trace_header() -> str | None:
    """The X-Ray header Lambda gives each invocation: messages carry it on to the executor."""
    return os.environ.get("_X_AMZN_TRACE_ID")
