"""The client of a target that calls back: one run, and no credential but its lease token."""

import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Self

import httpx

from timegate.client.pool_calls import PoolCalls
from timegate.client.sending import JsonObject, Sender

TIMEOUT_SECONDS = 30.0


class CallbackClient(PoolCalls):
    """Says of one run what a worker would; ``url`` is what its target was told."""

    def __init__(
        self,
        url: str,
        *,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._http = httpx.Client(timeout=TIMEOUT_SECONDS, transport=transport)
        super().__init__(Sender(http=self._http, api_url=url, sleep=sleep))

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Give back the connections, whatever happened."""
        self._http.close()

    def _say(self, run_id: str, what: str, body: Mapping[str, object]) -> JsonObject:
        """The address is the run's already."""
        del run_id
        return self.send("POST", f"/{what}", body=body)
