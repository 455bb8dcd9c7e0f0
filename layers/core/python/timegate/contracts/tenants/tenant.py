"""The settings of tenants as they are asked for."""

from typing import Annotated

from pydantic import Field, StringConstraints

from timegate.contracts.restrictions import Reason
from timegate.contracts.values.fields import PRINTABLE, Contract
from timegate.domain.jobs.definition import UNSET
from timegate.domain.jobs.demands import ListRuns
from timegate.domain.limits.quotas import MOST, QUOTA_NAMES, Quotas
from timegate.domain.restrictions.freeze import ThawPolicy
from timegate.usecases.tenants.change_tenant import MAX_DISPLAY_NAME, NewSettings

Quota = Annotated[int, Field(ge=0, le=MOST)]
DisplayName = Annotated[str, StringConstraints(max_length=MAX_DISPLAY_NAME, pattern=PRINTABLE)]

NewJobsList = Annotated[
    ListRuns | None,
    Field(description="list_runs of jobs that are created without it; null: those that fail."),
]


class QuotasContract(Contract):
    """Quotas of a tenant; null: the stage's default."""

    jobs: Quota | None = Field(default=None, description="Registered, active or paused.")
    dags: Quota | None = None
    concurrent_runs: Quota | None = Field(default=None, description="At work at one moment.")
    runs_per_day: Quota | None = Field(default=None, description="Begun on one day, in UTC.")
    requests_per_second: Quota | None = None
    burst: Quota | None = Field(default=None, description="Requests at once, after a pause.")

    def to_domain(self) -> Quotas:
        """Return the domain's value."""
        return Quotas.of({name: getattr(self, name) for name in QUOTA_NAMES})


class TenantBody(Contract):
    """All that can be set for a tenant; what is left out is as the stage has it."""

    display_name: DisplayName = ""
    quotas: QuotasContract = QuotasContract()
    list_runs: NewJobsList = None

    def to_domain(self) -> NewSettings:
        """Return the use case's argument."""
        return NewSettings(
            display_name=self.display_name,
            quotas=self.quotas.to_domain(),
            list_runs=self.list_runs,
        )


class TenantPatch(Contract):
    """Changes of a tenant; a field or quota that is left out stays."""

    display_name: DisplayName = ""
    quotas: QuotasContract = QuotasContract()
    list_runs: NewJobsList = None

    def to_domain(self) -> NewSettings:
        """Return the use case's argument."""
        given, quotas = self.model_fields_set, self.quotas
        return NewSettings(
            display_name=self.display_name if "display_name" in given else None,
            quotas=quotas.to_domain() if "quotas" in given else None,
            kept=frozenset(QUOTA_NAMES) - quotas.model_fields_set,
            list_runs=self.list_runs if "list_runs" in given else UNSET,
        )


class SuspendRequest(Contract):
    """Reason of a suspension, and the policy for the runs that it holds back."""

    reason: Reason = Field(default="", description="For people, the tenant's among them.")
    thaw: ThawPolicy = Field(
        default=ThawPolicy.JOB,
        description="What runs once it is resumed; job: as each job's catch-up says.",
    )
