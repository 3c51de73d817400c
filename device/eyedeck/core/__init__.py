"""What the deck does, without any hardware: clocks, pins and buses are handed in. Runs on CPython too."""
