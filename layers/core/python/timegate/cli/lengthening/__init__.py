"""Short ids that people give: found, and put in the place of whole ones."""
