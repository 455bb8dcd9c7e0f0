"""Pictures of the console for the docs: a shop that has been at work for some weeks."""
