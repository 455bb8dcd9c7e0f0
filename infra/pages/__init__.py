"""Write pages of the documentation from registers and records."""
