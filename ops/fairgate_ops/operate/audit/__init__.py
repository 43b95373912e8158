"""Recomputes a sale: every admission, from the revealed key, the gate's history and the log."""
