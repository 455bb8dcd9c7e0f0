"""The code that functions run: where it lies, and the layer that is built for it."""
