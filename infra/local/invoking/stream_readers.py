"""Readers of streams in the emulator: a thread for each, as AWS has one for each shard."""

import threading
from collections.abc import Callable
from typing import Any

from ministack.services import lambda_svc  # type: ignore[import-untyped]

#: Between two looks of Lambda at a shard of a stream.
_STREAM_SECONDS = 0.25


class StreamReaders:
    """Threads of event sources; each sees its own source where the emulator sees all."""

    def __init__(self, sources: Callable[[], Any], poll: Callable[[], bool]) -> None:
        self._sources = sources
        self._poll = poll
        self._own = threading.local()
        self._known: set[str] = set()

    def of_this_thread(self) -> list[Any]:
        """Return the thread's own source, or all to any other thread."""
        reads = getattr(self._own, "reads", None)
        return [each for each in self._sources() if reads in {None, each[2]["UUID"]}]

    def start(self) -> bool:
        """Start a thread for each source that has none."""
        streams = [each for *_, each in self._sources() if "/stream/" in each["EventSourceArn"]]
        for source in {each["UUID"] for each in streams} - self._known:
            self._known.add(source)
            threading.Thread(target=self._read, args=(source,), daemon=True).start()
        return False

    def _read(self, source: str) -> None:
        self._own.reads = source
        while self.of_this_thread():
            try:
                found = self._poll()
            except Exception:  # noqa: BLE001 - the emulator's own loop goes on as well
                found = False
                lambda_svc.logger.exception("A reader of a stream failed.")
            threading.Event().wait(0 if found else _STREAM_SECONDS)
        self._known.discard(source)
