"""Forms of credentials that can be told from other text by their looks.

Most are those of gitleaks (config/gitleaks.toml) and detect-secrets (detect_secrets/plugins), which
are tools for repositories: they look for random text as well, and would refuse ids and checksums
here. A rule is tried only where one of its hints is in the text, so that most texts cost a few
searches.

Tenants write the texts, so each rule takes time linear in the length of its text: no character is
read again from each of many places where a credential might begin.
"""

import base64
import binascii
import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache

from timegate.domain.values.secret_names import is_placeholder
from timegate.value_classes import dataclass

#: No form is shorter: ``sig=abc``. Bodies may have any number of short texts.
SHORTEST = 7
#: Longer texts are seldom the same ones.
_OFTEN_REPEATED = 40


@dataclass(frozen=True, kw_only=True, slots=True)
class CredentialForm:
    """One form."""

    #: Kind in callers' words.
    kind: str
    #: Lower case; without one of these in the text there is no such credential in it.
    hints: tuple[str, ...]
    #: Its group ``secret`` is hidden, or else all of it. A match without that group passes over
    #: text in which no other credential of this form can begin.
    form: str
    #: Check beyond a pattern.
    is_one: Callable[[str], bool] = lambda secret: not is_placeholder(secret)
    #: Where the form is looked for in a text.
    places: Callable[[re.Pattern[str], str], Iterator[re.Match[str]]] = re.Pattern.finditer


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundCredential:
    """A credential in a text."""

    kind: str
    start: int
    end: int


def found_by(rules: tuple[CredentialForm, ...], text: str) -> Iterator[FoundCredential]:
    """Every credential in a text, rule by rule; what two rules find, both tell.

    ``rules``: all that are hidden, or the first ones of them.
    """
    if len(text) < SHORTEST:
        return
    hints = _hints_in(text) if len(text) > _OFTEN_REPEATED else _known_hints_in(text)
    if not hints:
        return
    places = {place for hint in hints for place in _PLACES[hint] if place < len(rules)}
    for rule in [rules[place] for place in sorted(places)]:
        form = compiled(rule.form)
        group = "secret" if "secret" in form.groupindex else 0
        for match in rule.places(form, text):
            if match[group] is not None and rule.is_one(match[group]):
                yield FoundCredential(
                    kind=rule.kind, start=match.start(group), end=match.end(group)
                )


@cache
def compiled(form: str) -> re.Pattern[str]:
    """Compile a form with the first text that has a hint of it: few texts of a process have one."""
    return re.compile(form)


def _hints_in(text: str) -> frozenset[str]:
    """Return the hints of forms that may be in a text: most texts of log lines have none."""
    lower = text.lower()
    return frozenset(hint for hint in _ALL_HINTS if hint in lower)


#: Names of fields, of tenants and of states are in each request and in each line.
_known_hints_in = lru_cache(maxsize=1024)(_hints_in)


