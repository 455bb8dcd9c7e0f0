"""Query strings. Their values are text, so unlike bodies they are read leniently."""

import hashlib
import re
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Protocol, TypedDict, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

from timegate.contracts.values.fields import Name
from timegate.domain.jobs.demands import Priority
from timegate.domain.jobs.job import JobStatus
from timegate.domain.jobs.job_filter import JobFilter, LastOutcome
from timegate.domain.recurrence.schedule import ScheduleKind
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import JOB_REFERENCE

MAX_PAGE = 100
#: They say which page, and not of which rows.
_OF_PAGES = {"limit", "cursor"}
_MARK_LENGTH = 8
_MARK = re.compile(f"[0-9a-f]{{{_MARK_LENGTH}}}")


class _Cursored(Protocol):
    """A page of any rows, which ends in a cursor unless it is the last."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def cursor(self) -> str | None: ...


SomePage = TypeVar("SomePage", bound=_Cursored)


def _is_pair(text: str) -> str:
    if not text.partition(":")[1]:
        raise PydanticCustomError("invalid_format", "A tag filter is written key:value.")
    return text


#: A job, by its id or by its key.
JobReference = Annotated[str, StringConstraints(pattern=JOB_REFERENCE)]
_Tag = Annotated[str, StringConstraints(max_length=321), AfterValidator(_is_pair)]
TagFilter = list[_Tag]


def pairs_of(tags: TagFilter) -> tuple[tuple[str, str], ...]:
    """Return the keys and values of a tag filter."""
    return tuple((key, value) for key, _, value in (text.partition(":") for text in tags))


class LogQuery(BaseModel):
    """Page of a log; the size of its lines bounds it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    cursor: str | None = Field(None, max_length=512, description="As the page before gave it.")


class Paging(TypedDict):
    """The page of a listing that is asked for."""

    limit: int
    cursor: str | None


class PageQuery(BaseModel):
    """Page of a listing."""

    # A misspelt filter that is ignored would answer with everything.
    model_config = ConfigDict(extra="forbid", frozen=True)

    limit: int = Field(
        50, ge=1, le=MAX_PAGE, description="At most so many; fewer need not mean the last page."
    )
    cursor: str | None = Field(None, max_length=512, description="next_cursor of the page before.")

    @property
    def paging(self) -> Paging:
        """Return what listings are asked; raises ``InvalidInput`` as ``position``."""
        return {"limit": self.limit, "cursor": self.position}

    @property
    def position(self) -> str | None:
        """Return the cursor of the page, as the listing had it.

        Raises ``InvalidInput`` for a cursor that came from other filters: its position would be
        true of them, and rows that match these would be left out.
        """
        if self.cursor is None:
            return None
        mark, _, position = self.cursor.partition(".")
        if not (_MARK.fullmatch(mark) and position):
            raise InvalidInput("cursor", "invalid_cursor", "This is no cursor of this listing.")
        if mark != self._mark:
            detail = "It came from other filters; go on with those, or begin anew without it."
            raise InvalidInput("cursor", "cursor_of_other_filters", detail)
        return position

    def leading_on(self, page: SomePage) -> SomePage:
        """A page whose cursor is good with these filters only."""
        if page.cursor is None:
            return page
        return replace(page, cursor=f"{self._mark}.{page.cursor}")

    @property
    def _mark(self) -> str:
        """Says of which filters a cursor is; it keeps honest callers right, and guards nothing."""
        filters = [f"{name}={said!r}" for name, said in self if name not in _OF_PAGES]
        return hashlib.sha256("\n".join(filters).encode()).hexdigest()[:_MARK_LENGTH]


class JobsQuery(PageQuery):
    """Filter of jobs."""

    status: JobStatus | None = Field(None, description="Only jobs that stand so.")
    kind: ScheduleKind | None = Field(None, description="Only jobs with a schedule of this kind.")
    priority: Priority | None = Field(None, description="Only jobs of this priority.")
    name: Name | None = Field(None, description="nightly* means every name that begins so.")
    tag: TagFilter = Field(
        default_factory=list,
        max_length=20,
        description="key:value; given several times, a job must have each.",
    )

    last_outcome: LastOutcome | None = Field(
        None,
        description=(
            "failed: only jobs whose last run failed, the latest failure first. Found by the index "
            "of failures; counts as ten requests."
        ),
    )

    def to_filter(self) -> JobFilter:
        """Return the use case's argument."""
        return JobFilter(
            status=self.status,
            kind=self.kind,
            priority=self.priority,
            name=self.name,
            tags=pairs_of(self.tag),
        )
