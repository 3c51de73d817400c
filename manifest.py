"""Freezes the firmware into a MicroPython of one's own:

make -C ports/rp2 BOARD=RPI_PICO FROZEN_MANIFEST=/path/to/this/manifest.py
"""

include("$(PORT_DIR)/boards/manifest.py")
package("eyedeck", base_path="device")
module("boot.py", base_path="device")
module("main.py", base_path="device")
