"""A sealed month as its tenant fetches it."""

from timegate.domain.values.errors import NotFound
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class ExportedFile:
    """A file of an export: where it lies, how large it is, and its digest."""

    path: str
    bytes: int
    sha256: str
    #: An address at which it is read for a while, without credentials.
    url: str


class SealNotFound(NotFound):
    """The tenant has no signed seal of this month."""

    code = "seal_not_found"

    def __init__(self, month: str) -> None:
        super().__init__(
            f"There is no seal of {month}: a month is sealed one to eight days after its end."
        )
