"""Errors of one record, or of one shard, that keep no other one waiting."""

from collections.abc import Iterator
from contextlib import contextmanager


class Setbacks:
    """Keeps the first error of many pieces of work, and raises it once all had their turn.

    A hot partition refuses one tenant's record for as long as that tenant likes. A watcher leaves
    such a record to its next tick, goes on with all others, and fails at its end: so people hear.
    """

    def __init__(self) -> None:
        self._first: Exception | None = None

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Keep an error of this piece of work; a process that dies raises no ``Exception``."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - raised at the end
            self.keep(error)

    def keep(self, error: Exception) -> None:
        """Keep an error, unless another one came before it."""
        if self._first is None:
            self._first = error

    @property
    def first(self) -> Exception | None:
        """Return the first error; ``None``: there was none."""
        return self._first

    def raise_first(self) -> None:
        """Raise the first error; does nothing where there was none."""
        if self._first is not None:
            raise self._first
