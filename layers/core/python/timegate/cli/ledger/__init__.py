"""``timegate ledger``: sealed months of the archive, as an auditor takes them."""
