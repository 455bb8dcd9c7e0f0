"""Timegate as a construct of the AWS CDK.

``Timegate(scope, "Timegate", TimegateProps(stage="prod"))`` deploys a stage with an app of yours.
"""

import infra.assets.shipped  # noqa: F401 - first: it lets packages of the server be imported
from infra.stacks.declarations import Declarations, NotDeclarable
from infra.stacks.grants import NotGranted
from infra.stacks.naming import StageTaken
from infra.stacks.timegate import Timegate
from infra.stage.given.props import PropError, TimegateProps

__all__ = [
    "Declarations",
    "NotDeclarable",
    "NotGranted",
    "PropError",
    "StageTaken",
    "Timegate",
    "TimegateProps",
]
