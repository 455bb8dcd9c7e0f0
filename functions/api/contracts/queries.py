"""Query strings. Their values are text, so unlike bodies they are read leniently."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

from timegate.domain.job import JobStatus, Priority
from timegate.domain.job_filter import JobFilter
from timegate.domain.schedule import ScheduleKind

MAX_PAGE = 100


def _is_pair(text: str) -> str:
    if not text.partition(":")[1]:
        raise PydanticCustomError("invalid_format", "A tag filter is written key:value.")
    return text


_Tag = Annotated[str, StringConstraints(max_length=321), AfterValidator(_is_pair)]


class LogQuery(BaseModel):
    """Which page of a log; how long it is, its lines say."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    cursor: str | None = Field(None, max_length=512, description="As the page before gave it.")


class PageQuery(BaseModel):
    """Which page of a listing."""

    # A misspelt filter that is ignored would answer with everything.
    model_config = ConfigDict(extra="forbid", frozen=True)

    limit: int = Field(
        50, ge=1, le=MAX_PAGE, description="At most so many; fewer need not mean the last page."
    )
    cursor: str | None = Field(None, max_length=512, description="next_cursor of the page before.")


class JobsQuery(PageQuery):
    """Which jobs to list."""

    status: JobStatus | None = Field(None, description="Only jobs that stand so.")
    kind: ScheduleKind | None = Field(None, description="Only jobs with a schedule of this kind.")
    priority: Priority | None = Field(None, description="Only jobs of this priority.")
    tag: list[_Tag] = Field(
        default_factory=list,
        max_length=20,
        description="key:value; given several times, a job must have each.",
    )

    def to_filter(self) -> JobFilter:
        """As the use case takes it."""
        pairs = (text.partition(":") for text in self.tag)
        return JobFilter(
            status=self.status,
            kind=self.kind,
            priority=self.priority,
            tags=tuple((key, value) for key, _, value in pairs),
        )
