"""An emulated Pico: the same world as that of the simulated board, behind a chip that is emulated cycle by cycle.

Its MicroPython is an official UF2 file. It is some twenty times slower than a real one; what it measures, it measures in its
own time.
"""
