"""Repeated creations: their idempotency key finds what the set made under a name before."""

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from timegate.client import ClientError, Conflict
from timegate.declaring.known_names import TAG

_ENDED = {"cancelled", "deleted"}
_OTHER_BODY = "idempotency_conflict"


class TagLost(ClientError):
    """The set made a job or DAG under a name, and it goes on without the set's tag."""

    def __init__(self, key: str, files: str, its_id: str | None) -> None:
        known = "look for it by its name" if its_id is None else f"it is {its_id}"
        detail = (
            f"{key} was made before, and has no longer its tag; {known}. Give it the tag"
            f" {TAG}={files} again, or declare another name."
        )
        super().__init__("tag_lost", detail)


def created(
    create: Callable[[str], Mapping[str, Any]], key: str, *, files: str, ended: str
) -> Mapping[str, Any]:
    """Make what ``key`` declares, by a function of an idempotency key; twice makes it once.

    ``ended`` is the id of the last one of the name. Raises ``TagLost`` where another one goes on
    that the set made, and no longer finds: it is neither made again nor taken for a new one.
    """
    while True:
        try:
            made = create(_idempotency_key(files, key, ended))
        except Conflict as refused:
            if refused.code != _OTHER_BODY:
                raise
            raise TagLost(key, files, None) from refused
        its_id = made["dag_id"] if "dag_id" in made else made["job_id"]
        if made["status"] not in _ENDED:
            if made["tags"].get(TAG) != files:
                raise TagLost(key, files, its_id)
            return made
        ended = str(its_id)


def _idempotency_key(files: str, key: str, ended: str) -> str:
    """The same for every caller who applies it; another one once what it made has ended."""
    name = f"{files}\n{key}\n{ended}"
    return f"apply:{sha256(name.encode()).hexdigest()}"
