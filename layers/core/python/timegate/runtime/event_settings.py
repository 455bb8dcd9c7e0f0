"""Settings of what tells of changes, where the stage has a bus of events."""

from timegate.runtime.variables import Environment, Settings, setting
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class CloudEventSettings(Settings):
    """Settings of readers that tell of changes, where the stage has a bus of events."""

    stage: str = setting(Environment.text, "STAGE")
    queue_url: str = setting(Environment.text, "CLOUD_EVENTS_QUEUE_URL")
    #: JSON of ``Sampling``; empty: every event is sent.
    sampling: str = setting(Environment.optional, "CLOUD_EVENTS_SAMPLING")
    #: Share of the stage's own traces that is recorded.
    trace_percent: float = setting(Environment.percent, "TRACE_PERCENT")


@dataclass(frozen=True, kw_only=True, slots=True)
class CloudEventSenderSettings(Settings):
    """Settings of the function that sends events."""

    telling: CloudEventSettings = setting(CloudEventSettings.read)
    bus_name: str = setting(Environment.text, "CLOUD_EVENTS_BUS")
    rejected_queue_url: str = setting(Environment.text, "REJECTED_QUEUE_URL")
