"""What a route is."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel

from api.exchange import Exchange, Reply
from api.routes.scope import Scope


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
    #: What its token must allow, if that is not what its method says.
    asks: Scope | None = None
    #: It asks for no token but the one in its body, which names the tenant and one lease of its.
    by_lease: bool = False
    #: As how many plain requests it counts, by what it costs at most; its body counts besides.
    weight: int = 1
    #: So many bytes of its body count as one request more.
    bytes_for_one: int = 16 * 1024
    #: The function that serves it.
    served_by: Literal["api", "workers"] = "api"

    @property
    def of_stage(self) -> bool:
        """It is about the stage, or the tenant that its path names, and not the token's tenant."""
        return self.asks is Scope.ADMIN

    @property
    def changes(self) -> bool:
        """It changes what its token's tenant has; a suspended tenant may not."""
        return not self.by_lease and self.scope in {Scope.WRITE, Scope.OPERATE}

    @property
    def scope(self) -> Scope:
        """What its token must allow: the gateway asks for it, and so do we."""
        return self.asks or (Scope.READ if self.method == "GET" else Scope.WRITE)
