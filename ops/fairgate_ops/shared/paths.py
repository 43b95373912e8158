"""Where the checkout stands."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
