"""Lambda's delivery: numbers that the stacks deploy, and that the crash matrix plays by."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class StreamRules:
    """Limits after which Lambda gives a batch of a stream up, and describes it in ``rejected``."""

    batch_size: int
    #: Tries of a batch after its first. To split a batch is no try.
    retries: int
    max_record_age_seconds: int


STREAMS = StreamRules(batch_size=100, retries=5, max_record_age_seconds=3_600)
#: AWS's advice for event sources: a queue hides messages for so many time-outs of its function.
#: Run queues do not keep to it (docs/operations/deploying.md, Throttled batches).
VISIBILITY_PER_TIMEOUT = 6
#: The dead-letter function's time-out.
DEAD_LETTER_TIMEOUT_SECONDS = 30
#: Tries of a tick after its first: the next tick does its work.
TICK_RETRIES = 0
#: The function that sends events: one call of EventBridge, and its retries.
EVENT_TIMEOUT_SECONDS = 20
#: Tries of an event before it is a dead letter, one each time that its message is visible: a bus
#: may refuse it for more than three hours.
EVENT_TRIES = 100
#: How long a tick may wait: at EventBridge Scheduler for Lambda, and in Lambda for its function.
#: Twice the time between two, so that a service that delivers late does not stop all of them.
TICK_MAX_AGE_SECONDS = 120
#: A look is delayed by up to two minutes; one that was not taken in time is worth nothing.
LOOK_RETENTION_SECONDS = 180
