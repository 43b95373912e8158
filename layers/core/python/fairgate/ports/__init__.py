"""What the services need of the world, as Protocols. ``bootstrap.py`` chooses the adapters."""
