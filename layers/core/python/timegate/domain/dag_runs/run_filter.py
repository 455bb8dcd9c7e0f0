"""Filter of a DAG's runs in a listing."""

from timegate.domain.dag_runs.progress import DagRun, DagRunStatus
from timegate.domain.values.instant_range import EVER, InstantRange
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class DagRunFilter:
    """Common properties of runs of a DAG; ``None``: anything."""

    status: DagRunStatus | None = None
    #: An event started them by this trigger.
    event_trigger: str | None = None
    #: Instants at which they were created.
    within: InstantRange = EVER

    def matches(self, run: DagRun) -> bool:
        """Tell if the run is one of them; its instant is the store's."""
        trigger = run.event.event_trigger if run.event is not None else None
        return self.status in {None, run.status} and self.event_trigger in {None, trigger}
