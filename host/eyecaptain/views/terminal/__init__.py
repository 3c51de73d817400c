"""The terminal view: a full screen that is understood in half a second, and one key for every common act.

`hand.py` knows what a key means, `scene.py` what there is to show, `shapes.py`, `deckmap.py` and `panels.py` how it looks;
none of them knows the library. `app.py` puts them on the screen, `seat.py` runs it beside the table's loop.
"""
