"""Declare what the services need, as Protocols. ``bootstrap.py`` chooses the adapters."""
