"""Payloads and results too large for an item."""

from aws_cdk import Duration
from aws_cdk import aws_s3 as s3
from constructs import Construct

from infra.constructs.data.private_bucket import PrivateBucket
from infra.stage.settings import StageSettings
from timegate.domain.restrictions.freeze import MAX_DAYS as LONGEST_FREEZE_DAYS
from timegate.domain.values.payload import RUN_PAYLOADS

#: The domain's bound: a checkpoint that was written at a run's beginning is needed at its end.
LONGEST_RUN_DAYS = 7
#: The domain's bounds: how far ahead a run is triggered, and how long a DAG run lasts, whose
#: parameters may be that run's payload.
FURTHEST_RUN_DAYS = 366
LONGEST_DAG_RUN_DAYS = 30


class Blobs(PrivateBucket):
    """A private, encrypted bucket: payloads of jobs stay, all that is a run's expires."""

    def __init__(self, scope: Construct, construct_id: str, *, settings: StageSettings) -> None:
        super().__init__(
            scope,
            construct_id,
            settings=settings,
            purpose="blobs",
            folders=("payloads", "results", "checkpoints"),
            rules=[
                s3.LifecycleRule(
                    id="results-follow-their-run",
                    prefix="results/",
                    expiration=Duration.days(settings.run_retention_days),
                ),
                s3.LifecycleRule(
                    id="checkpoints-follow-their-run",
                    prefix="checkpoints/",
                    # Written while the run is under way, and needed until its record is forgotten:
                    # a freeze may hold its next try or slice back meanwhile.
                    expiration=Duration.days(
                        LONGEST_RUN_DAYS + LONGEST_FREEZE_DAYS + settings.run_retention_days
                    ),
                ),
                s3.LifecycleRule(
                    id="payloads-of-runs-follow-them",
                    prefix=f"{RUN_PAYLOADS}/",
                    # Written with the run, which may be due a year later, and frozen or
                    # rescheduled by another year then; a dead letter that is tried again is kept
                    # for a retention more.
                    expiration=Duration.days(
                        FURTHEST_RUN_DAYS
                        + LONGEST_FREEZE_DAYS
                        + LONGEST_DAG_RUN_DAYS
                        + 2 * settings.run_retention_days
                    ),
                ),
                s3.LifecycleRule(
                    id="no-former-versions",
                    # A bucket that S3 replicates keeps versions: what expires is hidden alone.
                    expired_object_delete_marker=True,
                    noncurrent_version_expiration=Duration.days(1),
                ),
            ],
            unlogged="Only functions that need it reach it, a prefix each; who needs a record per "
            "object turns on CloudTrail data events for it.",
        )

    @property
    def payloads_arn(self) -> str:
        """Every payload object."""
        return self.objects_arn("payloads")

    @property
    def checkpoints_arn(self) -> str:
        """Every checkpoint object."""
        return self.objects_arn("checkpoints")

    @property
    def results_arn(self) -> str:
        """Every result object."""
        return self.objects_arn("results")
