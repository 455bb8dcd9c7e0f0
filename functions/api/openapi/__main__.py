"""``python -m api.openapi [FILE]``: write the description to a file, or print it."""

import json
import sys
from pathlib import Path

from api.openapi.document import document


def rendered() -> str:
    """The description as it is kept in ``docs/openapi.json``."""
    return json.dumps(document(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(rendered(), encoding="utf-8")
    else:
        sys.stdout.write(rendered())
