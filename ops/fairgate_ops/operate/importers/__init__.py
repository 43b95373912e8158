"""Seating charts in other formats, and a generated one, as Fairgate venues."""
