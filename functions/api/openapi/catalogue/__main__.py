"""``python -m api.openapi.catalogue FILE``: write the catalogue of codes."""

import sys
from pathlib import Path

from api.openapi.catalogue.page import rendered

Path(sys.argv[1]).write_text(rendered(), encoding="utf-8")
