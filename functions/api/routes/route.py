"""What a route is."""

from collections.abc import Callable
from dataclasses import dataclass

from pydantic import BaseModel

from api.exchange import Exchange, Reply


@dataclass(frozen=True, kw_only=True, slots=True)
class Route:
    """A method at a path, and the function that serves it."""

    method: str
    #: Parameters as ``<name>``.
    path: str
    serve: Callable[[Exchange], Reply]
    operation: str
    body: type[BaseModel] | None = None
    #: A request may come without one.
    body_is_optional: bool = False
    #: The body may also be text of this media type, as it is.
    text: str | None = None
    query: type[BaseModel] | None = None
    #: What its token must allow; ``None``: what the method says (``infra/constructs/job_api.py``).
    scope: str | None = None
