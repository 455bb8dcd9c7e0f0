"""The usage of one attempt: the measured flow that it went through, and what its record says."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum

from timegate.domain.jobs.demands import ResourceClass
from timegate.domain.metering.flow import Flow
from timegate.domain.metering.measured_flows import BATCH, FLOWS, PLANNED, TARGET_SECONDS
from timegate.domain.metering.usage import BilledUsage
from timegate.domain.runs.run import TERMINAL, Attempt
from timegate.domain.values.identity import Origin
from timegate.value_classes import dataclass

#: DynamoDB adds so much to each item.
_ITEM_OVERHEAD = 100
_KILOBYTE = 1024
#: Writes of an attempt's whole item behind its target's answer, and all of them.
_WRITES_BEHIND, _WRITES = 1, 4
_SECOND = timedelta(seconds=1)
#: Gigabytes of memory of executors, as ``infra/stage/capacity.py`` has them; a test compares both.
#: Flows are measured on ``short``.
GIGABYTES: Mapping[ResourceClass, float] = {ResourceClass.SHORT: 1, ResourceClass.LONG: 0.5}


class AttemptKind(StrEnum):
    """Kinds of attempts that a report counts apart."""

    SCHEDULED = "scheduled"
    ONE_SHOT = "one_shot"
    TRIGGERED = "triggered"
    RETRY = "retry"
    NOTIFICATION = "notification"
    DAG_TASK = "dag_task"


_FLOWS = {
    AttemptKind.ONE_SHOT: Flow.ONE_SHOT,
    AttemptKind.TRIGGERED: Flow.TRIGGERED,
    AttemptKind.RETRY: Flow.RETRY,
    AttemptKind.NOTIFICATION: Flow.NOTICE,
    AttemptKind.DAG_TASK: Flow.TASK,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class MeteredAttempt:
    """An attempt on record, and what its item shows beside it."""

    attempt: Attempt
    size_bytes: int
    #: First attempts of its job that were stored at the same instant, this one included.
    planned_with: int = 1

    def ended_within(self, since: datetime, until: datetime) -> bool:
        """Tell if it ended after ``since``, and not after ``until``."""
        ended_at = self.attempt.ended_at
        return self.attempt.state in TERMINAL and ended_at is not None and since < ended_at <= until

    @property
    def kind(self) -> AttemptKind:
        """Return what is counted of it."""
        origin = self.attempt.id.run.origin
        if self.attempt.id.number > 1:
            return AttemptKind.RETRY
        if origin is Origin.TASK:
            return AttemptKind.DAG_TASK
        if origin is Origin.NOTIFICATION:
            return AttemptKind.NOTIFICATION
        if origin is not Origin.SCHEDULE:
            return AttemptKind.TRIGGERED
        return AttemptKind.ONE_SHOT if self.is_one_shot else AttemptKind.SCHEDULED

    @property
    def is_one_shot(self) -> bool:
        """Tell if its job has no other run, or none after it."""
        return self.attempt.id.run.origin is Origin.SCHEDULE and self.attempt.final

    @property
    def busy_seconds(self) -> float:
        """Return how long a function of the stage waited for its target."""
        attempt = self.attempt
        if attempt.started_at is None or attempt.ended_at is None or self._is_elsewhere:
            return 0
        handed = attempt.lease.handed_over_at if attempt.lease is not None else None
        return max(((handed or attempt.ended_at) - attempt.started_at) / _SECOND, 0)

    @property
    def environment_seconds(self) -> float:
        """Return its share of the time of an environment.

        The runs of a claim share one. Where calls are long, their executor knows how many of them
        were under way beside it.
        """
        shared = self.attempt.environment_ms
        if shared is not None and not self._is_elsewhere:
            return shared / 1000
        return self.busy_seconds / self._batch

    @property
    def usage(self) -> BilledUsage:
        """Return the quantities that AWS bills for it."""
        own = self._flow()
        if self.is_pooled and not self.attempt.is_task:
            # A run that shares its plan has fewer messages than the daily run that is taken off.
            own += self._shared(Flow.POOL) + self._shared(Flow.DAILY).times(-1)
            own = own.at_least_nothing()
        return own + self._beyond(own)

    @property
    def is_pooled(self) -> bool:
        """A worker of a pool claimed it, where no message brings a run."""
        pickup = self.attempt.pickup
        return pickup is not None and pickup.published_at is None

    @property
    def _is_elsewhere(self) -> bool:
        """Another process has its time: a worker of a pool, or a DAG run."""
        return self.is_pooled or self.attempt.dag_run is not None

    @property
    def _batch(self) -> int:
        return self.attempt.pickup.batch if self.attempt.pickup is not None else 1

    def _flow(self) -> BilledUsage:
        flow = _FLOWS.get(self.kind)
        if flow is not None:
            return self._shared(flow)
        # A plan's runs share its writes.
        weight = _weight(self.planned_with, PLANNED)
        minutely, daily = self._shared(Flow.MINUTELY), self._shared(Flow.DAILY)
        return minutely.times(1 - weight) + daily.times(weight)

    def _shared(self, flow: Flow) -> BilledUsage:
        """The share of a run in its batch."""
        weight = _weight(self._batch, BATCH)
        alone, together = FLOWS[flow]
        return alone.times(weight) + together.times(1 - weight)

    def _beyond(self, own: BilledUsage) -> BilledUsage:
        """Differences from the measured run: its target's time, its size, its claims."""
        attempt = self.attempt
        measured = 0 if self._is_elsewhere else TARGET_SECONDS
        kilobytes = -(-self.size_bytes // _KILOBYTE)
        writes = _WRITES if attempt.payload is not None else _WRITES_BEHIND
        stored = 0 if self.attempt.is_task else self.size_bytes + _ITEM_OVERHEAD
        return BilledUsage(
            gb_seconds=self.environment_seconds * GIGABYTES[attempt.resource_class]
            - measured / self._batch,
            stored_bytes=stored - own.stored_bytes if stored else 0,
            # A run that was never claimed has one write less: its end is its first.
            write_units=(kilobytes - 1) * writes + attempt.leases - 1,
        )


def _weight(shared_by: int, many: int) -> float:
    """The weight of what one pays alone: 1 for one, 0 for ``many`` and more, by its share."""
    return max(1 / shared_by - 1 / many, 0) / (1 - 1 / many)
