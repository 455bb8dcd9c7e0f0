"""An auditor's script, which needs neither Timegate nor a network."""
