"""Results: the beginning of an answer rides in the record, the whole of a longer one lies aside."""

from timegate.domain.values.identity import AttemptId
from timegate.domain.values.redaction import without_credentials
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass

#: A longer answer is kept as its beginning alone.
MAX_RESULT_BYTES = 256 * 1024

#: No more of an answer is looked through for credentials. That takes a second for two megabytes, in
#: which no other call of the process goes on, and Lambda functions may answer six.
MAX_EXAMINED = 2 * MAX_RESULT_BYTES

#: The beginning of a longer answer that rides in the record.
MAX_CHARACTERS = 500
_CUT = "…"


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredResult:
    """Blob that holds the whole of an answer."""

    blob: str
    size_bytes: int


def result_path(tenant: TenantId, attempt: AttemptId, fence: int) -> str:
    """The blob path of an answer: of one lease, so that a dead worker's replaces no other."""
    return f"results/{tenant}/{attempt}.{fence}"


def excerpt(text: str) -> str:
    """The beginning of a text without credentials, marked where it was cut."""
    # Before it is cut: half of a credential would not be recognised.
    plain = without_credentials(text[:MAX_EXAMINED])
    is_all = len(text) <= MAX_EXAMINED and len(plain) <= MAX_CHARACTERS
    return plain if is_all else f"{plain[: MAX_CHARACTERS - 1]}{_CUT}"


def was_cut(text: str) -> bool:
    """Tell if this is the beginning of a longer text."""
    return len(text) == MAX_CHARACTERS and text.endswith(_CUT)


def whole(text: str) -> str | None:
    """All of an answer but credentials, where an excerpt is not, unless it is too large."""
    if len(text) > MAX_EXAMINED:
        return None
    plain = without_credentials(text)
    if len(plain) <= MAX_CHARACTERS or len(plain.encode(errors="replace")) > MAX_RESULT_BYTES:
        return None
    return plain
