"""Payloads and results too large for an item."""

from aws_cdk import Duration
from aws_cdk import aws_s3 as s3
from constructs import Construct

from infra.constructs.data.private_bucket import PrivateBucket
from infra.stage.settings import StageSettings

#: The domain's bound: a checkpoint that was written at a run's beginning is needed at its end.
LONGEST_RUN_DAYS = 7


class Blobs(PrivateBucket):
    """A private, encrypted bucket: ``payloads/`` live as long as their job, the rest expires."""

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
                    # Written while the run is under way, and needed until its record is forgotten.
                    expiration=Duration.days(settings.run_retention_days + LONGEST_RUN_DAYS),
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