def _is_user_and_password(secret: str) -> bool:
    try:
        plain = base64.b64decode(secret + "=" * (-len(secret) % 4), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return False
    return ":" in plain and plain.isprintable()


def _has_digit(secret: str) -> bool:
    return any(character.isdigit() for character in secret)


def _is_mixed(secret: str) -> bool:
    return _has_digit(secret) and any(character.isalpha() for character in secret)


#: Text of a token of ``lease_token``, until its signature; a target's names its tenant besides.
_LEASE = re.compile(rb"\d{1,9}\.\d{1,18}\.\d{8}T\d{9}Z\.[0-9a-f]{32}(?:\.\d+\.[!-~]+)?")

#: The longest run of characters that can be a lease token, and every run with room for one.
_LEASE_LENGTH = 301
_LEASE_RUN = re.compile(r"[A-Za-z0-9_-]{71,}+")


def _ends_of_runs(form: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Look for a form that ends with its run of characters, and has a length, in its last part."""
    for run in _LEASE_RUN.finditer(text):
        match = form.search(text, max(run.start(), run.end() - _LEASE_LENGTH), run.end())
        if match is not None:
            yield match


def _is_lease(secret: str) -> bool:
    try:
        said = base64.urlsafe_b64decode(secret + "=" * (-len(secret) % 4))
    except binascii.Error:
        return False
    return bool(_LEASE.fullmatch(said))


def _hint_of_lease(place: int) -> str:
    """Return ``.20`` and a digit's first bits in Base64, by their place in three bytes."""
    coded = base64.b64encode(b"\0" * place + b".20" + b"0" * 3).decode()
    return coded[-(-8 * place // 6) : (8 * place + 28) // 6].lower()


def _is_secret(secret: str) -> bool:
    return not is_placeholder(secret)


def _token(kind: str, form: str, *hints: str) -> CredentialForm:
    """Build the rule of a form that begins where a word begins."""
    return CredentialForm(
        kind=kind, hints=hints, form=rf"(?<![A-Za-z0-9_])(?:{form})", is_one=_is_secret
    )


def _long_token(kind: str, form: str, run: str, *hints: str) -> CredentialForm:
    """Build the rule of a form that goes on after a run of any length.

    Candidates within one run end where it ends: if the first is none, ``run`` skips the others.
    """
    return _token(kind, rf"(?P<secret>{form})|{run}", *hints)


_OF_KEY = r"[A-Za-z0-9/+]"
_BEGIN_KEY = r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
_END_KEY = _BEGIN_KEY.replace("BEGIN", "END")

#: Texts that may not be stored, and that are hidden wherever it appears.
CREDENTIALS = (
    # An id and, where it follows, its secret. Links that were signed beforehand name the id as
    # well: they expire, and handing them on is what they are for.
    _token(
        "an AWS access key",
        r"(?<!X-Amz-Credential=)(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Za-z0-9])"
        rf"(?:[^A-Za-z0-9/+]{{1,3}}{_OF_KEY}{{40}}(?!{_OF_KEY}))?",
        *("akia", "asia", "abia", "acca"),
    ),
    CredentialForm(
        kind="an AWS secret key",
        hints=("key",),
        form=(
            r"(?i:(?:aws|secret)[_ -]?(?:access)?[_ -]?key)[\\\"'\s:=]{1,6}"
            rf"(?P<secret>{_OF_KEY}{{40}})(?![A-Za-z0-9/+=])"
        ),
    ),
    CredentialForm(
        kind="a private key",
        hints=("private key",),
        form=rf"{_BEGIN_KEY}[^\"-]*+(?:-(?!----END)[^\"-]*+)*+(?:{_END_KEY})?",
    ),
    _long_token(
        "a JSON web token",
        r"eyJ[A-Za-z0-9_-]{10,}+\.eyJ[A-Za-z0-9_-]{10,}+\.[A-Za-z0-9_-]{10,}+",
        r"eyJ[A-Za-z0-9_-]*+",
        "eyj",
    ),
    _token("a GitHub token", r"gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{22,}", "gh", "github_pat"),
    _token("a GitLab token", r"gl(?:pat|dt|rt|ptt|cbt|soat)-[\w-]{20,}", "gl"),
    _token(
        "a Slack token", r"xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-\d-[A-Za-z0-9-]{10,}", "xox", "xapp"
    ),
    _token("a Stripe key", r"(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{10,}", "k_"),
    _token("a signing key of web hooks", r"whsec_[\w+/-]{20,}+={0,2}", "whsec_"),
    _token("a SendGrid key", r"SG\.[\w-]{16,32}\.[\w-]{16,64}", "sg."),
    _token("an npm token", r"npm_[A-Za-z0-9]{36}", "npm_"),
    _token("a PyPI token", r"pypi-AgE[\w-]{50,}", "pypi-"),
    _token("a Google API key", r"AIza[\w-]{35}(?![\w-])", "aiza"),
    _token("a Google token", r"ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,}", "ya29.", "gocspx-"),
    _token("an Anthropic key", r"sk-ant-[\w-]{20,}", "sk-ant-"),
    _long_token(
        "an OpenAI key",
        r"sk-(?:proj-|svcacct-|admin-)?[\w-]{16,}?T3BlbkFJ[\w-]{16,}+",
        r"sk-[\w-]*+",
        "t3blbkfj",
    ),
    _token("a Hugging Face token", r"hf_[A-Za-z]{34}", "hf_"),
    _token("a Shopify token", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}", "shp"),
    _token("a DigitalOcean token", r"do[opr]_v1_[a-f0-9]{64}", "_v1_"),
    _token("a Vault token", r"hv[sb]\.[\w-]{24,}", "hvs.", "hvb."),
    _token("a Databricks token", r"dapi[a-f0-9]{32}(?![A-Za-z0-9])", "dapi"),
    _token("a Square token", r"sq0[a-z]{3}-[\w-]{22,}", "sq0"),
    _token("a Mailchimp key", r"[0-9a-f]{32}-us\d{1,2}(?!\w)", "-us"),
    _token("a Telegram token", r"\d{8,10}:AA[\w-]{33}(?![\w-])", ":aa"),
    CredentialForm(
        kind="a lease token of Timegate's",
        hints=tuple(_hint_of_lease(place) for place in range(3)),
        form=r"(?<![A-Za-z0-9_])[MNO][A-Za-z0-9_-]{70,}+",
        is_one=_is_lease,
        places=_ends_of_runs,
    ),
    _token(
        "an API key of Timegate's",
        r"tgk__?[A-Za-z0-9][\w.@|:-]{0,127}\.[0-9]{2}\.[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])",
        "tgk_",
    ),
    _token("a signature of a web hook", r"v1,[A-Za-z0-9+/]{43}=", "v1,"),
    _token("an age key", r"AGE-SECRET-KEY-1[A-Z0-9]{58}", "age-secret-key-"),
    CredentialForm(
        kind="an Azure storage key",
        hints=("accountkey=", "sharedaccesskey="),
        form=r"(?i:(?:Account|SharedAccess)Key)=(?P<secret>[A-Za-z0-9/+]{40,}={0,2})",
    ),
    CredentialForm(
        kind="a URL with a password",
        hints=("://",),
        form=(
            r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,30}://[^\s/?#:@\"'<>\\]{0,256}"
            r":(?P<secret>[^\s/?#@\"'<>\\]{1,256})@"
        ),
    ),
    CredentialForm(
        kind="a user name with a password",
        hints=("basic ",),
        form=r"\b(?i:Basic)[ ]+(?P<secret>[A-Za-z0-9+/]{6,1024}={0,2})(?![\w+/=])",
        is_one=_is_user_and_password,
    ),
    CredentialForm(
        kind="a bearer token",
        hints=("bearer ",),
        form=r"\b(?i:Bearer)[ ]+(?P<secret>[A-Za-z0-9._~+/-]{16,}=*)",
        is_one=_has_digit,
    ),
)

_NAMES = (
    r"(?i:passw(?:or)?d|passphrase|secret|(?:api|access|private|auth)[_-]?key"
    r"|(?:access|api|auth|bearer|id|lease|refresh|security|session|csrf|xsrf)[_-]?token"
    r"|authorization|cookie|\bpwd|\bsig|-signature)"
)
_HINTS = ("pass", "pwd", "secret", "key", "token", "authorization", "cookie", "sig")
_VALUE = r"[^\s\"'\\,;&}\])]"

#: Forms hidden besides, where people read what programs said: a word in front gives them away. They
#: are no reason to refuse a text: a question for a password says "password:" as well.
SPOKEN = (
    CredentialForm(
        kind="a secret",
        hints=_HINTS,
        form=rf"{_NAMES}[\\\"']{{0,2}}=[\\\"']{{0,2}}(?P<secret>{_VALUE}{{3,}})",
    ),
    CredentialForm(
        kind="a secret",
        hints=_HINTS,
        form=(rf"{_NAMES}[\\\"']{{1,2}}[ ]{{0,2}}:[ ]{{0,2}}[\\\"']{{1,2}}(?P<secret>[^\"'\\]+)"),
    ),
    CredentialForm(
        kind="a secret",
        hints=_HINTS,
        form=(rf"(?<!:){_NAMES}[ ]?:[ ]{{0,2}}(?:[A-Za-z]{{5,6}} )?(?P<secret>{_VALUE}{{6,}})"),
        is_one=_is_mixed,
    ),
    CredentialForm(
        kind="an address that is a key",
        hints=("hooks.slack.com/", "/api/webhooks/"),
        form=(
            r"(?:hooks\.slack\.com/(?:services|workflows|triggers)"
            r"|discord(?:app)?\.com/api/webhooks)/(?P<secret>[\w/-]{8,})"
        ),
    ),
)

#: Forms that are looked for in what people read.
HIDDEN = (*CREDENTIALS, *SPOKEN)
_ALL_HINTS = frozenset(hint for form in HIDDEN for hint in form.hints)
#: The forms that have each hint, by their places.
_PLACES = {
    hint: [place for place, form in enumerate(HIDDEN) if hint in form.hints] for hint in _ALL_HINTS
}
