"""Tools that change something: they trigger, pause, resume and redrive."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, cast

from pydantic import Field

from timegate.cli.agents.reading_tools import Answer, JobRef, RunRef
from timegate.client import AsyncTimegateClient
from timegate.client.schemas import Redrive, TriggerRequest

Key = Annotated[
    str, Field(min_length=1, description="The same key with the same call is one run, not two.")
]
Json = Annotated[
    dict[str, Any] | list[Any] | str | int | float | bool | None,
    Field(description="Instead of the job's; any JSON."),
]


class ChangingTools:
    """Tools that an operator has allowed, of one tenant. None ends a job."""

    def __init__(self, client: AsyncTimegateClient) -> None:
        self._client = client

    def tools(self) -> list[Callable[..., Awaitable[Answer]]]:
        """Every tool."""
        return [self.trigger_job, self.pause_job, self.resume_job, self.redrive_run]

    async def trigger_job(
        self,
        job: JobRef,
        idempotency_key: Key,
        payload: Json = None,
        delay_seconds: Annotated[float, Field(ge=0)] = 0,
    ) -> Answer:
        """Run a job beside its schedule, now or after a delay; returns the run."""
        request: dict[str, Any] = {}
        if payload is not None:
            request["payload"] = payload
        if delay_seconds:
            request["delay_seconds"] = delay_seconds
        asked = cast("TriggerRequest", request)
        return dict(
            await self._client.trigger_job(job, asked or None, idempotency_key=idempotency_key)
        )

    async def pause_job(self, job: JobRef) -> Answer:
        """Let a job start no runs until it is resumed."""
        return dict(await self._client.pause_job(job))

    async def resume_job(self, job: JobRef) -> Answer:
        """Let a paused job go on from now."""
        return dict(await self._client.resume_job(job))

    async def redrive_run(
        self,
        run: RunRef,
        idempotency_key: Key,
        note: Annotated[str, Field(description="For readers of the record.")] = "",
    ) -> Answer:
        """Try a failed run again, from its last checkpoint."""
        request = cast("Redrive", {"note": note} if note else {})
        answer = await self._client.redrive_run(
            run, request or None, idempotency_key=idempotency_key
        )
        return dict(answer)
