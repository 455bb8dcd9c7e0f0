"""The client's operations on dead letters."""

from timegate.client.calling import ApiCall, PageCall, change, get, job_filter, keyed, page, segment
from timegate.client.operation import listing, operation
from timegate.client.schemas import (
    DeadLetter,
    DeadLetterPage,
    DeadLetterRow,
    Discard,
    DiscardMany,
    Operation,
    Redrive,
    RedriveMany,
    Run,
)
from timegate.client.sending import Calls

_PATH = "/v1/dead-letters"


class DeadLetterCalls(Calls):
    """Operations that find, show and settle dead letters."""

    @listing
    def list_dead_letters(
        self,
        *,
        job_id: str | None = None,
        reason: str | None = None,
        error_code: str | None = None,
        start: str | None = None,
        end: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> PageCall[DeadLetterPage, DeadLetterRow]:
        """A page of dead letters, newest first; ``start`` and ``end`` as RFC 3339."""
        which = {"job_id": job_filter(job_id), "reason": reason, "error_code": error_code}
        when = {"from": start, "to": end}
        return page(_PATH, {"limit": limit, "cursor": cursor, **which, **when})

    @operation
    def get_dead_letter(self, run_id: str) -> ApiCall[DeadLetter]:
        """One, with its job in the version that ran, its payload and every attempt."""
        return get(_letter(run_id))

    @operation
    def redrive_dead_letter(
        self, run_id: str, request: Redrive | None = None, *, idempotency_key: str | None = None
    ) -> ApiCall[Run]:
        """Try it again; the request may say ``payload``, ``fresh`` and ``note``."""
        return keyed(f"{_letter(run_id)}/redrive", request, idempotency_key)

    @operation
    def discard_dead_letter(self, run_id: str, request: Discard | None = None) -> ApiCall[Run]:
        """Let it rest; the request may say ``note``."""
        return change("POST", f"{_letter(run_id)}/discard", body=request)

    @operation
    def redrive_dead_letters(
        self, request: RedriveMany, *, idempotency_key: str | None = None
    ) -> ApiCall[Operation]:
        """Try every one that matches its ``filter`` again; the operation that does it."""
        return keyed(f"{_PATH}/redrive", request, idempotency_key)

    @operation
    def discard_dead_letters(
        self, request: DiscardMany, *, idempotency_key: str | None = None
    ) -> ApiCall[Operation]:
        """Let every one that matches its ``filter`` rest; the operation that does it."""
        return keyed(f"{_PATH}/discard", request, idempotency_key)


def _letter(run_id: str) -> str:
    return f"{_PATH}/{segment(run_id)}"
