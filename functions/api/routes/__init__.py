"""One module per noun, one function per route; ``table`` lists them all."""
