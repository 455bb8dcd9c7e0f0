"""A design that is studied, not built: jobs of one pattern share a wheel, its runs are sheaves.

``python -m bench.scale.wheels`` plays it and writes ``docs/design/wheels.md``.
"""
