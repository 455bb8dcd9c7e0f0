"""Every error the client raises on purpose.

ClientError
├── ProblemError         the API answered, and refused
│   ├── InvalidRequest   400, 422: ``errors`` names the fields
│   ├── NotAllowed       401, 403: the token is none, or allows something else
│   ├── NotFound         404: the tenant has nothing of this id
│   ├── Conflict         409: as things are, it cannot be done
│   ├── VersionMismatch  412: another caller has changed it meanwhile
│   ├── TooManyRequests  429: a limit is reached, for ``retry_after_seconds``
│   └── ServiceFailed    5xx: the API's fault; ``request_id`` is what to report
├── NotConnectable       the environment's proxies or certificates cannot be used
├── NotReachable         no server answered
├── NotUnderstood        the server that answered is not Timegate
├── NotSendable          no request can carry a value of the call
├── CredentialsError     there is no usable profile or token
├── RunNotEnded          the run that was waited for goes on
└── RunNotSucceeded      the run that was waited for has failed: ``run`` is its record
"""

from collections.abc import Mapping, Sequence
from typing import Any

from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class FieldProblem:
    """One thing wrong with one field of a request."""

    field: str
    code: str
    detail: str


class ClientError(Exception):
    """A call that did not succeed; ``code`` is stable, ``detail`` is for people."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail

    def __reduce__(self) -> Any:  # noqa: ANN401 - as object has it
        """Write it for another process; read, it is not made anew out of its message."""
        return _made, (type(self), self.args), vars(self)


def _made(kind: type[ClientError], args: tuple[object, ...]) -> ClientError:
    return kind.__new__(kind, *args)


class ProblemError(ClientError):
    """The API answered, and refused."""

    def __init__(
        self,
        *,
        status: int,
        code: str,
        detail: str,
        title: str = "",
        errors: Sequence[FieldProblem] = (),
        request_id: str | None = None,
        retry_after_seconds: float | None = None,
    ) -> None:
        super().__init__(code, detail)
        self.status = status
        self.title = title
        self.errors = tuple(errors)
        #: Id by which the people who run the stage find the request.
        self.request_id = request_id
        #: How long the API asks to be left alone; ``None`` when it does not.
        self.retry_after_seconds = retry_after_seconds


def with_detail(error: ProblemError, detail: str) -> ProblemError:
    """Return the same refusal with other words for people."""
    return type(error)(
        status=error.status,
        code=error.code,
        detail=detail,
        title=error.title,
        errors=error.errors,
        request_id=error.request_id,
        retry_after_seconds=error.retry_after_seconds,
    )


class InvalidRequest(ProblemError):
    """400 or 422: something is wrong with the request; ``errors`` names the fields."""


class NotAllowed(ProblemError):
    """401 or 403: the token is none, or does not allow this."""


class NotFound(ProblemError):
    """404: the tenant has nothing of this id."""


class Conflict(ProblemError):
    """409: as things are, it cannot be done."""


class VersionMismatch(ProblemError):
    """412: it does not have the version that was asked for; another caller has changed it."""


class TooManyRequests(ProblemError):
    """429: a limit is reached, for ``retry_after_seconds``."""


class ServiceFailed(ProblemError):
    """5xx: the API's fault; those who run the stage find it by ``request_id``."""


class NotConnectable(ClientError):
    """Proxies or certificates that the environment names cannot be used; nothing was sent."""

    def __init__(self, why: str) -> None:
        detail = (
            "The environment names a proxy or certificates that cannot be used (HTTPS_PROXY,"
            f" HTTP_PROXY, ALL_PROXY, NO_PROXY, SSL_CERT_FILE, SSL_CERT_DIR): {why}"
        )
        super().__init__("not_connectable", detail)


class NotReachable(ClientError):
    """The API did not answer."""

    def __init__(self, url: str, why: str, *, may_have_arrived: bool = True) -> None:
        super().__init__("not_reachable", f"{url} does not answer: {why}")
        self.url = url
        #: False: nothing has happened. True: the call may have been carried out all the same.
        self.may_have_arrived = may_have_arrived


class NotUnderstood(ClientError):
    """The answer is not Timegate's."""

    def __init__(self, why: str) -> None:
        super().__init__("not_understood", f"The answer is not Timegate's: {why}.")


class NotSendable(ClientError):
    """No request can carry the call: one of its values, or a closed client; nothing was sent."""

    def __init__(self, why: str) -> None:
        super().__init__("not_sendable", f"No request can carry the call: {why}.")


class CredentialsError(ClientError):
    """No profile or token can be used; ``code`` says which."""

    def __init__(self, code: str, detail: str, *, may_pass: bool = False) -> None:
        super().__init__(code, detail)
        #: The token endpoint is at fault or in a hurry; the call itself was not sent.
        self.may_pass = may_pass


def field_problems(listed: object) -> tuple[FieldProblem, ...]:
    """The member ``errors`` of a problem; what does not look like one is left out."""
    members = listed if isinstance(listed, list) else []
    return tuple(
        FieldProblem(
            field=str(member.get("field", "")),
            code=str(member.get("code", "")),
            detail=str(member.get("detail", "")),
        )
        for member in members
        if isinstance(member, Mapping)
    )
