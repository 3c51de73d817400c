"""Fills in what the guide, `hardware/README.md`, does not write itself.

Blocks stand between `<!-- made: NAME -->` and `<!-- end -->`. A number stands before its name: `391 <!-- =budget.peak_ma -->`.
"""

import re
from collections.abc import Mapping

_BLOCK = re.compile(r"(<!-- made: ([\w-]+) -->\n).*?(\n?<!-- end -->)", re.DOTALL)
_NUMBER = re.compile(r"(?<![\d.,])[\d.,]+( ?)<!-- =([\w.]+?)(?::(\d))? -->")


def fill(text: str, blocks: Mapping[str, str], numbers: Mapping[str, float]) -> str:
    """Return the guide with its blocks and numbers made anew.

    :param numbers: by name; shown without decimals, or with as many as `=name:2` says.
    :raises ValueError: it names a block or a number that there is not, or leaves a block out.
    """
    named = [name for _, name, _ in _BLOCK.findall(text)]
    unknown = [name for name in named if name not in blocks] + [
        name for _, name, _ in _NUMBER.findall(text) if name not in numbers
    ]
    if unknown:
        raise ValueError(f"the guide names {', '.join(unknown)}, which nobody makes")
    missing = sorted(blocks.keys() - set(named))
    if missing:
        raise ValueError(f"the guide has no place for {', '.join(missing)}")
    text = _BLOCK.sub(lambda found: f"{found[1]}{blocks[found[2]]}\n<!-- end -->", text)
    return _NUMBER.sub(
        lambda found: (
            f"{numbers[found[2]]:,.{found[3] or 0}f}{found[1]}<!-- ={found[2]}{':' + found[3] if found[3] else ''} -->"
        ),
        text,
    )
