"""Search for the one job, or DAG, that has a name."""

import re
from collections.abc import Iterator
from itertools import count
from typing import Any

from timegate.cli.lengthening import searching
from timegate.cli.lengthening.references import Reference
from timegate.cli.lengthening.searching import Found, NotAllSearched, NotUnique, Send
from timegate.client.calling import page
from timegate.client.errors import NotFound, ProblemError

#: Kinds whose names may repeat.
_NAMED = {"jobs": "job_id", "dags": "dag_id"}
_WHOLE_ID = re.compile(r"[a-z2-7]{26}")
#: A DAG's own job, and the beginning of names.
_OTHER_MEANING = re.compile(r"dag:.*|.*\*")
#: Ends of a thing that nothing begins again.
_ENDED = {"cancelled", "deleted"}
_REFUSED = {"jobs": ("job_not_found", "job"), "dags": ("dag_not_found", "DAG")}
_UNKNOWN = {code for code, _ in _REFUSED.values()}
_UNKNOWN_FIELDS = {"unknown_job", "invalid_format"}


def says_unknown(error: ProblemError) -> bool:
    """Tell if a refusal says that the tenant has no such job or DAG."""
    return error.code in _UNKNOWN or any(
        each.code in _UNKNOWN_FIELDS and each.field.rpartition(".")[2] in _NAMED.values()
        for each in error.errors
    )


def may_be_name(reference: Reference) -> bool:
    """Tell if a word may be the name of a job or DAG."""
    is_other = _WHOLE_ID.fullmatch(reference.text) or _OTHER_MEANING.fullmatch(reference.text)
    return reference.collection in _NAMED and is_other is None


def no_such(reference: Reference) -> NotFound:
    """Return the refusal of a name that nothing has, in the API's words."""
    code, kind = _REFUSED[reference.collection]
    return NotFound(status=404, code=code, detail=f"There is no {kind} {reference.text}.")


def id_of_name(reference: Reference, send: Send) -> str | None:
    """Return the id of what is called so; ``None`` for none.

    Raises ``NotUnique`` for several, and ``NotAllSearched`` where more than are read have the name.
    """
    name, field = reference.text, _NAMED[reference.collection]
    found: Found = {}
    is_complete = True
    for row in _rows(reference, send):
        if row is None:
            is_complete = False
        elif row["name"] == name and row["status"] not in _ENDED:
            found[row[field]] = row["status"]
    if len(found) > 1:
        detail = f"{len(found)} {reference.collection} are called {name}: give the id of one."
        raise NotUnique("ambiguous_name", detail, found)
    if not is_complete:
        raise NotAllSearched(name, f"{reference.collection} that are or were called so")
    return next(iter(found), None)


def _rows(reference: Reference, send: Send) -> Iterator[dict[str, Any] | None]:
    """Jobs of the name, found by an index; all DAGs, of which a quota leaves few.

    ``None`` where jobs go on after the last page that is read.
    """
    of_jobs = reference.collection == "jobs"
    query = {"name": reference.text} if of_jobs else {}
    cursor: str | None = None
    for _ in range(searching.MOST_PAGES) if of_jobs else count():
        path = f"/v1/{reference.collection}"
        found = send(page(path, {**query, "limit": 100, "cursor": cursor}))
        yield from found["items"]
        cursor = found["next_cursor"]
        if cursor is None:
            return
    yield None
