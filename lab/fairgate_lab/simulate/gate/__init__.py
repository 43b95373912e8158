"""The room in simulation: honest buyers beside those who try to gain, and the shop behind it.

Every figure that comes out of here is modelled: `python -m fairgate_lab.simulate.gate`.
"""
