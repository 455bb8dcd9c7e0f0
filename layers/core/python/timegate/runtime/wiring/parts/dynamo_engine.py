"""The engine of the functions' stores, which writes in the time of its region."""

from timegate.adapters.dynamo.tables.boto_engine import BotoEngine
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.runtime import clients
from timegate.runtime.wiring import region_at_hand


def dynamo_engine() -> Engine:
    """Build an engine over the function's own tables and rights; it writes while its region acts.

    A stage of one region always acts.
    """
    return fenced(unfenced_engine())


def fenced(engine: Engine) -> Engine:
    """Let an engine write while its region acts, and read at any time."""
    region = region_at_hand()
    if region is None:
        return engine
    from timegate.adapters.dynamo.dispatch.fenced_engine import FencedEngine  # noqa: PLC0415

    return FencedEngine(engine, region)


def unfenced_engine() -> Engine:
    """Build the engine of those who write at any time.

    They record how runs end, whichever region is active by then, or count requests.
    """
    return BotoEngine(clients.dynamodb())
