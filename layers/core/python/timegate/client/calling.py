"""A call: what one operation sends, and the type of what it answers. Nothing here sends it."""

import re
from collections.abc import Mapping
from dataclasses import field
from typing import Any, ClassVar, Generic, TypeVar, cast
from urllib.parse import quote
from uuid import uuid4

from timegate.client.errors import NotSendable, NotUnderstood
from timegate.value_classes import dataclass

Answer = TypeVar("Answer")
Row = TypeVar("Row")

_JOB_ID = re.compile(r"[a-z2-7]{26}")
_KEY = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_KEY_MARK = "key:"

#: The JSON of an answer, whichever it is.
JsonObject = Mapping[str, Any]
#: Query parameters: text, several texts, or ``None`` for leaving it out.
Filter = str | int | list[str] | None


@dataclass(frozen=True, kw_only=True, slots=True)
class ApiCall(Generic[Answer]):
    """One request to the API."""

    method: str
    path: str
    query: Mapping[str, str | list[str]] = field(default_factory=dict)
    #: Any JSON; ``None`` sends no body.
    body: object = None
    headers: Mapping[str, str] = field(default_factory=dict)
    #: Sending it twice does what sending it once does.
    is_repeatable: bool = False
    #: Its answer is text of this media type; ``None``: JSON.
    media_type: ClassVar[str | None] = None
    #: Its path is a whole address that lets its holder in: no token is shown.
    is_link: ClassVar[bool] = False

    def read(self, body: JsonObject) -> Answer:
        """The answer."""
        return cast("Answer", body)


@dataclass(frozen=True, kw_only=True, slots=True)
class PageCall(ApiCall[Answer], Generic[Answer, Row]):
    """A request for one page of a listing."""

    def read(self, body: JsonObject) -> Answer:
        """The page; raises ``NotUnderstood``."""
        if not (isinstance(body.get("items"), list) and "next_cursor" in body):
            raise NotUnderstood(f"{self.path} gave no page")
        following = body["next_cursor"]
        if following is not None and following == self.query.get("cursor"):
            # A cache that leaves the query alone answers so: pages would never end.
            raise NotUnderstood(f"{self.path} gave a page that follows itself")
        return cast("Answer", body)


@dataclass(frozen=True, kw_only=True, slots=True)
class PictureCall(ApiCall[str]):
    """A request for a picture."""

    media_type: ClassVar[str | None] = "image/svg+xml"


@dataclass(frozen=True, kw_only=True, slots=True)
class LinkCall(ApiCall[str]):
    """A request for the text that a link of the API leads to."""

    is_link: ClassVar[bool] = True


def link(address: str) -> ApiCall[str]:
    """A call that reads what a link leads to."""
    return LinkCall(method="GET", path=address, is_repeatable=True)


def get(path: str, filters: Mapping[str, Filter] | None = None) -> ApiCall[Any]:
    """A call that reads."""
    return ApiCall(method="GET", path=path, query=_given(filters or {}), is_repeatable=True)


def picture(path: str, filters: Mapping[str, Filter]) -> ApiCall[str]:
    """A call that reads a picture."""
    return PictureCall(method="GET", path=path, query=_given(filters), is_repeatable=True)


def page(path: str, filters: Mapping[str, Filter]) -> PageCall[Any, Any]:
    """A call that reads a page."""
    return PageCall(method="GET", path=path, query=_given(filters), is_repeatable=True)


def ask(
    path: str,
    body: object,
    filters: Mapping[str, Filter] | None = None,
    *,
    version: int | None = None,
) -> ApiCall[Any]:
    """A call whose answer is computed from its body; nothing is stored."""
    headers = {} if version is None else {"If-Match": f'"{version}"'}
    query = _given(filters or {})
    return ApiCall(
        method="POST", path=path, query=query, body=body, headers=headers, is_repeatable=True
    )


def keyed(
    path: str, body: object, idempotency_key: str | None, traceparent: str | None = None
) -> ApiCall[Any]:
    """A call that creates something once, however often it is sent.

    Without a key it gets one of its own, which all its repeats show. With a ``traceparent`` (W3C)
    the run that it begins belongs to the caller's trace.
    """
    headers = {"Idempotency-Key": uuid4().hex if idempotency_key is None else idempotency_key}
    if traceparent is not None:
        headers["traceparent"] = traceparent
    return ApiCall(method="POST", path=path, body=body, headers=headers, is_repeatable=True)


def change(
    method: str,
    path: str,
    *,
    body: object = None,
    query: Mapping[str, Filter] | None = None,
    version: int | None = None,
    creates: bool = False,
) -> ApiCall[Any]:
    """A call that is sent once; with a version, it changes that one and no other.

    Where it ``creates`` as well, 0 is the version of what does not exist.
    """
    headers = {} if version is None else {"If-Match": f'"{version}"'}
    if creates and version == 0:
        headers = {"If-None-Match": "*"}
    return ApiCall(method=method, path=path, query=_given(query or {}), body=body, headers=headers)


def is_header_value(text: str) -> bool:
    """Tell if a header carries the text as it is: ASCII without ends of lines, or outer spaces."""
    return text.isascii() and text.isprintable() and text == text.strip()


def segment(text: str) -> str:
    """One segment of a path, whatever the text; raises ``NotSendable`` for what has no bytes."""
    # Nothing but dots would be read as another path; "-" is no id either, and stays one segment.
    try:
        return quote(text, safe="") if text.strip(".") else "-"
    except UnicodeEncodeError as error:
        raise NotSendable(str(error)) from error


def job_path(job: str) -> str:
    """The path of a job, by its id, its key, or its key as a reference (``key:nightly``)."""
    reference = job_reference(job)
    if reference.startswith(_KEY_MARK):
        return f"/v1/jobs/{_KEY_MARK}{segment(reference.removeprefix(_KEY_MARK))}"
    return f"/v1/jobs/{segment(job)}"


def job_reference(job: str) -> str:
    """Return a job as the API takes it: text that can be a key and no id is a reference by key."""
    is_key = _KEY.fullmatch(job) and not _JOB_ID.fullmatch(job)
    return f"{_KEY_MARK}{job}" if is_key else job


def is_key(job: str) -> bool:
    """Tell if text stands for a job by its key."""
    return job_reference(job).startswith(_KEY_MARK)


def job_filter(job: str | None) -> str | None:
    """Return a filter's job as the API takes it."""
    return None if job is None else job_reference(job)


def _given(filters: Mapping[str, Filter]) -> dict[str, str | list[str]]:
    return {
        name: value if isinstance(value, list) else str(value)
        for name, value in filters.items()
        if value is not None
    }
