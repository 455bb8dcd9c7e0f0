"""State machines: an execution of Step Functions."""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from timegate.domain.actions.field_limits import ARN, Meaning
from timegate.domain.actions.kind import MAX_MESSAGE_PAYLOAD_BYTES, PLACE, ActionKind, check_arn
from timegate.domain.actions.target_rules import TargetPlace, TargetRules
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass

_STATE_MACHINE = re.compile(
    rf"arn:aws[a-z-]*:states:{PLACE}:stateMachine:[A-Za-z0-9_-]{{1,80}}(:[A-Za-z0-9_.-]{{1,80}})?"
)


class ExecutionMode(StrEnum):
    """End of a state machine's run."""

    #: When the execution has begun.
    START = "start"
    #: When the execution has ended; it ends as the execution did.
    WAIT = "wait"


@dataclass(frozen=True, kw_only=True, slots=True)
class StepFunctionsAction(ActionKind):
    """An execution of a state machine on the stage's allow-list."""

    type: ClassVar[str] = "stepfunctions"
    payload_bytes: ClassVar[int | None] = MAX_MESSAGE_PAYLOAD_BYTES
    crosses_accounts: ClassVar[bool] = False
    state_machine_arn: Annotated[str, ARN]
    mode: Annotated[
        ExecutionMode,
        Meaning("start: the run ends once the execution has begun; wait: as it does."),
    ] = ExecutionMode.START

    @property
    def address(self) -> str:
        """Return the state machine's ARN."""
        return self.state_machine_arn

    @property
    def place(self) -> TargetPlace:
        """Return the place that the ARN tells."""
        return TargetPlace.of(self.state_machine_arn)

    @property
    def goes_on_alone(self) -> bool:
        """Tell if the run ends as the execution does."""
        return self.mode is ExecutionMode.WAIT

    def check(self, rules: TargetRules, tenant: TenantId) -> None:
        """Refuse a state machine off the tenant's list; raises ``InvalidInput``."""
        arn = self.state_machine_arn
        check_arn(self, "state_machine_arn", arn, _STATE_MACHINE, rules, tenant)

    @classmethod
    def words(cls, shown: Mapping[str, Any]) -> Sequence[str | None]:
        """Name the end of its runs, and the state machine."""
        return [shown["mode"], shown["state_machine_arn"]]
