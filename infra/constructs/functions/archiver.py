"""The archiver: writes ended runs, gaps and changes to files before their records expire."""

from infra.constructs.data.archive_bucket import FOLDERS
from infra.constructs.observability.alerts import Concern
from infra.constructs.observability.runbook import Runbook
from infra.constructs.runtime import places
from infra.constructs.runtime.description import (
    Alarm,
    Description,
    Seldom,
    Silence,
    TellMissing,
    allow,
    always,
)
from timegate.ports.telemetry import service_metrics

#: A round begins every seven days; records expire after thirty.
_LATE_DAYS = 15
#: Minutes between two ticks.
ARCHIVE_MINUTES = 60

#: It walks over both tables, and creates files: it can change no record, and no file.
ARCHIVER = Description(
    name="archiver",
    # Lambda's longest: a tick takes as many segments as it can.
    timeout_seconds=always(900),
    # The rows of a segment are in memory at once, and a whole processor packs them.
    memory_mb=2048,
    is_traced=False,
    seldom=Seldom(every_minutes=ARCHIVE_MINUTES),
    variables=("JOBS_TABLE", "RUNS_TABLE", "ARCHIVE_BUCKET", "SEAL_KEY"),
    rights=(
        allow(["dynamodb:DescribeTable", "dynamodb:Scan"], places.jobs, places.runs),
        allow(["s3:GetObject", "s3:PutObject"], places.archived),
        TellMissing(prefixes=FOLDERS, is_archive=True),
        allow(["kms:GetPublicKey", "kms:Sign"], places.seal_key),
    ),
    # An archive that no tick measures has no age.
    silence=Silence(
        minutes=3 * ARCHIVE_MINUTES,
        meaning="No tick reached the archiver for three hours: history expires unarchived.",
        concern=Concern.FLAW,
        runbook=Runbook.ARCHIVE_BEHIND,
        is_ticking=lambda settings: settings.archive,
    ),
    alarms=(
        Alarm(
            name="behind",
            meaning="Days of history are not archived, and expire within two weeks.",
            metric=service_metrics.ARCHIVE_AGE_MS,
            statistic="Maximum",
            threshold=always(_LATE_DAYS * 86_400_000),
            every_minutes=ARCHIVE_MINUTES,
            concern=Concern.FLAW,
            runbook=Runbook.ARCHIVE_BEHIND,
        ),
    ),
)
