"""Every order of the steps of a game, breadth first: the nearest states are visited first."""

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple, Protocol, TypeVar

Kept = TypeVar("Kept")


class Step(NamedTuple):
    """A step that can be taken from the state that a game is in."""

    name: str
    take: Callable[[], None]


class Game(Protocol[Kept]):
    """A protocol with its actors, in one state at a time."""

    def keep(self) -> Kept:
        """Return all that the state is."""

    def restore(self, kept: Kept) -> None:
        """Go back to a state."""

    def named(self) -> Hashable:
        """Return the same value for two states only if the same can follow."""

    def steps(self) -> Iterable[Step]:
        """Name every step that can be taken."""

    def judge(self) -> None:
        """Hold the state to what always holds; raises ``AssertionError``."""

    def judge_alone(self) -> None:
        """Leave the state to itself, and hold what comes of it to what has to; it may be spoilt."""


def explore(game: Game[Kept], *, at_most: int | None = None) -> int:
    """Visit each state of a game once, and return how many there are.

    Raises ``AssertionError`` with the fewest steps that lead to a state that breaks a promise.
    ``at_most``: a game with more states is no game of this scope.
    """
    first = game.keep()
    known = {game.named()}
    states = deque([(first, _Path())])
    game.judge_alone()
    while states:
        kept, path = states.popleft()
        game.restore(kept)
        for step in list(game.steps()):
            game.restore(kept)
            after = _Path(step.name, path)
            with _told(after):
                step.take()
                game.judge()
                named = game.named()
                if named in known:
                    continue
                known.add(named)
                states.append((game.keep(), after))
                game.judge_alone()
        assert at_most is None or len(known) <= at_most, f"more than {at_most} states"
    return len(known)


class _Path(NamedTuple):
    """Steps that led to a state; states share the beginnings of their paths."""

    step: str = ""
    before: "_Path | None" = None

    def names(self) -> Iterator[str]:
        """Yield the steps, the first one first."""
        if self.before is not None:
            yield from self.before.names()
            yield self.step


@contextmanager
def _told(path: _Path) -> Iterator[None]:
    """Name the steps that led to a failure."""
    try:
        yield
    except Exception as error:
        raise AssertionError(f"{error!r} after: {', '.join(path.names())}") from error
