"""Fairgate: a fair ticket on-sale system. What every Lambda function imports."""
