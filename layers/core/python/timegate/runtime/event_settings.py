"""Settings of what tells of changes, where the stage has a bus of events."""

from dataclasses import dataclass
from typing import Self

from timegate.runtime.variables import Environment


@dataclass(frozen=True, kw_only=True, slots=True)
class CloudEventSettings:
    """Settings of readers that tell of changes, where the stage has a bus of events."""

    stage: str
    queue_url: str
    #: JSON of ``Sampling``; empty: every event is sent.
    sampling: str
    #: Share of the stage's own traces that is recorded.
    trace_percent: float

    @classmethod
    def read(cls, env: Environment) -> Self:
        """Read from the environment."""
        return cls(
            stage=env.text("STAGE"),
            queue_url=env.text("CLOUD_EVENTS_QUEUE_URL"),
            sampling=env.optional("CLOUD_EVENTS_SAMPLING"),
            trace_percent=env.percent("TRACE_PERCENT"),
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class CloudEventSenderSettings:
    """Settings of the function that sends events."""

    telling: CloudEventSettings
    bus_name: str
    rejected_queue_url: str

    @classmethod
    def read(cls, env: Environment) -> Self:
        """Read from the environment."""
        return cls(
            telling=CloudEventSettings.read(env),
            bus_name=env.text("CLOUD_EVENTS_BUS"),
            rejected_queue_url=env.text("REJECTED_QUEUE_URL"),
        )
