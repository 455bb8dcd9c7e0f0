"""The API's operations, as methods that return its JSON and raise ``ClientError``."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import partial

import httpx

from timegate.client.access.authentication import (
    AsyncProcessClient,
    ProcessClient,
    authentication,
)
from timegate.client.access.profile import Profile
from timegate.client.calls.audit_calls import AuditCalls, SealCalls
from timegate.client.calls.dag_calls import DagCalls
from timegate.client.calls.dag_run_calls import DagRunCalls
from timegate.client.calls.dead_letter_calls import DeadLetterCalls
from timegate.client.calls.event_calls import EventCalls
from timegate.client.calls.event_trigger_calls import EventTriggerCalls
from timegate.client.calls.job_calls import JobCalls
from timegate.client.calls.operation_calls import OperationCalls
from timegate.client.calls.overview_calls import OverviewCalls
from timegate.client.calls.pool_calls import HeldRunCalls, PoolCalls
from timegate.client.calls.restriction_calls import RestrictionCalls
from timegate.client.calls.rule_calls import RuleCalls
from timegate.client.calls.run_calls import RunCalls
from timegate.client.calls.tenant_calls import KeyCalls, TenantCalls
from timegate.client.errors import ClientError
from timegate.client.namespaces import Namespaces
from timegate.client.retries import Retries
from timegate.client.schemas import Run
from timegate.client.sending import (
    TIMEOUT_SECONDS,
    AsyncCalls,
    AsyncSender,
    Sender,
    SyncCalls,
    connecting,
)
from timegate.client.waiting import Looks, is_over


class ApiCalls(
    JobCalls,
    RunCalls,
    RestrictionCalls,
    EventTriggerCalls,
    OperationCalls,
    PoolCalls,
    HeldRunCalls,
    DeadLetterCalls,
    DagCalls,
    DagRunCalls,
    TenantCalls,
    KeyCalls,
    AuditCalls,
    SealCalls,
    OverviewCalls,
    EventCalls,
    RuleCalls,
):
    """Every operation of the API, named as its description names it."""


class TimegateClient(ApiCalls, Namespaces, SyncCalls):
    """One tenant's view of one stage. Use it as a context manager, or close it.

    Threads may share one.
    """

    def __init__(
        self,
        profile: Profile,
        *,
        timeout_seconds: float = TIMEOUT_SECONDS,
        connect_seconds: float | None = None,
        retries: Retries | None = None,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        with connecting():
            http = ProcessClient(
                make_auth=partial(authentication, profile.credentials),
                timeout=_timeout(timeout_seconds, connect_seconds),
                transport=transport,
            )
        super().__init__(
            Sender(http=http, api_url=profile.base_url, retries=retries or Retries(), sleep=sleep)
        )
        self._sleep = sleep

    def wait_for_run(self, run_id: str, *, timeout_seconds: float | None = None) -> Run:
        """Look at a run until it has ended, however it ended, and return it.

        A trigger that collapsed with others returns the run that stands for them. Raises
        ``RunNotEnded`` after the timeout; ``None`` waits for ever. A stage that answered once may
        be away for five minutes, and the wait goes on.
        """
        sender = self.sender
        looks = Looks(run_id, timeout_seconds, retries=sender.retries, clock=sender.clock)
        while True:
            try:
                run = self.get_run(looks.run_id)
            except ClientError as error:
                pause = looks.after_failure(error)
            else:
                if is_over(run):
                    return run
                pause = looks.after(run)
            self._sleep(pause)


class AsyncTimegateClient(ApiCalls, Namespaces, AsyncCalls):
    """One tenant's view of one stage, whose methods are awaited. Use it with ``async with``."""

    def __init__(
        self,
        profile: Profile,
        *,
        timeout_seconds: float = TIMEOUT_SECONDS,
        connect_seconds: float | None = None,
        retries: Retries | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        with connecting():
            http = AsyncProcessClient(
                make_auth=partial(authentication, profile.credentials),
                timeout=_timeout(timeout_seconds, connect_seconds),
                transport=transport,
            )
        super().__init__(
            AsyncSender(
                http=http, api_url=profile.base_url, retries=retries or Retries(), sleep=sleep
            )
        )
        self._sleep = sleep

    async def wait_for_run(self, run_id: str, *, timeout_seconds: float | None = None) -> Run:
        """Look at a run until it has ended, as ``TimegateClient.wait_for_run`` does."""
        sender = self.sender
        looks = Looks(run_id, timeout_seconds, retries=sender.retries, clock=sender.clock)
        while True:
            try:
                run = await self.get_run(looks.run_id)
            except ClientError as error:
                pause = looks.after_failure(error)
            else:
                if is_over(run):
                    return run
                pause = looks.after(run)
            await self._sleep(pause)


def _timeout(seconds: float, connect_seconds: float | None) -> httpx.Timeout:
    return httpx.Timeout(seconds, connect=connect_seconds or seconds)
