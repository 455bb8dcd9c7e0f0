"""Pages for people: HTML without a script, of which a browser may load nothing else."""

from base64 import b64encode
from hashlib import sha256
from html import escape

MEDIA_TYPE = "text/html; charset=utf-8"
_STYLE = """\
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:3rem auto;max-width:36rem;padding:0 1rem}
dt{font-weight:600}
dd{margin:0 0 .75rem;overflow-wrap:anywhere}
textarea{box-sizing:border-box;font:inherit;width:100%}
button{font:inherit;margin:1rem 1rem 0 0;min-height:2.75rem;min-width:7rem}
footer{font-size:.8rem;margin-top:3rem;opacity:.8}"""
_DIGEST = b64encode(sha256(_STYLE.encode()).digest()).decode()
#: A page loads nothing, runs nothing, stands in no frame, and sends a form to its own address.
_POLICY = (
    f"default-src 'none'; style-src 'sha256-{_DIGEST}'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": _POLICY,
    # The address is a secret: no other page and no index is told it.
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Vary": "Accept",
}


def page(title: str, content: str) -> str:
    """Return a page; ``content`` is HTML, and of ``title`` every character is shown."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{shown(title)}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n<h1>{isolated(title)}</h1>\n{content}\n</main>\n</body>\n</html>\n"
    )


def facts(rows: dict[str, str | None]) -> str:
    """Return labelled texts as a list; those that are ``None`` are left out."""
    lines = "\n".join(
        f"<dt>{shown(label)}</dt><dd>{isolated(text)}</dd>"
        for label, text in rows.items()
        if text is not None
    )
    return f"<dl>\n{lines}\n</dl>"


def shown(text: str) -> str:
    """Return a text as HTML in which each of its characters is shown as it is."""
    return escape("".join(each if each.isprintable() else " " for each in text))


def isolated(text: str) -> str:
    """Return a text as ``shown`` does; the direction of its letters turns no neighbour round."""
    return f"<bdi>{shown(text)}</bdi>"


def refusal_page(detail: str, request_id: str) -> str:
    """Return the page of a request that was refused."""
    return page(
        "This cannot be shown",
        f"<p>{isolated(detail)}</p>\n<footer>Request {shown(request_id)}</footer>",
    )
