"""Errors of approval links."""

from timegate.domain.values.errors import Conflict, NotFound


class LinkNotValid(NotFound):
    """The link opens nothing: a wrong signature reads as a link of nothing."""

    code = "link_not_valid"

    def __init__(self) -> None:
        super().__init__("The link is not valid, or not any more.")


class LinkExpired(Conflict):
    """The wait that the link speaks for has come to its end."""

    code = "link_expired"

    def __init__(self) -> None:
        super().__init__("The time to decide is over: the link has expired.")


class LinksNotAllowed(Conflict):
    """The task has no secret with which links are signed."""

    code = "links_not_allowed"

    def __init__(self, key: str) -> None:
        super().__init__(f"Task {key} has no link_secret: no link decides it.")
