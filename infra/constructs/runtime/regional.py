"""Variables and rights of functions whose stage has two regions."""

from aws_cdk import Aws

from infra.constructs.observability.runbook import Runbook
from infra.constructs.runtime.description import Alarm, always
from infra.stage.settings import StageSettings
from timegate.ports.telemetry import service_metrics
from timegate.ports.telemetry.telemetry import PLANNER

#: The planner renews the time of its region.
RENEWER = PLANNER
#: Alarm on a function whose stage has two regions.
NOT_RENEWED = Alarm(
    name="region-not-renewed",
    meaning="The other region did not promise to stay passive: this one stops when its time ends.",
    metric=service_metrics.REGION_RENEWALS_FAILED,
    threshold=always(1),
    periods=2,
    runbook=Runbook.REGION_NOT_RENEWED,
)


def region_variables(settings: StageSettings, function: str) -> dict[str, str]:
    """Return the variables of a function; none in a stage of one region."""
    regions = settings.regions
    if regions is None:
        return {}
    table = {"REGION_TABLE": settings.physical_name("region")}
    if function != RENEWER:
        return table
    return {
        **table,
        "HOME_REGION": regions.home,
        "PEER_REGION": regions.peer,
        "REGION_SECONDS": str(regions.seconds),
    }


def region_rights(
    settings: StageSettings, function: str, jobs: str
) -> list[tuple[list[str], list[str]]]:
    """Return the rights of a function, as actions and ARNs; none in a stage of one region.

    ``jobs``: the ARN of the table of jobs.
    """
    regions = settings.regions
    if regions is None:
        return []
    own, peer = (_table(settings, each) for each in (regions.here, regions.peer))
    if function != RENEWER:
        return [(["dynamodb:GetItem"], [own])]
    return [
        (["dynamodb:GetItem", "dynamodb:UpdateItem"], [own, peer]),
        # After a promotion it compares each job with its records, and has no index of all jobs.
        (["dynamodb:Scan", "dynamodb:Query", "dynamodb:GetItem"], [jobs]),
    ]


def _table(settings: StageSettings, region: str) -> str:
    name = settings.physical_name("region")
    return f"arn:{Aws.PARTITION}:dynamodb:{region}:{Aws.ACCOUNT_ID}:table/{name}"
