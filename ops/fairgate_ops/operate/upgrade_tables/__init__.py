"""Carry a stage of version 0.1.0 over: its tables are read, and another stage's are written."""
