"""The client's operations on dead letters."""

from collections.abc import Mapping

from timegate.client.calling import Calling, Filter, segment
from timegate.client.sending import JsonObject

_PATH = "/v1/dead-letters"


class DeadLetterCalls(Calling):
    """What finds, shows and settles dead letters."""

    def list_dead_letters(self, **filters: Filter) -> JsonObject:
        """A page of dead letters, newest first.

        Filters are ``limit cursor job_id reason error_code``, and ``start end`` as RFC 3339.
        """
        named = {"start": "from", "end": "to"}
        query = {named.get(name, name): value for name, value in filters.items()}
        return self.page(_PATH, query)

    def get_dead_letter(self, run_id: str) -> JsonObject:
        """One, with its job in the version that ran, its payload and every attempt."""
        return self.send("GET", _letter(run_id))

    def redrive_dead_letter(
        self,
        run_id: str,
        request: Mapping[str, object] | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> JsonObject:
        """Try it again; the request may say ``payload``, ``fresh`` and ``note``."""
        headers = _keyed(idempotency_key)
        return self.send("POST", f"{_letter(run_id)}/redrive", body=request, headers=headers)

    def discard_dead_letter(
        self, run_id: str, request: Mapping[str, object] | None = None
    ) -> JsonObject:
        """Let it rest; the request may say ``note``."""
        return self.send("POST", f"{_letter(run_id)}/discard", body=request)

    def redrive_dead_letters(
        self, request: Mapping[str, object], *, idempotency_key: str | None = None
    ) -> JsonObject:
        """Try every one that matches its ``filter`` again; the operation that does it."""
        return self.send("POST", f"{_PATH}/redrive", body=request, headers=_keyed(idempotency_key))

    def discard_dead_letters(
        self, request: Mapping[str, object], *, idempotency_key: str | None = None
    ) -> JsonObject:
        """Let every one that matches its ``filter`` rest; the operation that does it."""
        return self.send("POST", f"{_PATH}/discard", body=request, headers=_keyed(idempotency_key))


def _letter(run_id: str) -> str:
    return f"{_PATH}/{segment(run_id)}"


def _keyed(idempotency_key: str | None) -> dict[str, str]:
    return {} if idempotency_key is None else {"Idempotency-Key": idempotency_key}
