"""Measurements: budgets on synthetic vaults, retrieval quality on sets. Nothing here is a test.

Scans run on one thread, as they do in the product; that must be said before numpy is loaded.
"""

import os

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
    os.environ.setdefault(_name, "1")
