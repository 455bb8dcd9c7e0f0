"""Faults: any call of a world's stores may die, or be refused, before it takes effect or after."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from functools import partial
from typing import Any

from tests.support.world import World
from timegate.domain.values.errors import Throttled

#: More calls than anything here makes.
ENOUGH = 1_000


class Died(BaseException):
    """The process is gone; nothing in it handles this."""


class Fault(StrEnum):
    """Faults of a call."""

    DIES_BEFORE = "dies before"
    DIES_AFTER = "dies after"
    #: It takes effect, and the answer is an error.
    EFFECT_BUT_ERROR = "effect but error"
    REFUSED = "refused"


class Faults:
    """The calls to strike, counted over all stores."""

    def __init__(self, plan: Mapping[int, Fault]) -> None:
        self._plan = plan
        self.calls = 0
        self.is_dead = False

    def around(self, method: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
        """A call, as it is struck or not."""
        if self.is_dead:
            raise Died
        self.calls += 1
        match self._plan.get(self.calls):
            case None:
                return method(*args, **kwargs)
            case Fault.DIES_BEFORE:
                self.is_dead = True
                raise Died
            case Fault.DIES_AFTER:
                method(*args, **kwargs)
                self.is_dead = True
                raise Died
            case Fault.EFFECT_BUT_ERROR:
                method(*args, **kwargs)
                raise Throttled("the answer was lost")
            case Fault.REFUSED:
                raise Throttled("busy")


def undisturbed(faults: Faults, act: Callable[[], object]) -> None:
    """Act without any fault."""
    calls, faults.calls = faults.calls, -ENOUGH
    act()
    faults.calls = calls


@contextmanager
def struck(world: World, plan: Mapping[int, Fault]) -> Iterator[Faults]:
    """Every call of the stores may be struck."""
    faults = Faults(plan)
    stores = (world.jobs, world.runs, world.operations)
    for store in stores:
        for name in dir(type(store)):
            method = getattr(store, name)
            if not name.startswith("_") and callable(method):
                setattr(store, name, partial(faults.around, method))
    try:
        yield faults
    finally:
        for store in stores:
            vars(store).update({n: m for n, m in vars(store).items() if n.startswith("_")})
            for name in [n for n in vars(store) if not n.startswith("_")]:
                delattr(store, name)
