"""Addresses that web hooks are sent to: they remember what came, and always answer."""

import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from botocore.exceptions import ConnectTimeoutError, ReadTimeoutError

from tests.crash.faults import Injector
from tests.crash.services.targets import Effect
from timegate.adapters.targets.failures import timed_out
from timegate.adapters.targets.http.deadline import Deadline
from timegate.adapters.targets.http.messages import HttpRequest, Response
from timegate.ports.clock import Clock


class RecordingAddresses:
    """Stands in for the HTTP client; each request is a call that faults strike."""

    def __init__(self, injector: Injector, clock: Clock, effects: list[Effect]) -> None:
        self._injector = injector
        self._clock = clock
        self._effects = effects

    def send(self, request: HttpRequest, deadline: Deadline) -> Response:
        """Serve a request; raises ``TargetFailed`` when its answer is lost."""
        del deadline
        self._injector.before_call(SimpleNamespace(name=request.method))
        receive: Callable[[Any], Any] = lambda _: self._receive(request)  # noqa: E731
        sent: Any = SimpleNamespace(url=request.target)
        try:
            response: Any = self._injector.send(sent, receive)
        except (ConnectTimeoutError, ReadTimeoutError) as error:
            raise timed_out("lost") from error
        self._injector.after_call()
        return response  # type: ignore[no-any-return]

    def _receive(self, request: HttpRequest) -> Response:
        self._effects.append(
            Effect(
                run=request.headers["Timegate-Run-Id"],
                attempt=int(request.headers["Timegate-Attempt"]),
                fence=int(request.headers["Timegate-Fence"]),
                at=self._clock.now(),
                payload=json.loads(request.body),
                process=self._injector.current.number,
            )
        )
        return Response(status=200, headers={}, body=b"ok")
