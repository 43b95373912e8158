"""Define the answers of the API, one model for each shape, in snake_case. See docs/api.md.

``docs/openapi.json`` is made from the models, and the contract tests compare them with what the
handlers answer and with ``docs/api.md``. A key that may be absent has the default UNSET; one that
is always there and may be null is ``| None``.
"""
