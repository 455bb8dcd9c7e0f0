"""Refusal of a file."""

_EXCERPT_CHARACTERS = 120


class InvalidIcal(Exception):
    """A file that cannot be taken as it is; ``code`` is stable, ``detail`` is for people."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail


def excerpt(text: object) -> str:
    """The beginning of a stranger's text, on one line."""
    return " ".join(str(text).split())[:_EXCERPT_CHARACTERS]
