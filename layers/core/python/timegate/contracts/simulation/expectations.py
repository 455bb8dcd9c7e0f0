"""Numbers that a simulation must come to."""

from collections.abc import Iterator
from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from timegate.contracts.simulation.alternatives import MANY, ONE, ONE_OR_MANY
from timegate.contracts.values.fields import Contract
from timegate.domain.jobs.notification import Occasion
from timegate.domain.rules.rule import StreakCondition
from timegate.domain.runs.run import Reason
from timegate.domain.simulation import Expectation
from timegate.domain.simulation.notices.told import RECOVERED

_TYPES = frozenset({*Occasion, *StreakCondition, RECOVERED})


def _known(notice: str) -> str:
    if notice not in _TYPES:
        raise PydanticCustomError("invalid_choice", "There is no such notice.")
    return notice


_Count = Annotated[int, Field(ge=0, le=1_000_000_000)]
_ByReason = Annotated[Annotated[_Count, ONE] | Annotated[dict[Reason, _Count], MANY], ONE_OR_MANY]
_ByType = Annotated[
    Annotated[_Count, ONE] | Annotated[dict[Annotated[str, AfterValidator(_known)], _Count], MANY],
    ONE_OR_MANY,
]


class ExpectationContract(Contract):
    """Numbers that the summary must have; one that is not named may be any."""

    instants: _Count | None = None
    runs: _Count | None = None
    undecided: _Count | None = None
    max_lateness_ms: _Count | None = Field(None, description="At most.")
    missed_deadlines: _Count | None = None
    will_be_late: _Count | None = None
    failed: _Count | None = None
    notices: _ByType | None = Field(None, description="In all, or by type.")
    skipped: _ByReason | None = Field(None, description="In all, or by reason.")
    cancelled: _ByReason | None = Field(None, description="In all, or by reason.")

    def to_domain(self) -> Expectation:
        """Return the numbers by their field: ``skipped.late``, for example."""
        return Expectation(numbers=dict(self._numbers()))

    def _numbers(self) -> Iterator[tuple[str, int]]:
        for name in type(self).model_fields:
            given: int | dict[str, int] | None = getattr(self, name)
            if isinstance(given, dict):
                yield from ((f"{name}.{part}", number) for part, number in given.items())
            elif given is not None:
                yield name, given
