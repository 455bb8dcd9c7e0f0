"""The dashboard of tenants and jobs: who runs how much, how it ends, and about what it costs."""

from collections.abc import Mapping

from aws_cdk import Duration
from aws_cdk import aws_cloudwatch as cw
from constructs import Construct

from infra.constructs.observability.log_queries import BUSINESS, USD_PER_RUN, log_groups
from infra.stage.settings import StageSettings

_TITLES: Mapping[str, str] = {
    "outcomes-over-time": "Attempts by their end",
    "outcomes-by-tenant": "Outcomes by tenant",
    "top-jobs": "Busiest jobs",
    "failing-jobs": "Jobs that fail",
    "retries-by-tenant": "Errors by tenant",
    "quota-refusals-by-tenant": "Refusals by quotas",
    "cost-by-tenant": "About the cost by tenant (USD)",
}


class BusinessDashboard(Construct):
    """Show queries of logs, which cost when a person looks and nothing else."""

    def __init__(self, scope: Construct, construct_id: str, *, settings: StageSettings) -> None:
        super().__init__(scope, construct_id)
        about = cw.TextWidget(
            markdown=f"# Timegate {settings.name}: tenants and jobs\n"
            "Each panel is a query of the log event `run_ended`, which lists attempts. Costs are"
            f" {USD_PER_RUN:.5f} USD for an attempt; the page `docs/design/cost.md` has them by"
            " kind.",
            width=24,
            height=2,
        )
        panels = [_panel(name, title, settings) for name, title in _TITLES.items()]
        cw.Dashboard(
            self,
            "Dashboard",
            dashboard_name=settings.physical_name("business"),
            default_interval=Duration.hours(24),
            widgets=[
                [about],
                [panels[0]],
                *(panels[start : start + 2] for start in range(1, len(panels), 2)),
            ],
        )


def _panel(name: str, title: str, settings: StageSettings) -> cw.IWidget:
    over_time = name == "outcomes-over-time"
    view = cw.LogQueryVisualizationType
    return cw.LogQueryWidget(
        title=title,
        log_group_names=[*log_groups(settings)],
        query_string=BUSINESS[name],
        view=view.STACKEDAREA if over_time else view.TABLE,
        width=24 if over_time else 12,
        height=6,
    )
