"""The console of a stage: if the stack serves it, at which domain, and where people sign in."""

import re
from collections.abc import Callable
from dataclasses import dataclass

_CERTIFICATE = re.compile(r"arn:aws[a-z-]*:acm:us-east-1:\d{12}:certificate/[A-Za-z0-9-]{1,64}")
_TRACE_URL = re.compile(r"https://[^{}\s]+\{(trace_id|xray_id)\}[^{}\s]*")
_DOMAIN = re.compile(r"(?!-)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+")


class ConsoleError(ValueError):
    """The context says of the console what cannot be."""


@dataclass(frozen=True, kw_only=True)
class Endpoints:
    """Endpoints of an issuer of the owner's own."""

    authorize_url: str
    token_url: str
    logout_url: str


@dataclass(frozen=True, kw_only=True)
class ConsoleChoice:
    """Choices of a stage's console."""

    #: The stack serves it.
    served: bool = False
    #: A domain of the owner's, with its certificate in us-east-1; empty: CloudFront's own.
    domain: str = ""
    certificate: str = ""
    #: ``None``: those of the stage's own pool.
    endpoints: Endpoints | None = None
    #: Where a trace is seen, with ``{trace_id}`` or ``{xray_id}`` in it; empty: ids are no links.
    trace_url: str = ""


def console_choice(context: Callable[[str], str | None]) -> ConsoleChoice:
    """Read ``console``, ``consoleDomain`` and so on; raises ``ConsoleError``."""
    text = context("console") or "off"
    if text not in {"on", "off"}:
        raise ConsoleError(f"console: {text!r} is neither on nor off")
    domain, certificate = context("consoleDomain") or "", context("consoleCertificate") or ""
    if bool(domain) != bool(certificate):
        raise ConsoleError("consoleDomain and consoleCertificate go together: set both, or neither")
    if domain and not _DOMAIN.fullmatch(domain):
        raise ConsoleError(f"consoleDomain: {domain!r} is no name of a host")
    if certificate and not _CERTIFICATE.fullmatch(certificate):
        raise ConsoleError("consoleCertificate: CloudFront takes the ARN of one in us-east-1")
    served = text == "on"
    return ConsoleChoice(
        served=served,
        domain=domain,
        certificate=certificate,
        endpoints=_endpoints(context) if served and context("issuer") else None,
        trace_url=_trace_url(context("traceUrl") or ""),
    )


def _trace_url(text: str) -> str:
    """Check a place of traces: an https address with one name of the id to be put in."""
    if text and not _TRACE_URL.fullmatch(text):
        raise ConsoleError(
            f"traceUrl: {text!r} is no https address with {{trace_id}}, or {{xray_id}}, in it once"
        )
    return text


def _endpoints(context: Callable[[str], str | None]) -> Endpoints:
    names = ("consoleClient", "authorizeUrl", "tokenUrl", "logoutUrl")
    missing = [name for name in names if not context(name)]
    if missing:
        raise ConsoleError(f"console at an issuer of your own: {', '.join(missing)} is missing")
    return Endpoints(
        authorize_url=context("authorizeUrl") or "",
        token_url=context("tokenUrl") or "",
        logout_url=context("logoutUrl") or "",
    )
