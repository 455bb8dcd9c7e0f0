"""Functions: an invocation of Lambda."""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from timegate.domain.actions.callbacks import check_silence, given_or_default
from timegate.domain.actions.field_limits import ARN, Meaning, Seconds
from timegate.domain.actions.kind import PLACE, ActionKind, check_arn
from timegate.domain.actions.target_rules import TargetPlace, TargetRules
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass

_FUNCTION = re.compile(
    rf"arn:aws[a-z-]*:lambda:{PLACE}:function:[A-Za-z0-9_-]{{1,64}}(:[A-Za-z0-9_$-]{{1,128}})?"
)


class Invocation(StrEnum):
    """End of a function's run."""

    #: When the function returns.
    SYNC = "sync"
    #: When Lambda has queued the event; what becomes of it is Lambda's business.
    ASYNC = "async"
    #: When the function calls back; Lambda has queued the event by then.
    CALLBACK = "callback"


@dataclass(frozen=True, kw_only=True, slots=True)
class LambdaAction(ActionKind):
    """An invocation of a Lambda function on the stage's allow-list."""

    type: ClassVar[str] = "lambda"
    function_arn: Annotated[str, ARN]
    invocation: Annotated[
        Invocation,
        Meaning(
            "sync: the run ends as the function does; async: once queued; callback: as the "
            "function says, later."
        ),
    ] = Invocation.SYNC
    heartbeat_seconds: Annotated[
        Annotated[int, Seconds()] | None,
        Meaning("How long a target that calls back may be silent; 60 without."),
    ] = None
    tenant_isolation: Annotated[
        bool,
        Meaning(
            "Lambda runs it in environments of this tenant alone, if the function was made so."
        ),
    ] = False

    def __post_init__(self) -> None:
        """A target that calls back may be silent for a minute, unless the job says otherwise."""
        seconds = given_or_default(self.heartbeat_seconds, calls_back=self._calls_back)
        object.__setattr__(self, "heartbeat_seconds", seconds)

    @property
    def address(self) -> str:
        """Return the function's ARN."""
        return self.function_arn

    @property
    def place(self) -> TargetPlace:
        """Return the place that the ARN tells."""
        return TargetPlace.of(self.function_arn)

    @property
    def silence_seconds(self) -> int | None:
        """Return how long a function that calls back may be silent."""
        return self.heartbeat_seconds if self._calls_back else None

    @property
    def may_continue(self) -> bool:
        """Tell if the function returns to the executor or calls back."""
        return self.invocation is not Invocation.ASYNC

    @property
    def _calls_back(self) -> bool:
        return self.invocation is Invocation.CALLBACK

    def check(self, rules: TargetRules, tenant: TenantId) -> None:
        """Refuse a function off the tenant's list; raises ``InvalidInput``."""
        check_arn(self, "function_arn", self.function_arn, _FUNCTION, rules, tenant)
        check_silence(self.heartbeat_seconds, calls_back=self._calls_back)

    @classmethod
    def words(cls, shown: Mapping[str, Any]) -> Sequence[str | None]:
        """Name the function, and how it is invoked where that is not the default."""
        how = shown["invocation"]
        return [
            shown["function_arn"],
            how if how != Invocation.SYNC else None,
            "tenant isolation" if shown.get("tenant_isolation") else None,
        ]
