"""Addresses that web hooks are sent to: they remember what came, and always answer."""

import io
import json
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import urllib3
from botocore.exceptions import ConnectTimeoutError, ReadTimeoutError
from urllib3.exceptions import ReadTimeoutError as NoAnswer

from tests.crash.faults import Injector
from tests.crash.targets import Effect
from timegate.ports.surroundings import Clock


class RecordingAddresses:
    """What urllib3 calls a pool manager, and a pool; each request is a call that faults strike."""

    def __init__(self, injector: Injector, clock: Clock, effects: list[Effect]) -> None:
        self._injector = injector
        self._clock = clock
        self._effects = effects

    def connection_from_host(self, *_: object, **__: object) -> "RecordingAddresses":
        """Every host is the same."""
        return self

    def urlopen(
        self, method: str, url: str, *, body: bytes, headers: Mapping[str, str], **_: object
    ) -> urllib3.BaseHTTPResponse:
        """Serve a request; raises ``ReadTimeoutError`` when its answer is lost."""
        self._injector.before_call(SimpleNamespace(name=method))
        receive: Callable[[Any], Any] = lambda _: self._receive(body, headers)  # noqa: E731
        request: Any = SimpleNamespace(url=url)
        try:
            response: Any = self._injector.send(request, receive)
        except (ConnectTimeoutError, ReadTimeoutError) as error:
            pool: Any = None
            raise NoAnswer(pool, url, "lost") from error
        self._injector.after_call()
        return response  # type: ignore[no-any-return]

    def _receive(self, body: bytes, headers: Mapping[str, str]) -> urllib3.BaseHTTPResponse:
        self._effects.append(
            Effect(
                run=headers["Timegate-Run-Id"],
                attempt=int(headers["Timegate-Attempt"]),
                fence=int(headers["Timegate-Fence"]),
                at=self._clock.now(),
                payload=json.loads(body),
                process=self._injector.current.number,
            )
        )
        return urllib3.HTTPResponse(io.BytesIO(b"ok"), status=200, preload_content=False)
