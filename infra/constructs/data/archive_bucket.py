"""The bucket of the archive: what ended runs, gaps and changes leave when their records expire."""

from aws_cdk import Duration
from aws_cdk import aws_s3 as s3
from constructs import Construct

from infra.constructs.data.private_bucket import PrivateBucket
from infra.stage.settings import StageSettings
from timegate.domain.archive.columns import RecordKind

#: Results of queries; people read them at once, or ask again.
QUERIES = "queries/"
_QUERY_DAYS = 7
#: Folders of what the archiver writes.
FOLDERS = (*(kind.value for kind in RecordKind), "rounds", "seals")


class ArchiveBucket(PrivateBucket):
    """A private, encrypted bucket that no function can delete from; its files never expire."""

    def __init__(self, scope: Construct, construct_id: str, *, settings: StageSettings) -> None:
        super().__init__(
            scope,
            construct_id,
            settings=settings,
            purpose="archive",
            folders=FOLDERS,
            rules=[
                s3.LifecycleRule(
                    id="results-of-queries-expire",
                    prefix=QUERIES,
                    expiration=Duration.days(_QUERY_DAYS),
                )
            ],
            unlogged="One function writes it, and its lists name every file with its digest; who "
            "needs a record per reader turns on CloudTrail data events for it.",
        )

    @property
    def file_arns(self) -> list[str]:
        """Return every file of the archive, its seals, and the plans and lists of its rounds."""
        return [self.objects_arn(folder) for folder in FOLDERS]
