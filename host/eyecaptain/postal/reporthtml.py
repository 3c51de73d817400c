"""A report as one HTML file: no script, nothing from elsewhere, good on a screen, in the dark and on paper."""

from html import escape
from typing import Any

from eyecaptain.language import _
from eyecaptain.postal import reporttext as words

STYLE = """\
:root{color-scheme:light dark;--line:#8886}
@page{size:A4;margin:15mm}
body{font:16px/1.45 Georgia,'Times New Roman',serif;max-width:46rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}
h1{font-size:1.5rem;border-bottom:3px double}h2{font-size:1.15rem;margin:1.6rem 0 .4rem;break-after:avoid}
.auctions{display:flex;flex-wrap:wrap;gap:0 1.5rem}.auctions section{flex:1 1 19rem;break-inside:avoid}
table{border-collapse:collapse;width:100%}tr{break-inside:avoid}
td{padding:.15rem 1rem .15rem 0;border-bottom:1px solid var(--line)}td:last-child{padding-right:0}
td.n{text-align:right;white-space:nowrap;width:2.5em;font-variant-numeric:tabular-nums}td.n:first-child{width:1.5em}
td.what{width:45%}small,.note{opacity:.75}
.card{display:inline-block;
min-width:1.6em;text-align:center;border:1px solid;border-radius:.25em;padding:0 .2em;margin:.1em 0}
tr.takes{font-weight:bold}
tr.out .card{text-decoration:line-through;border-style:dashed}tr.beaten .card{border-color:var(--line)}
.proof{font:12px/1.4 ui-monospace,monospace}blockquote{margin:.3rem 0 .3rem 1rem;font-style:italic}
@media(max-width:32rem){td.what{width:auto}}
@media print{body{margin:0;padding:0;max-width:none;font-size:11pt}:root{color-scheme:light}}"""


def as_html(paper: dict[str, Any], language: str) -> str:
    """The whole report; `language` is the one that is spoken now."""
    title = escape(words.title(paper))
    auctions = "".join(_auction(auction) for auction in paper["auctions"])
    parts = [
        f'<!DOCTYPE html>\n<html lang="{language}">\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width">',
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">",
        f"<title>{title}</title>\n<style>\n{STYLE}\n</style>",
        f"<h1>{title}</h1>",
        f'<div class="auctions">{auctions}</div>' if auctions else "",
        *(f'<p class="note">{escape(words.missing_words(missing))}</p>' for missing in paper["missing"]),
        _standings(paper),
        _end(paper) if paper["over"] else _next(paper),
        *(_press(press) for press in paper["press"]),
        '<p class="proof">' + "<br>".join(escape(line.strip()) for line in words.proof_words(paper)) + "</p>",
    ]
    return "\n".join(part for part in parts if part) + "\n"


def _auction(auction: dict[str, Any]) -> str:
    rows = []
    for bid in auction["bids"]:
        notes = "; ".join(_(note) for note in (words.STATES[bid["state"]], words.FLAGS[bid["flag"]]) if note)
        rows.append(
            f'<tr class="{bid["state"]}"><td>{escape(bid["player"])}</td>'
            f'<td class="n"><span class="card">{bid["card"]}</span></td>'
            f'<td class="what"><small>{escape(notes)}</small></td></tr>'
        )
    return (
        f"<section><h2>{auction['slot']}: {escape(words.pot_words(auction))}</h2>\n"
        f"<table>{''.join(rows)}</table><p>{escape(words.explanation(auction))}</p></section>\n"
    )


def _standings(paper: dict[str, Any]) -> str:
    rows = "".join(
        f'<tr><td class="n">{row["rank"]}.</td><td>{escape(row["player"])}</td><td class="n">{words.signed(row["score"])}</td>'
        f'<td class="n"><small>{words.signed(row["change"]) if paper["round"] else ""}</small></td>'
        f'<td class="what">{" ".join(words.signed(animal) for animal in row["won"])}</td></tr>\n'
        for row in paper["standings"]
    )
    return f"<h2>{escape(_('Standings'))}</h2>\n<table>{rows}</table>"


def _end(paper: dict[str, Any]) -> str:
    winners = words.listed(paper["winners"])
    text = _("The game is over. Winner: {names}.").format(names=winners) if winners else _("The game is over. Nobody wins.")
    lost = " ".join(words.signed(animal) for animal in paper["forfeited"])
    more = f"<p>{escape(_('Lost: {animals}').format(animals=lost))}</p>" if lost else ""
    return f"<p><strong>{escape(text)}</strong></p>{more}"


def _next(paper: dict[str, Any]) -> str:
    hands = "".join(
        f"<tr><td>{escape(player)}</td><td>{' '.join(f'<span class=card>{card}</span>' for card in hand)}</td></tr>\n"
        for player, hand in paper["hands"].items()
    )
    head, *lines = (escape(line.strip()) for line in words.next_words(paper["next"]))
    coming = "<br>".join(lines)
    return f"<h2>{escape(_('Cards in hand'))}</h2>\n<table>{hands}</table>\n<h2>{head}</h2>\n<p>{coming}</p>"


def _press(press: dict[str, Any]) -> str:
    by = _("Press by {player}:").format(player=press["player"]) if press["player"] else _("Press by the game master:")
    return f"<h2>{escape(by)}</h2>\n<blockquote>{escape(press['text'])}</blockquote>"
