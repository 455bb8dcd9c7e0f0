"""A shop with a stage of its own: a function makes jobs, jobs call another, a third hears of it.

pip install timegate-cdk && pip install --target examples/cdk/sdk/python timegate
cdk deploy --all --app "python examples/cdk/app.py" -c like=dev
"""

from pathlib import Path

from aws_cdk import App, CfnOutput, Duration, IStackSynthesizer, Stack
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_sqs as sqs

from timegate_cdk import Declarations, Timegate, TimegateProps

HERE = Path(__file__).resolve().parent
STAGE = "shop"
#: The name by which jobs call the function: the stage lists it.
REPORT = "shop-report"


class Shop(Stack):
    """The shop's own functions, in a stack beside those of the stage."""

    def __init__(
        self,
        app: App,
        *,
        timegate: Timegate,
        sdk: Path,
        synthesizer: IStackSynthesizer | None = None,
    ) -> None:
        super().__init__(app, "Shop", synthesizer=synthesizer)
        layer = lambda_.LayerVersion(self, "Sdk", code=lambda_.Code.from_asset(str(sdk)))
        report = self._function("Report", "report", function_name=REPORT)
        called = {"REPORT_ARN": report.function_arn}
        desk = self._function("Desk", "desk", layers=[layer], environment=called)
        timegate.grant_schedule(desk)
        books = sqs.Queue(self, "Books")
        clerk = self._function("Clerk", "clerk", environment={"BOOKS": books.queue_url})
        books.grant_send_messages(clerk)
        timegate.grant_consume_events(clerk, types=["io.timegate.run.succeeded"])
        nightly = {
            "kind": "Job",
            "name": "nightly report",
            "spec": {
                "schedule": {"kind": "cron", "cron": "0 2 * * *", "timezone": "Europe/Berlin"},
                "action": {"type": "lambda", "function_arn": report.function_arn},
                "payload": {"order": "all"},
            },
        }
        Declarations(self, "Schedules", documents=[nightly], sdk=layer, stage=timegate)
        CfnOutput(self, "StageUrl", value=timegate.api_url)
        CfnOutput(self, "StagePlannerName", value=timegate.function_names["planner"])
        CfnOutput(self, "DeskFunctionName", value=desk.function_name)
        CfnOutput(self, "BooksUrl", value=books.queue_url)

    def _function(self, name: str, module: str, **properties: object) -> lambda_.Function:
        return lambda_.Function(
            self,
            name,
            runtime=lambda_.Runtime.PYTHON_3_13,
            handler=f"{module}.handle",
            timeout=Duration.seconds(30),
            memory_size=512,
            code=lambda_.Code.from_asset(str(HERE / "functions"), exclude=["**/__pycache__"]),
            **properties,  # type: ignore[arg-type]
        )


def build(
    app: App, sdk: Path = HERE / "sdk", synthesizer: IStackSynthesizer | None = None
) -> Timegate:
    """Add the stage and the shop; the context's ``like`` names the settings of the stage."""
    timegate = Timegate(
        app,
        "Timegate",
        TimegateProps(
            stage=STAGE,
            like=app.node.try_get_context("like") or "dev",
            tenants=["shop"],
            events=True,
            lambda_targets=[REPORT],
        ),
    )
    Shop(app, timegate=timegate, sdk=sdk, synthesizer=synthesizer)
    return timegate


if __name__ == "__main__":
    app = App()
    build(app)
    app.synth()
