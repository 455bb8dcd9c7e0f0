"""References of a call to what has ids: in its path, its query and its body."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from timegate.client.calling import Answer, ApiCall, segment
from timegate.declaring.known_names import TENANT_DATA
from timegate.value_classes import dataclass

_PATH = re.compile(r"/v1/([a-z-]+)/([^/]+)(.*)")
#: A POST to it acts on a collection, as ``/v1/runs/cancel``: its last word is no id.
_ACTION = re.compile(r"/v1/[a-z-]+/[^/]+")
_KEY_MARK = "key:"
#: Collections by the fields that name what is in them.
_FIELDS = {
    "job_id": "jobs",
    "dag_id": "dags",
    "run_id": "runs",
    "like_run_id": "runs",
    "run_ids": "runs",
    "dag_run_id": "dag-runs",
    "operation_id": "operations",
    "freeze_id": "freezes",
}
#: A resource of the audit trail is named by its kind: ``job/ID``.
_RESOURCE = re.compile(r"(job|dag|operation|freeze)/(.+)")


@dataclass(frozen=True, kw_only=True, slots=True)
class Reference:
    """A word that stands for one thing of a collection."""

    collection: str
    text: str


#: From a reference to the word that is to stand there.
Exchange = Callable[[Reference], str]


def references(call: ApiCall[Answer]) -> list[Reference]:
    """Return everything that a call refers to."""
    found: list[Reference] = []

    def note(reference: Reference) -> str:
        found.append(reference)
        return reference.text

    exchanged(call, note)
    return found


def divided_names(call: ApiCall[Answer]) -> list[Reference]:
    """Return the reference of a call's path, where a slash of its text would divide the path."""
    path = replace(call, query={}, body=None)
    return [each for each in references(path) if "/" in each.text]


def exchanged(call: ApiCall[Answer], exchange: Exchange) -> ApiCall[Answer]:
    """Return the call with other words for what it refers to."""
    query = {name: _queried(name, value, exchange) for name, value in call.query.items()}
    acts = call.method == "POST" and _ACTION.fullmatch(call.path) is not None
    return replace(
        call,
        path=call.path if acts else _path(call.path, exchange),
        query=query,
        body=_body(call.body, exchange),
    )


def _path(path: str, exchange: Exchange) -> str:
    match = _PATH.fullmatch(path)
    if match is None:
        return path
    text = unquote(match[2])
    said = _said(match[1], text, exchange)
    return path if said == text else f"/v1/{match[1]}/{segment(said)}{match[3]}"


def _queried(name: str, value: str | list[str], exchange: Exchange) -> str | list[str]:
    if isinstance(value, list):
        return value
    match = _RESOURCE.fullmatch(value) if name == "resource" else None
    if match is not None:
        return f"{match[1]}/{_said(f'{match[1]}s', match[2], exchange)}"
    return _said(_FIELDS[name], value, exchange) if name in _FIELDS else value


def _body(body: object, exchange: Exchange) -> object:
    if isinstance(body, list):
        return [_body(each, exchange) for each in body]
    if not isinstance(body, Mapping):
        return body
    return {name: _field(name, each, exchange) for name, each in body.items()}


def _field(name: str, value: object, exchange: Exchange) -> object:
    if name in TENANT_DATA:
        return value
    if name not in _FIELDS:
        return _body(value, exchange)
    return _all_said(_FIELDS[name], value, exchange)


def _all_said(collection: str, value: object, exchange: Exchange) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(value, list):
        return [_all_said(collection, each, exchange) for each in value]
    return _said(collection, value, exchange) if isinstance(value, str) else value


def _said(collection: str, text: str, exchange: Exchange) -> str:
    """Exchange a word; text that could be a job's key is sent as one."""
    word = text.removeprefix(_KEY_MARK)
    said = exchange(Reference(collection=collection, text=word))
    return text if said == word else said
