"""Text that is no secret is never taken for one: ids, checksums, words and numbers."""

import base64
import json
import re

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.examples import some
from timegate.domain.values.credential_rules import CREDENTIALS, found_by
from timegate.domain.values.plaintext import refuse_plaintext
from timegate.domain.values.redaction import redact, without_credentials

_HEX = st.binary(min_size=4, max_size=64).map(bytes.hex)
_BASE64 = st.binary(max_size=96).map(lambda raw: base64.b64encode(raw).decode())
_BASE64_URL = st.binary(max_size=96).map(lambda raw: base64.urlsafe_b64encode(raw).decode())
_UUID = (
    st.uuids().map(str)
    | st.uuids().map(lambda each: each.hex)
    | st.uuids().map(lambda each: each.urn)
)
_WORD = st.from_regex(r"[A-Za-z]{1,12}(?:[-_ .:/][A-Za-z0-9]{1,12}){0,5}", fullmatch=True)
_UPPER = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", min_size=8, max_size=64)
_ANY = st.text(max_size=200)
#: Parts of payloads.
_TEXTS = st.one_of(_HEX, _BASE64, _BASE64_URL, _UUID, _WORD, _UPPER, _ANY)
_JSON = st.recursive(
    _TEXTS | st.integers() | st.floats(allow_nan=False) | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abcdefgh"), inner),
    max_leaves=12,
)


@settings(max_examples=some(150))
@given(_JSON)
def test_what_is_random_is_not_refused(value: object) -> None:
    """Nor hidden from a result: neither by its letters nor by its length."""
    refuse_plaintext({"payload": value})
    text = json.dumps(value, ensure_ascii=False)

    assert without_credentials(text) == text


@settings(max_examples=some(100))
@given(_ANY, st.sampled_from(["password=", "Bearer ", "-----BEGIN PRIVATE KEY-----", "https://a:"]))
@example("", "password=")
def test_redacting_twice_changes_nothing(text: str, beginning: str) -> None:
    """A record that was redacted when stored is redacted again when told."""
    once = redact(f"{beginning}{text}")

    assert redact(once) == once


#: Forms as one would write them without regard to time, by what they find.
_PLAINLY = {
    "a JSON web token": (
        r"(?<![A-Za-z0-9_])eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"
    ),
    "an OpenAI key": (
        r"(?<![A-Za-z0-9_])sk-(?:proj-|svcacct-|admin-)?[\w-]{16,}T3BlbkFJ[\w-]{16,}"
    ),
}
_PARTS = st.sampled_from(
    ["eyJ", "a" * 10, "a" * 16, "-", "_", ".", " ", "sk-", "proj-", "T3BlbkFJ", "é"]
)


@settings(max_examples=some(300))
@given(st.lists(_PARTS, max_size=16).map("".join))
@example("-eyJ-eyJ" + "a" * 10 + ".eyJ" + "a" * 10 + "." + "a" * 10)
@example("-sk-" + "a" * 16 + "T3BlbkFJT3BlbkFJ" + "a" * 16)
def test_forms_that_are_fast_find_what_plain_ones_find(text: str) -> None:
    """At the same places."""
    found = {(each.kind, each.start, each.end) for each in found_by(CREDENTIALS, text)}
    plainly = {
        (kind, *match.span())
        for kind, form in _PLAINLY.items()
        for match in re.finditer(form, text)
    }

    assert {each for each in found if each[0] in _PLAINLY} == plainly
