"""Files of declared jobs: ``timegate deploy`` and ``timegate worker run``."""
