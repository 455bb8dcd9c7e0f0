"""HTTP clients whose connections and tokens are those of one process, or of one event loop."""

import os
from collections.abc import Callable
from typing import Any

import httpx

from timegate.client.access.renewed_token import running_loop


class ProcessClient(httpx.Client):
    """A client that connects anew, and asks for a token anew, in a forked process.

    Two processes on one connection would read each other's answers. A lock of the authentication
    may be held by a thread that the fork leaves behind.
    """

    def __init__(
        self,
        make_auth: Callable[[], httpx.Auth] | None = None,
        **settings: Any,  # noqa: ANN401 - of the library
    ) -> None:
        self._make_auth, self._settings = make_auth, settings
        self._process = os.getpid()
        self._begin()

    def send(self, *args: Any, **kwargs: Any) -> httpx.Response:  # noqa: ANN401 - of the library
        """Send a request, as the library's client does."""
        if self._process != os.getpid() and not self.is_closed:
            self._begin()
            self._process = os.getpid()
        return super().send(*args, **kwargs)

    def _begin(self) -> None:
        super().__init__(auth=self._make_auth() if self._make_auth else None, **self._settings)


class AsyncProcessClient(httpx.AsyncClient):
    """The asynchronous form of ``ProcessClient``; it connects anew in another event loop as well.

    Connections are those of a loop, of which ``asyncio.run`` makes one each time. The token stays.
    """

    def __init__(
        self,
        make_auth: Callable[[], httpx.Auth] | None = None,
        **settings: Any,  # noqa: ANN401 - of the library
    ) -> None:
        self._make_auth, self._settings = make_auth, settings
        self._process, self._loop = os.getpid(), running_loop()
        self._shows = make_auth() if make_auth else None
        self._begin()

    async def send(self, *args: Any, **kwargs: Any) -> httpx.Response:  # noqa: ANN401 - of the library
        """Send a request, as the library's client does."""
        process, loop = os.getpid(), running_loop()
        is_forked = self._process != process
        if (is_forked or self._loop not in (None, loop)) and not self.is_closed:
            if is_forked and self._make_auth:
                self._shows = self._make_auth()
            self._begin()
        self._process, self._loop = process, loop
        return await super().send(*args, **kwargs)

    def _begin(self) -> None:
        super().__init__(auth=self._shows, **self._settings)
