"""Proves the sale: real services and handlers, a deterministic scheduler, injected faults."""
