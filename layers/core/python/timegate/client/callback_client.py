"""The clients of a target that calls back: one run, and no credential but its lease token."""

import asyncio
import time
from collections.abc import Awaitable, Callable

import httpx

from timegate.client.access.authentication import AsyncProcessClient, ProcessClient
from timegate.client.calls.pool_calls import HeldRunCalls
from timegate.client.retries import Retries
from timegate.client.sending import (
    TIMEOUT_SECONDS,
    AsyncCalls,
    AsyncSender,
    Sender,
    SyncCalls,
    connecting,
)


class _OneRun(HeldRunCalls):
    """Says of one run what a worker would."""

    def path_of(self, run_id: str) -> str:
        """The address is the run's already."""
        del run_id
        return ""


class CallbackClient(_OneRun, SyncCalls):
    """Says of one run what a worker would; ``url`` is what its target was told."""

    def __init__(
        self,
        url: str,
        *,
        timeout_seconds: float = TIMEOUT_SECONDS,
        retries: Retries | None = None,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        with connecting():
            http = ProcessClient(timeout=timeout_seconds, transport=transport)
        super().__init__(Sender(http=http, api_url=url, retries=retries or Retries(), sleep=sleep))


class AsyncCallbackClient(_OneRun, AsyncCalls):
    """The asynchronous form of ``CallbackClient``."""

    def __init__(
        self,
        url: str,
        *,
        timeout_seconds: float = TIMEOUT_SECONDS,
        retries: Retries | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        with connecting():
            http = AsyncProcessClient(timeout=timeout_seconds, transport=transport)
        super().__init__(
            AsyncSender(http=http, api_url=url, retries=retries or Retries(), sleep=sleep)
        )
