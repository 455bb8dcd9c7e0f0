"""Patterns of ids, as answers show them."""

from typing import Annotated

from pydantic import Field

JOB_ID = "^[a-z2-7]{26}$"
RUN_ID = (
    r"^[a-z2-7]{26}\.(s[0-9]{8}T[0-9]{9}Z"
    r"|t[0-9]{8}T[0-9]{9}Z(-[a-z2-7]{16})?"
    r"|f[0-9]{8}T[0-9]{9}Z-[a-z2-7]{16}"
    r"|d[0-9]{8}T[0-9]{9}Z-[1-9][0-9]{0,2}-[a-z][a-z0-9_-]{0,39}-[0-9]{1,4}"
    r"|n[0-9]{8}T[0-9]{9}Z-(s|t([a-z2-7]{16})?|f[a-z2-7]{16})[0-9]{1,9}-[a-z_]{1,16}-[a-z2-7]{8}"
    r"|n[0-9]{8}T[0-9]{9}Z-r[a-z2-7]{16}-[a-z2-7]{8})$"
)
#: A trace, a span and a flag (W3C, version 00).
TRACEPARENT = "^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$"
#: That of its caller, its parent or its DAG run, or one of its own.
TraceId = Annotated[
    str, Field(pattern="^[0-9a-f]{32}$", description="The trace (W3C) that it belongs to.")
]
