"""Worker pools: where runs are offered to programs that come and ask for work."""

import re
from dataclasses import dataclass

#: As calendars are named: what stands in paths and keys.
POOL_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
#: What a worker's program calls what it can do.
HANDLER_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Offer:
    """The pool that offers a run, and the handler for it."""

    pool: str
    #: Which of a worker's handlers does it.
    handler: str
