"""Services that a deployment needs rights on: the page of deploying names each."""

from tests.infra.conftest import ROOT
from tests.infra.stage_template import StageTemplate

#: By the middle part of a resource's type.
NAMES = {
    "ApiGatewayV2": "API Gateway",
    "CloudFront": "CloudFront",
    "Events": "EventBridge",
    "Logs": "CloudWatch Logs",
    "Scheduler": "EventBridge Scheduler",
    "StepFunctions": "Step Functions",
    "XRay": "X-Ray",
}


def test_the_page_names_each_service_of_the_templates(
    keyed: StageTemplate, telling: StageTemplate, chosen: StageTemplate
) -> None:
    """Deployers who give CloudFormation fewer rights find them before a deployment fails."""
    page = (ROOT / "docs" / "operations" / "deploying.md").read_text()
    told = page.partition("`--cloudformation-execution-policies`")[2].partition("\n\n[")[0]
    services = {
        each.type.split("::")[1]
        for stage in (keyed, telling, chosen)
        for each in stage.resources
        if each.type.startswith("AWS::")
    }

    assert len(services) > 15
    assert {each for each in services if NAMES.get(each, each) not in told} == set()
