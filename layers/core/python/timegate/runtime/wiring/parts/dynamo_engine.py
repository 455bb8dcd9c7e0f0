"""The engine of the functions' stores."""

from timegate.adapters.dynamo.tables.boto_engine import BotoEngine
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.runtime import clients


def dynamo_engine() -> Engine:
    """Build an engine over the function's own tables and rights."""
    return BotoEngine(clients.dynamodb())
