"""Tables, buckets and queues that the data stack gives to functions."""

from dataclasses import dataclass

from infra.constructs.data.archive_bucket import ArchiveBucket
from infra.constructs.data.blobs import Blobs
from infra.constructs.data.run_queues import RunQueues
from infra.constructs.data.tables import JobTable, RunTable


@dataclass(frozen=True, kw_only=True)
class Stores:
    """Tables, buckets and run queues; which of them a function may touch is its construct's."""

    jobs: JobTable
    runs: RunTable
    blobs: Blobs
    archive: ArchiveBucket
    queues: RunQueues
