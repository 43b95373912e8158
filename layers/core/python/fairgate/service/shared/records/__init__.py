"""Hold what the tables hold: one frozen record for each kind of item, each attribute listed once.

docs/data.md shows them as a table. Fields without a default are always there; those with one may
be absent. Times are RFC 3339 strings, money is in minor units, ``ttl`` is in epoch seconds. They
stand in several modules so that a function imports those that it meets.
"""
