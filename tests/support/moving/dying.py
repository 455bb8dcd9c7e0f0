"""An operator's process that dies at one of its writes."""

from collections.abc import Callable
from typing import Any


class Dying:
    """An engine whose process dies at one of its writes."""

    def __init__(self, engine: Any, at: int, *, after: bool) -> None:  # noqa: ANN401 - any engine
        self._engine, self._left, self._after = engine, at, after
        #: Calls that write, so far.
        self.writes = 0

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - its calls
        return getattr(self._engine, name)

    def write(self, write: Any) -> Any:  # noqa: ANN401 - as it is passed on
        """Write, or die before or after it."""
        return self._call(self._engine.write, write)

    def transact(self, writes: Any, **options: Any) -> Any:  # noqa: ANN401 - as it is passed on
        """Write all or nothing, or die before or after it."""
        return self._call(self._engine.transact, writes, **options)

    def write_each(self, writes: Any) -> Any:  # noqa: ANN401 - as it is passed on
        """Write one after the other."""
        return [self.write(each) for each in writes]

    def _call(self, call: Callable[..., Any], *words: Any, **options: Any) -> Any:  # noqa: ANN401
        self._left -= 1
        self.writes += 1
        if self._left == 0 and not self._after:
            raise SystemExit
        done = call(*words, **options)
        if self._left == 0:
            raise SystemExit
        return done
