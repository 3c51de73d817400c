"""Text measured in cells of the screen: emoji and wide characters take two."""

from rich.cells import cell_len


def cut(text: str, width: int) -> str:
    """The text in at most so many cells, with an ellipsis where it was cut."""
    if cell_len(text) <= width:
        return text
    kept = ""
    for character in text:
        if cell_len(kept + character) > width - 1:
            break
        kept += character
    return kept + "…" if width > 0 else ""


def fitted(text: str, width: int) -> str:
    """The text in exactly so many cells: cut, or filled up."""
    text = cut(text, width)
    return text + " " * (width - cell_len(text))


def folded(text: str, width: int) -> list[str]:
    """The text in lines of at most so many cells, broken between words."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if cell_len(longer) <= width:
            lines[-1] = longer
        elif lines[-1]:
            lines.append(cut(word, width))
        else:
            lines[-1] = cut(word, width)
    return lines
