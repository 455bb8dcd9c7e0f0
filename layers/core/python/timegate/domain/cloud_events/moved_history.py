"""History that an import stored: another stage saw its transitions, and told them."""

from datetime import datetime, timedelta

from timegate.domain.cloud_events.cloud_event import CloudEvent
from timegate.domain.cloud_events.event_types import RUN_PLANNED

#: A function that stores an end or a change has ended within fifteen minutes of its instant.
STORED_WITHIN = timedelta(minutes=16)


def is_of_the_past(event: CloudEvent, *, written_at: datetime) -> bool:
    """Tell if a record that is new at ``written_at`` says what happened long before.

    No import stores an attempt that is to run: an attempt is planned in the stage that tells it,
    and a retry that is made good names the instant of its end.
    """
    return event.type is not RUN_PLANNED and event.time < written_at - STORED_WITHIN
