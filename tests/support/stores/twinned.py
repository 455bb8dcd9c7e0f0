"""Two kinds of store that are asked the same, and have to say the same."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, cast

from timegate.domain.values.errors import TimegateError


@dataclass(frozen=True)
class Outcome:
    """Result of a store's call: it returned, or raised."""

    returned: object = None
    raised: type[TimegateError] | None = None
    #: ``returned`` lists all that an iterator yields.
    is_iterated: bool = False


class Twinned:
    """Both at once; what the one in memory says is what is heard."""

    def __init__(self, memory: object, dynamo: object) -> None:
        self._memory = memory
        self._dynamo = dynamo

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """The method, of both."""

        def ask(*given: object, **named: object) -> object:
            expected = _outcome(getattr(self._memory, name), given, named)
            actual = _outcome(getattr(self._dynamo, name), given, named)
            assert actual == expected, (
                f"{name}{given}: the table says {actual}, its twin {expected}"
            )
            if expected.raised is not None:
                raise expected.raised("as both say")
            if expected.is_iterated:
                return iter(cast("list[object]", expected.returned))
            return expected.returned

        return ask


def _outcome(
    ask: Callable[..., object], given: tuple[object, ...], named: dict[str, object]
) -> Outcome:
    try:
        returned = ask(*given, **named)
    except TimegateError as error:
        return Outcome(raised=type(error))
    if isinstance(returned, Iterator):
        return Outcome(returned=list(returned), is_iterated=True)
    return Outcome(returned=returned)
