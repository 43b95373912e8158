"""Fairgate: a fair ticket on-sale system. What every Lambda function imports."""

import gc

# A cold start makes some 60,000 objects that stay. Fifty runs of the garbage collector over them,
# Python's default, would cost a tenth of the cold start (`make bench-imports`).
gc.set_threshold(50_000)
