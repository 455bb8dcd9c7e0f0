"""Functions of a stage: those of every stage, and those that its choices add."""

from infra.stage.settings import FUNCTION_NAMES, StageSettings

#: Function of stages with a bus of events. It takes its concurrency from what the account leaves
#: unreserved: events may be late, and runs may not.
CLOUD_EVENTS = "cloud_events"


def deployed_functions(settings: StageSettings) -> tuple[str, ...]:
    """Name every function of a stage, as in ``physical_name``."""
    return (*FUNCTION_NAMES, CLOUD_EVENTS) if settings.events.on else FUNCTION_NAMES
