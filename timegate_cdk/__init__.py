"""Timegate as a construct of the AWS CDK.

``Timegate(scope, "Timegate", TimegateProps(stage="prod"))`` deploys a stage with an app of yours.
"""

from infra.stacks.grants import NotGranted
from infra.stacks.naming import StageTaken
from infra.stacks.timegate import Timegate
from infra.stage.props import PropError, TimegateProps

__all__ = ["NotGranted", "PropError", "StageTaken", "Timegate", "TimegateProps"]
