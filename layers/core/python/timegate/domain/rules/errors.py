"""Errors about notification rules.

NotFound
└── RuleNotFound
Conflict
├── VersionMismatch
│   └── RuleVersionMismatch
└── TooManyRules
"""

from timegate.domain.values.errors import Conflict, NotFound, VersionMismatch


class RuleNotFound(NotFound):
    """The tenant has no notification rule of this name."""

    code = "rule_not_found"

    def __init__(self, name: str) -> None:
        super().__init__(f"There is no notification rule {name}.")


class RuleVersionMismatch(VersionMismatch):
    """The caller asked for a version of the notification rule that is not the stored one."""

    def __init__(self, name: str, version: int) -> None:
        Conflict.__init__(self, f"Notification rule {name} is at version {version}.")


class TooManyRules(Conflict):
    """The tenant has as many notification rules as it may have, or has left too many names."""

    code = "too_many_rules"

    def __init__(self, limit: int, *, deleted: int = 0) -> None:
        super().__init__(
            f"The versions of {deleted} deleted notification rules are still kept; put one of their"
            " names, or wait."
            if deleted
            else f"A tenant may have {limit} notification rules; delete one."
        )
