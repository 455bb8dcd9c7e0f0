"""Jobs as items, with the parts of their definitions."""
