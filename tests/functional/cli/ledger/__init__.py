"""``timegate ledger``."""
