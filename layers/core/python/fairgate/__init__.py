"""Fairgate: a fair ticket on-sale system. What every Lambda function imports."""

import gc

# A cold start makes some 60,000 objects that stay; to look for garbage among them, fifty times by
# Python's own figure, costs a tenth of it. `make bench-imports` shows what a function pays.
gc.set_threshold(50_000)
