"""Declare routes: all that is known of an operation stands at the function that serves it."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, field, replace
from enum import StrEnum
from functools import cache
from types import ModuleType
from typing import Any, Literal, ParamSpec, cast

from pydantic import BaseModel

from api.http.exchange import Exchange, Reply
from api.http.refusals import RouteNotFound
from timegate.domain.limits.request_rate import BYTES_FOR_ONE
from timegate.value_classes import dataclass

Handler = Callable[[Exchange], Reply]
Fields = ParamSpec("Fields")
#: Routes by the function that serves them, in the order of the decorators above it.
_DECLARED: dict[Handler, tuple["Route", ...]] = {}


class Scope(StrEnum):
    """A part of what can be done; none includes another."""

    #: See everything of the tenant; ask what would happen.
    READ = "read"
    #: Define: create, change and cancel jobs, DAGs and calendars.
    WRITE = "write"
    #: Intervene in what is defined: pause, trigger, freeze, backfill, settle dead letters.
    OPERATE = "operate"
    #: Send events, and nothing else: a sender learns what its events met.
    SEND = "send"
    #: Claim runs, and say how they end.
    WORKER = "worker"
    #: Administer the stage: its tenants' settings. No tenant's client can be given it.
    ADMIN = "admin"


def _unserved(_: Exchange) -> Reply:
    """Stand for the function that a decorator is put above."""
    raise RouteNotFound


@dataclass(frozen=True, slots=True)
class Route:
    """A method at a path, the function that serves it, and its description for callers."""

    method: str
    #: Parameters as ``<name>``.
    path: str
    _: KW_ONLY
    operation: str
    #: The type of the body of a success, from which its schema is derived.
    answer: Any
    #: Meaning of each status of success.
    success: Mapping[int, str]
    #: Media type of its success; any other than JSON is text.
    media_type: str = "application/json"
    #: Statuses of success with an answer of their own.
    others: Mapping[int, Any] = field(default_factory=dict)
    #: Statuses of refusals, beside those that every operation can give.
    refusals: tuple[int, ...] = ()
    request_headers: tuple[str, ...] = ()
    answer_headers: tuple[str, ...] = ()
    #: Description of the operation, where a function serves several; else its docstring has it.
    description: str | None = None
    body: type[BaseModel] | None = None
    #: A request may come without one.
    body_is_optional: bool = False
    #: The body may also be text of this media type, as it is.
    text: str | None = None
    #: Media types of its body beside ``application/json``; it is JSON as well.
    also_json: tuple[str, ...] = ()
    query: type[BaseModel] | None = None
    #: Scope that its token needs, if that is not what its method says.
    asks: Scope | None = None
    #: It asks for no token but the one in its body, which names the tenant and one lease of its.
    by_lease: bool = False
    #: It asks for no token: the hook in its path has a key, which has signed the request.
    by_signature: bool = False
    #: It asks for no token: a parameter of its is a link, signed for one approval.
    by_link: bool = False
    #: Makes a page of its answer, for a browser that asks for one.
    page: Callable[[Mapping[str, Any]], str] | None = None
    #: Plain requests that it counts as, by its highest cost; its body counts besides.
    weight: int = 1
    #: So many bytes of its body count as one request more.
    bytes_for_one: int = BYTES_FOR_ONE
    #: The function that serves it.
    served_by: Literal["api", "workers"] = "api"
    serve: Handler = _unserved

    @property
    def of_stage(self) -> bool:
        """It is about the stage, or the tenant that its path names, and not the token's tenant."""
        return self.asks is Scope.ADMIN

    @property
    def asks_no_token(self) -> bool:
        """The gateway lets every caller in; the function checks what the request proves itself."""
        return self.by_lease or self.by_signature or self.by_link

    @property
    def changes(self) -> bool:
        """It changes what its token's tenant has; a suspended tenant may not."""
        return not self.asks_no_token and self.scope in {Scope.WRITE, Scope.OPERATE, Scope.SEND}

    @property
    def is_conditional(self) -> bool:
        """Its answer has a digest as its ``ETag``: it reads, and shows no version or page."""
        has_digest = self.method == "GET" and "ETag" not in self.answer_headers
        return has_digest and self.page is None

    @property
    def scope(self) -> Scope:
        """Scope that its token needs: the gateway asks for it, and so does the function."""
        return self.asks or (Scope.READ if self.method == "GET" else Scope.WRITE)

    @property
    def words(self) -> tuple[str, str]:
        """Summary and description: the first line of the function's docstring, and the rest."""
        summary, _, rest = (inspect.getdoc(self.serve) or "").partition("\n")
        told = " ".join(rest.split()) if self.description is None else self.description
        return summary.rstrip("."), told


def _declaring(make: Callable[Fields, Route]) -> Callable[Fields, Callable[[Handler], Handler]]:
    def declaration(*known: Fields.args, **named: Fields.kwargs) -> Callable[[Handler], Handler]:
        made = make(*known, **named)

        def declare(serve: Handler) -> Handler:
            _DECLARED[serve] = (replace(made, serve=serve), *_DECLARED.get(serve, ()))
            return serve

        return declare

    return declaration


#: Declares that a function serves a method at a path; takes the fields of ``Route``. A function
#: may be declared several times, for several operations.
route = _declaring(Route)


@cache
def routes_of(module: ModuleType) -> tuple[Route, ...]:
    """Return the routes that the functions of a module declare, in the order of the functions."""
    served = (cast("Handler", each) for each in vars(module).values() if inspect.isfunction(each))
    return tuple(
        each
        for serve in served
        if serve.__module__ == module.__name__
        for each in _DECLARED.get(serve, ())
    )
