"""Firmware of the deck: link (the wire), core (pure logic), drivers (the only users of `machine`)."""

VERSION = "0.1.0"
BUILD = "dev"
