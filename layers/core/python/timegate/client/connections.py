"""Connections: the proxies and certificates of the environment, which httpx reads once."""

from collections.abc import Iterator
from contextlib import contextmanager

import httpx

from timegate.client.errors import NotConnectable


@contextmanager
def connecting() -> Iterator[None]:
    """Make a client of httpx within; raises ``NotConnectable`` for what it cannot use.

    It reads ``HTTPS_PROXY``, ``SSL_CERT_FILE`` and others when it is made, and raises what they
    happen to cause.
    """
    try:
        yield
    except (ImportError, OSError, ValueError, httpx.InvalidURL) as error:
        raise NotConnectable(str(error)) from error
