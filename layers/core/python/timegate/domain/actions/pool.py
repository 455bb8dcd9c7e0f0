"""Worker pools: where runs are offered to programs that come and ask for work."""

import re

from timegate.domain.values.errors import InvalidInput
from timegate.value_classes import dataclass

#: Same form as calendars' names, which stand in paths and keys.
POOL_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
#: Name of a handler in a worker's program.
HANDLER_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Offer:
    """The pool that offers a run, and the handler for it."""

    pool: str
    #: Which of a worker's handlers does it.
    handler: str


def check_pool_name(pool: str, field: str) -> None:
    """Refuse what no pool can be called; raises ``InvalidInput`` naming the field."""
    if not POOL_NAME.fullmatch(pool):
        detail = "A pool's name has 1 to 64 letters a to z, digits and dashes."
        raise InvalidInput(field, "invalid_format", detail)


def check_handler_name(handler: str, field: str) -> None:
    """Refuse what no handler can be called; raises ``InvalidInput`` naming the field."""
    if not HANDLER_NAME.fullmatch(handler):
        detail = "A handler's name has 1 to 64 letters, digits, dots, dashes and underscores."
        raise InvalidInput(field, "invalid_format", detail)
