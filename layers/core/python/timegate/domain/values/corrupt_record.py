"""Damage: what is raised over a record that could be read, and makes no sense."""

from timegate.domain.values.errors import InvalidInput, Malformed

#: Errors that rules raise when a stored record is damaged, although it could be read: a cron
#: pattern that is none, a time zone that was withdrawn. Code that works on many records catches
#: these for each.
DAMAGE: tuple[type[Exception], ...] = (
    InvalidInput,
    Malformed,
    ArithmeticError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)


class BlobMissing(Malformed):
    """A text that a record names is not in the blob store: it is lost, or has expired.

    A region gets what another one stored minutes later.
    """

    code = "payload_lost"

    def __init__(self, path: str) -> None:
        super().__init__(f"There is no blob {path}.")
        self.path = path
