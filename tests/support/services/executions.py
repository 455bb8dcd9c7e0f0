"""Limits on executions of Step Functions, as the documentation of AWS has them.

https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html
"""

import json
import re

from tests.support.services.limit_exceeded import refuse_above, refuse_unless

#: Input or result of a state, a task or an execution.
MAX_DATA_BYTES = 256 * 1024
MAX_NAME, MAX_CAUSE = 80, 32_768
#: Names that CloudWatch keeps logs under.
_NAME = re.compile(r"[A-Za-z0-9_-]+")


def check_data(data: object) -> None:
    """Refuse data that a state fails for, whatever it catches."""
    size = len(json.dumps(data, ensure_ascii=False).encode())
    refuse_above("the bytes of a state's data", size, MAX_DATA_BYTES)


def check_name(name: str) -> None:
    """Refuse a name that an execution cannot have."""
    refuse_above("the characters of a name", len(name), MAX_NAME, least=1)
    refuse_unless(f"the name {name}", _NAME.fullmatch(name))


def check_cause(cause: str) -> None:
    """Refuse a cause that a task cannot fail with."""
    refuse_above("the bytes of a cause", len(cause.encode()), MAX_CAUSE)
