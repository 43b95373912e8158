"""Simulate the waiting room: honest buyers, strategists, and the shop behind it.

Every figure that comes out of here is modelled: `python -m fairgate_lab.simulate.gate`.
"""
