"""Functions that read the stream of a table."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from constructs import Construct

from infra.constructs.data.stores import Stores
from infra.constructs.data.tables import SchedulerTable
from infra.constructs.events.sources import StreamSource
from infra.constructs.runtime.description import Description, Given
from infra.constructs.runtime.scheduler_function import FunctionContext, SchedulerFunction
from infra.stage.delivery import STREAMS


@dataclass(frozen=True, kw_only=True)
class Stream:
    """The records of a table that a function reads."""

    #: Id of the source among the function's constructs.
    name: str
    table: Callable[[Stores], SchedulerTable]
    #: The patterns of records that are read: any of them.
    patterns: tuple[object, ...]
    #: Patterns of those that are read beside them where the stage tells of changes.
    told: Sequence[object] = ()
    batch_size: int = STREAMS.batch_size


class StreamFunction(SchedulerFunction):
    """A function that a stream feeds."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        context: FunctionContext,
        description: Description,
        given: Given,
        stream: Stream,
    ) -> None:
        super().__init__(scope, construct_id, context=context, description=description, given=given)
        StreamSource(
            self,
            stream.name,
            function=self,
            table=stream.table(given.stores),
            filters=[*stream.patterns, *(stream.told if context.settings.events.on else ())],
            rejected=given.rejects(),
            parallelism=context.settings.stream_parallelism,
            batch_size=stream.batch_size,
        )
