"""Tasks: a task of ECS on Fargate, which a run starts, follows and stops."""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from timegate.domain.actions.field_limits import ARN, Entries, Meaning, Text
from timegate.domain.actions.kind import PLACE, ActionKind, check_place, not_allowed
from timegate.domain.actions.target_rules import TargetPlace, TargetRules
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass

#: The list of clusters that a tenant's tasks may run in.
CLUSTERS = "ecs_clusters"
#: ECS takes overrides of 8,192 characters; the payload and the run's context are among them.
MAX_PAYLOAD_BYTES = 4_096
MAX_COMMAND_CHARACTERS = 1_024
_CLUSTER = re.compile(rf"arn:aws[a-z-]*:ecs:{PLACE}:cluster/[A-Za-z0-9_-]{{1,255}}")
_FAMILY = r"[A-Za-z0-9_-]{1,255}(:[1-9]\d{0,8})?"
_TASK_DEFINITION = re.compile(rf"(arn:aws[a-z-]*:ecs:{PLACE}:task-definition/)?{_FAMILY}", re.ASCII)


class Capacity(StrEnum):
    """Capacity that a task runs on."""

    FARGATE = "FARGATE"
    #: AWS may take it back with two minutes' notice.
    FARGATE_SPOT = "FARGATE_SPOT"


@dataclass(frozen=True, kw_only=True, slots=True)
class EcsAction(ActionKind):
    """A Fargate task of an ECS task definition on the stage's allow-list.

    The run ends as the task does.
    """

    type: ClassVar[str] = "ecs"
    payload_bytes: ClassVar[int | None] = MAX_PAYLOAD_BYTES
    crosses_accounts: ClassVar[bool] = False
    cluster_arn: Annotated[str, ARN]
    task_definition: Annotated[
        str, ARN, Meaning("A family, family:revision or ARN; without a revision, the latest one.")
    ]
    container: Annotated[
        str,
        Text(min_length=1, max_length=255, pattern=r"^[A-Za-z0-9_-]*$"),
        Meaning("It gets payload and run as variables; its exit code decides."),
    ]
    subnets: Annotated[
        tuple[Annotated[str, Text(max_length=64, pattern=r"^subnet-[0-9a-f]+$")], ...],
        Entries(at_most=16),
    ]
    command: Annotated[
        tuple[Annotated[str, Text(max_length=1_024)], ...],
        Entries(at_most=50),
        Meaning("The container's command, instead of the one of its image."),
    ] = ()
    security_groups: Annotated[
        tuple[Annotated[str, Text(max_length=64, pattern=r"^sg-[0-9a-f]+$")], ...],
        Entries(at_most=5),
        Meaning("Without any, the default one of the subnets' network."),
    ] = ()
    public_ip: Annotated[
        bool, Meaning("The task has a public address, to pull images without a NAT gateway.")
    ] = False
    capacity: Annotated[
        Capacity, Meaning("FARGATE_SPOT costs less; AWS may interrupt its tasks.")
    ] = Capacity.FARGATE
    platform_version: Annotated[
        Annotated[str, Text(max_length=16, pattern=r"^(LATEST|\d+\.\d+\.\d+)$")] | None,
        Meaning("Of Fargate; the latest without."),
    ] = None

    @property
    def address(self) -> str:
        """Return the ARN of the task definition's family."""
        return self.family_arn

    @property
    def place(self) -> TargetPlace:
        """Return the place of the cluster."""
        return TargetPlace.of(self.cluster_arn)

    @property
    def goes_on_alone(self) -> bool:
        """Tell that a task works on, for the function that waits for it."""
        return True

    @property
    def is_followed(self) -> bool:
        """Tell that an executor looks at the task from time to time."""
        return True

    @property
    def family_arn(self) -> str:
        """Return the ARN of the family, in the cluster's account and Region unless it has its own.

        It has no revision: lists of targets name families.
        """
        place, _, family = self.task_definition.rpartition("/")
        place = place or self.cluster_arn.rpartition(":")[0] + ":task-definition"
        return f"{place}/{family.partition(':')[0]}"

    def is_allowed(self, rules: TargetRules, tenant: TenantId) -> bool:
        """Tell if the tenant's jobs may run the task definition in the cluster."""
        return (
            self._runs_where_defined
            and rules.allows(self.type, tenant, self.family_arn)
            and rules.allows(CLUSTERS, tenant, self.cluster_arn)
        )

    @property
    def _runs_where_defined(self) -> bool:
        """ECS would run a definition of the same name, of the cluster's own account and region."""
        return TargetPlace.of(self.family_arn) == self.place

    def check(self, rules: TargetRules, tenant: TenantId) -> None:
        """Refuse what ECS refuses, and names off the tenant's lists; raises ``InvalidInput``."""
        if not _CLUSTER.fullmatch(self.cluster_arn):
            raise InvalidInput("action.cluster_arn", "invalid_arn", "It must be a cluster's ARN.")
        if not _TASK_DEFINITION.fullmatch(self.task_definition):
            detail = "It must be a family, a family:revision or the ARN of a task definition."
            raise InvalidInput("action.task_definition", "invalid_format", detail)
        check_place(self, "cluster_arn", rules)
        if not rules.allows(CLUSTERS, tenant, self.cluster_arn):
            raise not_allowed("action.cluster_arn", "cluster")
        if not rules.allows(self.type, tenant, self.family_arn):
            raise not_allowed("action.task_definition", "task definition")
        if not self._runs_where_defined:
            detail = "It must be in the account and the region of its cluster."
            raise InvalidInput("action.task_definition", "place_mismatch", detail)
        if not self.subnets:
            detail = "A Fargate task runs in at least one subnet."
            raise InvalidInput("action.subnets", "too_short", detail)
        size = sum(map(len, self.command))
        if size > MAX_COMMAND_CHARACTERS:
            detail = f"It has {size} characters; the limit is {MAX_COMMAND_CHARACTERS}."
            raise InvalidInput("action.command", "too_long", detail)

    @classmethod
    def words(cls, shown: Mapping[str, Any]) -> Sequence[str | None]:
        """Name the task definition and the cluster, and Spot."""
        is_spot = shown["capacity"] == Capacity.FARGATE_SPOT
        cluster = str(shown["cluster_arn"]).rpartition("/")[2]
        return [shown["task_definition"], f"in {cluster}", "on Spot" if is_spot else None]
