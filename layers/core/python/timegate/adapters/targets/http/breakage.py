"""Breakage of exchanges, as failures of a target: stable codes, and no library's words."""

import ssl
from collections.abc import Iterator
from contextlib import contextmanager

from timegate.adapters.targets.failures import retryable, timed_out
from timegate.adapters.targets.http.connecting import ConnectionTimedOut, HandshakeFailed
from timegate.adapters.targets.http.deadline import DeadlinePassed
from timegate.adapters.targets.http.messages import HttpRequest
from timegate.adapters.targets.http.request import AnswerCutShort, InvalidAnswer

#: OpenSSL's verification results (``X509_V_ERR_…``), in words of ours.
_CERTIFICATE_PROBLEMS = {
    7: "carries a wrong signature",
    9: "is not valid yet",
    10: "has expired",
    18: "is signed by itself",
    19: "is signed by an authority that is not trusted",
    20: "is signed by an authority that is not trusted",
    21: "is signed by an authority that is not trusted",
    62: "names another host",
    64: "names another host",
}


@contextmanager
def classified(request: HttpRequest) -> Iterator[None]:
    """Raise ``TargetFailed`` for what goes wrong inside.

    Messages name the host and port of the job's own URL, and never an address that was looked up:
    a tenant learns nothing of private networks. All of it may pass, so all of it is retryable.
    """
    place = request.place
    try:
        yield
    except DeadlinePassed:
        raise timed_out(f"{place} did not answer in time.") from None
    except ConnectionTimedOut:
        raise timed_out(f"{place} accepted no connection in time.") from None
    except HandshakeFailed as failed:
        raise _tls_failed(place, failed.__cause__) from None
    except AnswerCutShort:
        message = f"{place} closed the connection before its answer was complete."
        raise retryable("connection_failed", "AnswerCutShort", message) from None
    except InvalidAnswer:
        message = f"{place} sent bytes that are no valid HTTP/1.1 answer."
        raise retryable("invalid_answer", "InvalidAnswer", message) from None
    except OSError as error:
        raise _broken(place, error) from None


def _tls_failed(place: str, error: BaseException | None) -> Exception:
    if isinstance(error, ssl.SSLCertVerificationError):
        problem = _CERTIFICATE_PROBLEMS.get(error.verify_code, "could not be verified")
        message = f"The certificate of {place} {problem}. Nothing was sent."
        return retryable("tls_failed", "CertificateRefused", message)
    message = f"{place} and Timegate agreed on no secure connection. Nothing was sent."
    return retryable("tls_failed", "HandshakeFailed", message)


def _broken(place: str, error: OSError) -> Exception:
    match error:
        case ssl.SSLError():
            message = f"The secure connection to {place} broke."
            return retryable("tls_failed", "ConnectionBroken", message)
        case ConnectionRefusedError():
            message = f"{place} refused the connection."
            return retryable("connection_failed", "ConnectionRefused", message)
        case ConnectionError():
            message = f"{place} broke the connection before its answer was complete."
            return retryable("connection_failed", "ConnectionReset", message)
        case _:
            message = f"{place} cannot be reached."
            return retryable("connection_failed", "Unreachable", message)
