"""Retrieval quality through the real pipeline, beside what was measured before the product was built.

`python -m tests.bench.retrieval --data FOLDER --cache FOLDER [--sets NAME …] [--modes hybrid lexical semantic]`. Nothing is written into
the project: indexes live in temporary folders, vectors in the cache.
"""
