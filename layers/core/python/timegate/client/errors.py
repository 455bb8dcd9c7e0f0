"""Every error the client raises on purpose.

ClientError
├── ProblemError         the API answered, and refused
├── NotReachable         nobody answered
├── NotUnderstood        whoever answered is not Timegate
└── CredentialsError     there is no usable profile or token
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


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
        #: What the people who run the stage find the request by.
        self.request_id = request_id
        #: How long the API asks to be left alone; ``None`` when it does not.
        self.retry_after_seconds = retry_after_seconds


class NotReachable(ClientError):
    """Nobody answered."""

    def __init__(self, url: str, why: str) -> None:
        super().__init__("not_reachable", f"{url} does not answer: {why}")


class NotUnderstood(ClientError):
    """Whoever answered is not Timegate."""

    def __init__(self, why: str) -> None:
        super().__init__("not_understood", f"The answer is not Timegate's: {why}.")


class CredentialsError(ClientError):
    """There is no usable profile or token; ``code`` says which."""


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
