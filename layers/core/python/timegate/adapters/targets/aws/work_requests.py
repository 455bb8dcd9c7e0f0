"""Requests that do the work of a run: sent while its call lasts, and again only where they may be.

AWS's client repeats a request that was not answered, which may have been carried out. A worker that
was frozen goes on where it stood, perhaps long after its run has ended.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from typing import TYPE_CHECKING, TypeAlias

from botocore.exceptions import ConnectTimeoutError, EndpointConnectionError

from timegate.adapters.targets.failures import timed_out
from timegate.domain.execution.call import Call
from timegate.value_classes import dataclass

if TYPE_CHECKING:
    from botocore.awsrequest import AWSResponse
    from botocore.client import BaseClient

#: An answer as it was sent, and as it was read; ``None``: there was none.
_Response: TypeAlias = "tuple[AWSResponse, object] | None"
#: Failures before a request was sent.
_UNSENT = (ConnectTimeoutError, EndpointConnectionError)
#: Statuses by which a service says that it did nothing.
_REFUSALS = range(400, 500)


@dataclass(frozen=True, kw_only=True, slots=True)
class SendTerms:
    """Terms of the requests of one call."""

    deadline_at: datetime
    #: No request may be carried out twice.
    once: bool


_TERMS: ContextVar[SendTerms | None] = ContextVar("send_terms", default=None)


@contextmanager
def doing(call: Call, *, is_named: bool = False) -> Iterator[None]:
    """Hold this thread's requests to the terms of a call.

    ``is_named``: AWS carries out no repetition of the request, by a name or a token in it.
    """
    terms = SendTerms(deadline_at=call.deadline_at, once=call.once and not is_named)
    before = _TERMS.set(terms)
    try:
        yield
    finally:
        _TERMS.reset(before)


def sends_once() -> bool:
    """Tell if the request at hand may not be carried out twice."""
    terms = _TERMS.get()
    return terms is not None and terms.once


def hold_to_terms(client: "BaseClient", now: Callable[[], datetime]) -> None:
    """Let a client send no request against the terms of its call."""

    def refuse_late(**_: object) -> None:
        terms = _TERMS.get()
        if terms is not None and now() >= terms.deadline_at:
            raise timed_out("The call ran out of time before its request was sent.")

    def refuse_again(
        *, response: _Response = None, caught_exception: object = None, **_: object
    ) -> bool | None:
        """Return ``False`` where a request may not be repeated; ``None``: the client decides."""
        terms = _TERMS.get()
        if terms is None or (
            now() < terms.deadline_at
            and (not terms.once or _did_nothing(response, caught_exception))
        ):
            return None
        return False

    service = client.meta.service_model.service_id.hyphenize()
    client.meta.events.register_first(f"before-send.{service}", refuse_late)
    # The stubs know no handlers that return anything.
    client.meta.events.register_first(f"needs-retry.{service}", refuse_again)  # type: ignore[arg-type]


def _did_nothing(response: _Response, caught_exception: object) -> bool:
    """Tell if a request that failed cannot have been carried out."""
    if response is None:
        return isinstance(caught_exception, _UNSENT)
    return response[0].status_code in _REFUSALS
