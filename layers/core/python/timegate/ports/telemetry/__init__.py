"""The register of metrics and log events: name, unit, emitting functions and meaning of each."""
