"""Make the stage that the context names, attach nag; nothing else."""

from aws_cdk import App, Validations
from cdk_nag import AwsSolutionsChecks

from timegate_cdk import Timegate


def build(app: App) -> App:
    """The whole app of the stage that the context names; an unexplained finding fails synthesis."""
    Timegate(app, "Timegate")
    Validations.of(app).add_plugins(AwsSolutionsChecks(app))
    return app


if __name__ == "__main__":
    build(App()).synth()
