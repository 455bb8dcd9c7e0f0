"""Tools that read: lists, records, explanations, previews and simulations."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, cast

from pydantic import Field

from timegate.cli.previews.preview_options import MAX_DAYS
from timegate.client import AsyncTimegateClient
from timegate.client.schemas import JobPatch, NewJob, PreviewRequest, ScenarioContract

Answer = dict[str, Any]
JobRef = Annotated[str, Field(description="Id or key of a job.")]
RunRef = Annotated[str, Field(description="Id of a run.")]
Instant = Annotated[str, Field(description="RFC 3339, such as 2026-11-21T07:00:00Z.")]
Limit = Annotated[int, Field(ge=1, le=100, description="Rows at most.")]
Cursor = Annotated[
    str | None,
    Field(
        description=(
            "next_cursor of the answer before, with the same filters. An answer has one until all"
            " was looked through, also an answer without rows."
        )
    ),
]
Object = dict[str, Any]


class ReadingTools:
    """Tools that store nothing, of one tenant."""

    def __init__(self, client: AsyncTimegateClient) -> None:
        self._client = client

    def tools(self) -> list[Callable[..., Awaitable[Answer]]]:
        """Every tool."""
        return [
            self.list_jobs,
            self.get_job,
            self.list_runs,
            self.list_failed_runs,
            self.list_decisions,
            self.get_run,
            self.read_run_log,
            self.explain_instant,
            self.preview_schedule,
            self.preview_job_changes,
            self.validate_job,
            self.simulate,
        ]

    async def list_jobs(
        self,
        status: str | None = None,
        name: Annotated[
            str | None, Field(description="A name; nightly* is the beginning of names.")
        ] = None,
        tags: Annotated[list[str], Field(description="Each as key:value; all match.")] = [],  # noqa: B006 - read only
        limit: Limit = 20,
        cursor: Cursor = None,
    ) -> Answer:
        """List jobs, newest first, with their schedules and next runs."""
        page = await self._client.list_jobs(
            status=status, name=name, tag=tags or None, limit=limit, cursor=cursor
        )
        return dict(page)

    async def get_job(self, job: JobRef) -> Answer:
        """Read a job: schedule, action, policies and payload."""
        return dict(await self._client.get_job(job))

    async def list_runs(
        self, job: JobRef, state: str | None = None, limit: Limit = 20, cursor: Cursor = None
    ) -> Answer:
        """List the runs of a job, newest first."""
        return dict(await self._client.list_runs(job, state=state, limit=limit, cursor=cursor))

    async def list_failed_runs(
        self,
        job: Annotated[str | None, Field(description="Id or key of one job; all without.")] = None,
        start: Annotated[str | None, Field(description="Ended since then; RFC 3339.")] = None,
        end: Annotated[str | None, Field(description="Ended before then; RFC 3339.")] = None,
        error_code: str | None = None,
        limit: Limit = 20,
        cursor: Cursor = None,
    ) -> Answer:
        """List failed runs of all jobs, the latest end first, with their errors."""
        page = await self._client.list_all_runs(
            job_id=job,
            start=start,
            end=end,
            error_code=error_code,
            limit=limit,
            cursor=cursor,
        )
        return dict(page)

    async def list_decisions(self) -> Answer:
        """List what waits for a person to decide: failures by cause, and approvals."""
        return dict(await self._client.list_decisions())

    async def get_run(self, run: RunRef) -> Answer:
        """Read a run with its attempts, errors, and where its time went."""
        return dict(await self._client.get_run(run))

    async def read_run_log(self, run: RunRef, cursor: Cursor = None) -> Answer:
        """Read a page of a run's log, earliest lines first."""
        return dict(await self._client.read_log(run, cursor=cursor))

    async def explain_instant(self, job: JobRef, at: Instant) -> Answer:
        """Explain why a job ran at an instant, ran late, or did not run."""
        return dict(await self._client.explain_instant(job, at=at))

    async def preview_schedule(
        self,
        schedule: Annotated[
            Object,
            Field(description='As the API takes it: {"kind": "cron", "cron": "0 9 * * 1-5"}.'),
        ],
        limit: Annotated[int, Field(ge=1, le=100, description="Instants.")] = 10,
    ) -> Answer:
        """Show the next instants of a schedule, in words and as instants."""
        request = cast("PreviewRequest", {"schedule": schedule, "count": limit})
        return dict(await self._client.preview_schedule(request))

    async def preview_job_changes(
        self,
        job: JobRef,
        changes: Annotated[Object, Field(description="Fields of the job to replace.")],
        days: Annotated[int, Field(ge=1, le=MAX_DAYS, description="Look so far ahead.")] = 7,
    ) -> Answer:
        """Show which instants a job would gain, lose and move by changes; nothing is stored."""
        patch = cast("JobPatch", changes)
        return dict(await self._client.preview_job(job, patch, days=days))

    async def validate_job(
        self, definition: Annotated[Object, Field(description="A job, as creating takes it.")]
    ) -> Answer:
        """Report what is wrong with a new job, and the job it would be; nothing is stored."""
        return dict(await self._client.validate_new_job(cast("NewJob", definition)))

    async def simulate(
        self,
        scenario: Annotated[
            Object, Field(description="A scenario: job_id or a schedule, from, to, and faults.")
        ],
    ) -> Answer:
        """Simulate what would become of every instant of a job; nothing is stored."""
        return dict(await self._client.simulate(cast("ScenarioContract", scenario)))
