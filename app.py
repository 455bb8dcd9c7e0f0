"""Build settings, create stacks, attach nag; nothing else."""

from aws_cdk import App, Tags, Validations
from cdk_nag import AwsSolutionsChecks

from infra.stacks.timegate import add_stacks
from infra.stage.stage_context import stage_settings


def build(app: App) -> App:
    """The whole app of the stage that the context names; an unexplained finding fails synthesis."""
    settings = stage_settings(app.node.try_get_context)
    add_stacks(app, settings)
    Tags.of(app).add("timegate:stage", settings.name)
    Validations.of(app).add_plugins(AwsSolutionsChecks(app))
    return app


if __name__ == "__main__":
    build(App()).synth()
