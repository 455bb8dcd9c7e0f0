"""``docs/operations/stages/embedding.md``: programs of the example, and codes that are raised."""

import re
import sys
from pathlib import Path
from textwrap import dedent

from tests.support.wheels import ROOT, run

PAGE = (ROOT / "docs" / "operations" / "stages" / "embedding.md").read_text()
STACKS = ROOT / "infra" / "stacks"


def rows(heading: str) -> list[str]:
    """The first column of the table below a heading."""
    _, _, below = PAGE.partition(f"## {heading}\n")
    return re.findall(r"^\| (`[^|]*) \|", below.partition("\n## ")[0], re.MULTILINE)


def test_programs_of_the_page_are_parts_of_the_example() -> None:
    """The example is deployed on the local cloud by a test."""
    texts = [path.read_text() for path in (ROOT / "examples" / "cdk").rglob("*.py")]
    programs = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)

    assert len(programs) == 5
    assert [each for each in programs if not any(each in text for text in texts)] == []


def test_codes_of_the_page_are_those_that_are_raised() -> None:
    """By the construct; the account's is shared with the command line."""
    texts = [(STACKS / name).read_text() for name in ("declarations.py", "grants.py", "naming.py")]
    raised = re.findall(r"(?:Not(?:Declarable|Granted)\(\s*|code = )\"(\w+)\"", "".join(texts))
    listed = [each.strip("`") for each in rows("Refusals")]

    assert sorted(listed) == sorted({*raised, "account_concurrency_too_low"})


def test_attributes_of_the_page_are_those_of_the_construct() -> None:
    """Each that is public, and none besides."""
    text = (STACKS / "timegate.py").read_text()
    found = set(re.findall(r"self\.([a-z]\w+)(?:: [\w\[\]]+)? = ", text))
    found |= set(re.findall(r"@property\n    def (\w+)", text))
    listed = {name for row in rows("Attributes") for name in re.findall(r"`(\w+)`", row)}

    assert listed == found


def test_the_template_has_the_function_that_the_construct_deploys() -> None:
    """With the same bounds: one of the two would not hear of a mend."""
    text = (ROOT / "examples" / "cloudformation" / "jobs.yaml").read_text()
    block = text.partition("ZipFile: |\n")[2].partition("\n\n  DeclarerRole:")[0]
    code = (STACKS / "declarer.py").read_text()

    assert dedent(block).strip() == code.strip()
    assert tuple(
        re.findall(r"^ +(Timeout: .*)$", text, re.MULTILINE)
        + re.findall(r"^ +(ServiceTimeout: .*)$", text, re.MULTILINE)
    ) == ("Timeout: 900", "ServiceTimeout: 960")


def test_cfn_lint_has_nothing_to_say_about_the_template() -> None:
    """It knows types, properties and functions of CloudFormation."""
    command = Path(sys.executable).with_name("cfn-lint")

    run(command, ROOT / "examples" / "cloudformation" / "jobs.yaml")
