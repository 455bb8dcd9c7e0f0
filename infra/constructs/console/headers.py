"""Headers of the console's files: what its pages may load, reach and be embedded in."""

from collections.abc import Mapping, Sequence

#: Names of files under it change with their content.
ASSETS = "/assets/"
IMMUTABLE = "public, max-age=31536000, immutable"
REVALIDATED = "no-cache"
#: Features that the console does not use are closed.
PERMISSIONS = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
HSTS_SECONDS = 63_072_000


def content_policy(connect: Sequence[str]) -> str:
    """Return the content security policy; pages may call these origins and their own."""
    directives: Mapping[str, Sequence[str]] = {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        # Components set sizes and places through the document's own model, which needs no more.
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'", "data:"],
        "worker-src": ["'self'"],
        "connect-src": ["'self'", *connect],
        "base-uri": ["'none'"],
        "form-action": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
    return "; ".join(f"{name} {' '.join(sources)}" for name, sources in directives.items())


def security_headers(connect: Sequence[str]) -> dict[str, str]:
    """Return the headers of every file, as the stack and the local server send them."""
    return {
        "Content-Security-Policy": content_policy(connect),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Permissions-Policy": PERMISSIONS,
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
    }


def cache_rule(path: str) -> str:
    """Return the ``Cache-Control`` of a path."""
    return IMMUTABLE if path.startswith(ASSETS) else REVALIDATED
