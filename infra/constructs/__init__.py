"""Constructs, one noun each; every one owns its role, its alarms and its acknowledgements."""
