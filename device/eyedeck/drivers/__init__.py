"""The only place that touches `machine`. Pins and buses are handed in; `hardware` makes them."""
