"""Requests and answers, as the client takes and gives them."""

from collections.abc import Mapping
from dataclasses import field

from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class HttpRequest:
    """One HTTP request on behalf of a tenant."""

    tenant: TenantId
    #: ``http`` or ``https``.
    scheme: str
    host: str
    port: int
    method: str
    #: Path and query.
    target: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)

    @property
    def place(self) -> str:
        """Return how failures name the target: by its own host and port, never by an address."""
        return f"{self.host}:{self.port}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Response:
    """One final HTTP answer, with as much of its body as is read."""

    status: int
    #: By lower-case name; the values of a repeated header are joined by commas.
    headers: Mapping[str, str]
    body: bytes
    #: ``False``: the body was longer than what is read of it.
    is_complete: bool = True

    @property
    def encodings(self) -> tuple[str, ...]:
        """Return how the body is encoded, though the request asked for no encoding."""
        named = self.headers.get("content-encoding", "").split(",")
        encodings = (name.strip().lower() for name in named)
        return tuple(name for name in encodings if name not in {"", "identity"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Destination:
    """Destination of a connection: no two tenants and no two hosts share one."""

    tenant: TenantId
    scheme: str
    host: str
    port: int
    address: str
