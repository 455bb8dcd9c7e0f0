"""Which targets a stage may invoke; everything not named is refused."""

from dataclasses import dataclass
from fnmatch import fnmatchcase
from urllib.parse import urlsplit


@dataclass(frozen=True, kw_only=True, slots=True)
class TargetRules:
    """Patterns with ``*``: function ARNs, and queue ARNs (a queue URL is judged by its ARN)."""

    allowed_lambda_targets: tuple[str, ...] = ()
    allowed_queue_targets: tuple[str, ...] = ()

    def allows_function(self, arn: str) -> bool:
        """Whether the function may be invoked, as a whole or at a version or alias of it."""
        unqualified = ":".join(arn.split(":")[:7])
        return _matches(arn, self.allowed_lambda_targets) or _matches(
            unqualified, self.allowed_lambda_targets
        )

    def allows_queue(self, url: str) -> bool:
        """Whether the queue may be sent to; patterns name its ARN or its URL."""
        arn = queue_arn(url)
        return _matches(url, self.allowed_queue_targets) or (
            arn is not None and _matches(arn, self.allowed_queue_targets)
        )


def queue_arn(url: str) -> str | None:
    """The ARN of the queue behind a URL, its Region unknown: a pattern's ``*`` must cover it."""
    parts = urlsplit(url)
    account, _, name = parts.path.strip("/").partition("/")
    host = (parts.hostname or "").split(".")
    if not name or "/" in name or not account.isdigit():
        return None
    region = host[1] if host[0] == "sqs" and len(host) > 1 else ""
    return f"arn:aws:sqs:{region}:{account}:{name}"


def _matches(text: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(text, pattern) for pattern in patterns)
