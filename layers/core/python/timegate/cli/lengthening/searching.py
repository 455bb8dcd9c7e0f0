"""Search for what has an id that begins with a word."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from timegate.cli.lengthening.references import Reference
from timegate.client.calling import ApiCall, get, page
from timegate.client.errors import ClientError

#: Pages of 100 that a search reads; a word of eight letters needs no more to be sure.
MOST_PAGES = 50
#: Fewer letters, such as a job's key that is misspelt, are too likely the beginning of some id.
FEWEST_LETTERS = 6
#: With so many letters no two ids are alike.
_SURE_LETTERS = 8
#: Collections whose ids are letters; the others have names, which are given whole.
_LETTERED = frozenset({"jobs", "dags", "dag-runs", "operations"})
_LETTERS = re.compile(rf"[a-z2-7]{{{FEWEST_LETTERS},25}}")
_FREEZE = re.compile(rf"\d{{{FEWEST_LETTERS},8}}(?:T[\dZa-f-]*)?")
_RUN = re.compile(rf"([a-z2-7]{{{FEWEST_LETTERS},26}})\.([a-z])(\d{{8}})(?:T(\d{{0,9}})(.*))?")
_WHOLE_RUN = re.compile(r"[a-z2-7]{26}\.[a-z]\d{8}T\d{9}Z.*")
_ID_LETTERS = 26
_TASK = "d"
#: Digits of whole hours, minutes and seconds, and the range that each leaves open.
_OPEN = {0: "00:00:00.000/23:59:59.999", 2: ":00:00.000/:59:59.999", 4: ":00.000/:59.999"}

Send = Callable[[ApiCall[Any]], Any]
#: Ids, and what each is called.
Found = dict[str, str]


class NotUnique(ClientError):
    """A word means several things; ``candidates`` are their ids."""

    def __init__(self, code: str, detail: str, candidates: Found) -> None:
        super().__init__(code, detail)
        self.candidates = candidates


class TooMany(ClientError):
    """A search ended before the listing did, and its word is too short to be sure."""

    def __init__(self, text: str) -> None:
        most = 100 * MOST_PAGES
        detail = f"{text} was searched for among {most:,} ids, and there are more: say more of it."
        super().__init__("short_id_too_short", detail)


class NotAllSearched(ClientError):
    """A search ended before the listing did, and found nothing that the word stands for."""

    def __init__(self, text: str, kind: str) -> None:
        detail = f"{text} was searched for among {100 * MOST_PAGES:,} {kind}, and there are more"
        super().__init__("not_all_searched", f"{detail}: give the whole id.")


def is_run_id(text: str) -> bool:
    """Tell if a word is a run's id, or its beginning; names and keys may have dots as well."""
    return _RUN.fullmatch(text) is not None


def may_be_short(reference: Reference) -> bool:
    """Tell if a word may be the beginning of an id."""
    match reference.collection:
        case "runs" | "dead-letters":
            is_whole = _WHOLE_RUN.fullmatch(reference.text)
            return not is_whole and _RUN.fullmatch(reference.text) is not None
        case "freezes":
            return _FREEZE.fullmatch(reference.text) is not None
        case collection:
            letters = _LETTERS.fullmatch(reference.text)
            return collection in _LETTERED and letters is not None


def whole_id(reference: Reference, send: Send) -> str | None:
    """Return the one id that begins so; ``None`` for none, and ``NotUnique`` for several."""
    if reference.collection in {"runs", "dead-letters"}:
        return _whole_run(reference.text, send)
    if reference.collection == "dag-runs":
        return _the_one(reference.text, _dag_runs(send))
    return _the_one(reference.text, _rows(f"/v1/{reference.collection}", send))


def _the_one(text: str, rows: Iterator[tuple[str, str] | None]) -> str | None:
    found: Found = {}
    is_complete = True
    for row in rows:
        if row is None:
            is_complete = False
        elif row[0].startswith(text):
            found[row[0]] = row[1]
    if len(found) > 1:
        detail = f"{text} is the beginning of {len(found)} ids; say more of the one you mean."
        raise NotUnique("ambiguous_id", detail, found)
    if not is_complete and len(text) < _SURE_LETTERS:
        raise TooMany(text)
    if not (is_complete or found):
        raise NotAllSearched(text, "ids")
    return next(iter(found), None)


def _whole_run(text: str, send: Send) -> str | None:
    match = _RUN.fullmatch(text)
    assert match is not None, text
    owner: str | None = match[1]
    if len(match[1]) < _ID_LETTERS:
        collection = "dag-runs" if match[2] == _TASK else "jobs"
        owner = whole_id(Reference(collection=collection, text=match[1]), send)
    if owner is None:
        return None
    wanted = f"{owner}{text[len(match[1]) :]}"
    if match[2] == _TASK:
        return _the_one(wanted, _task_runs(owner, send))
    rows = list(_rows(f"/v1/jobs/{owner}/runs", send, **_range(match[3], match[4] or "")))
    # Digits that are left out are zeros: so does every table write an instant.
    exact = f"{owner}.{match[2]}{match[3]}T{(match[4] or '').ljust(9, '0')}Z"
    is_there = any(row is not None and row[0] == exact for row in rows)
    return exact if is_there else _the_one(wanted, iter(rows))


def _range(date: str, clock: str) -> dict[str, str]:
    """Return the instants whose ids begin with these digits."""
    known = clock[: min(len(clock) // 2 * 2, 4)]
    first, last = _OPEN[len(known)].split("/")
    begin = ":".join(known[at : at + 2] for at in range(0, len(known), 2))
    day = f"{date[:4]}-{date[4:6]}-{date[6:]}"
    return {"from": f"{day}T{begin}{first}Z", "to": f"{day}T{begin}{last}Z"}


def _rows(path: str, send: Send, **query: str) -> Iterator[tuple[str, str] | None]:
    """Ids and names of a listing; ``None`` where it goes on after the last page that is read."""
    cursor: str | None = None
    for _ in range(MOST_PAGES):
        found = send(page(path, {**query, "limit": 100, "cursor": cursor}))
        yield from (_row(row) for row in found["items"])
        cursor = found["next_cursor"]
        if cursor is None:
            return
    yield None


def _row(row: dict[str, Any]) -> tuple[str, str]:
    """An id, which is the first of its kind in a row, and what people know it by."""
    known = next((row[name] for name in ("name", "reason", "kind", "state") if row.get(name)), "")
    return next(str(value) for name, value in row.items() if name.endswith("_id")), str(known)


def _dag_runs(send: Send) -> Iterator[tuple[str, str] | None]:
    """The newest 100 runs of each DAG."""
    for dag in _rows("/v1/dags", send):
        if dag is None:
            yield None
            return
        found = send(page(f"/v1/dags/{dag[0]}/runs", {"limit": 100}))
        yield from ((row[0], dag[1]) for row in map(_row, found["items"]))


def _task_runs(dag_run_id: str, send: Send) -> Iterator[tuple[str, str] | None]:
    tasks = send(get(f"/v1/dag-runs/{dag_run_id}"))["tasks"]
    yield from ((task["run_id"], task["name"]) for task in tasks if task["run_id"])
